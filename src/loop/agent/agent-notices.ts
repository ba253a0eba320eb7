import {
  createRulesSource,
  findProjectRoot,
  parseRulesHeader,
  type RulesHeader,
} from "../../engine/rules/index.ts";
import { systemShell } from "../../runtime-shell.ts";
import type { NoticeSource, Session } from "../../spec/index.ts";
import type { McpClients } from "../../tools/mcp/index.ts";
import type { ShellTasks } from "../../tools/shell/index.ts";
import { createSkillListing } from "../../tools/skills/index.ts";
import type { AgentPlace } from "./agent-place.ts";
import { createSurroundingsSource } from "./surroundings-notice.ts";

export interface AgentNoticeOptions {
  readonly place: AgentPlace;
  readonly tasks: ShellTasks;
  readonly mcp?: McpClients;
  /** The session, once it is open. */
  readonly session: () => Session;
  /** Without rules files. */
  readonly isRuleless: boolean;
  readonly warn: (text: string) => void;
}

/** Who has something to tell the model, the most lasting first. */
export function createAgentNotices(options: AgentNoticeOptions): readonly NoticeSource[] {
  const { place, tasks, mcp, warn, isRuleless } = options;
  const { disk, runtime, cwd, skillRoots } = place;
  return [
    createSurroundingsSource({
      shell: systemShell,
      cwd,
      platform: runtime.platform,
      environment: { PATH: runtime.environment.PATH ?? "" },
      today: () => new Date(runtime.clock.now()).toISOString().slice(0, 10),
    }),
    ...(isRuleless ? [] : [rulesSource(options)]),
    createSkillListing({ disk, roots: skillRoots, warn }),
    ...(mcp ? [mcp.notices] : []),
    tasks,
  ];
}

/** What a session was told before is read from its log when it is asked for the first time. */
function rulesSource({ place, session, warn }: AgentNoticeOptions): NoticeSource {
  const { disk, home, cwd, runtime } = place;
  let source: Promise<NoticeSource> | null = null;
  const open = async () => {
    const projectRoot = await findProjectRoot(disk, cwd);
    const given = await givenRules(session());
    const { homeFolder } = runtime;
    return createRulesSource({ disk, home, homeFolder, projectRoot, cwd, given, onNote: warn });
  };
  return {
    name: "rules",
    async take(moment) {
      source ??= open();
      return (await source).take(moment);
    },
  };
}

async function givenRules(session: Session): Promise<readonly RulesHeader[]> {
  const given: RulesHeader[] = [];
  for await (const entry of session.entries()) {
    if (entry.kind !== "message" || entry.message.subtype !== "rules") continue;
    const { content } = entry.message;
    const header = typeof content === "string" ? parseRulesHeader(content) : undefined;
    if (header) given.push(header);
  }
  return given;
}
