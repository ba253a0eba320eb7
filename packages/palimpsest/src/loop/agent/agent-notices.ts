import {
  createRulesSource,
  createUnconfirmedRules,
  findProjectRoot,
  parseRulesHeader,
  type RulesHeader,
  systemShell,
} from "@palimpsest/core/internal";
import type { NoticeSource, Tool } from "@palimpsest/core/spec";
import type { McpClients } from "../../tools/mcp/index.ts";
import type { ShellTasks } from "../../tools/shell/index.ts";
import { createSkillListing } from "../../tools/skills/index.ts";
import type { NoticeScene } from "../open-session.ts";
import type { AgentPlace } from "./agent-place.ts";
import { attachedTexts } from "./attached-texts.ts";
import { toLocalDay } from "./local-day.ts";
import { createModeSource } from "./mode-notice.ts";
import { createDictation, writtenRules } from "./rules-dictation.ts";
import { createServedSource } from "./served-notice.ts";
import { createSurroundingsSource } from "./surroundings-notice.ts";

export interface AgentNoticeOptions {
  readonly place: AgentPlace;
  readonly tasks: ShellTasks;
  readonly mcp: McpClients;
  /** Tools of MCP servers that are not sent. */
  readonly deferred: readonly Tool[];
  /** Without rules files. */
  readonly isRuleless: boolean;
  /** Who tells of memory. */
  readonly memory: (scene: NoticeScene) => readonly NoticeSource[];
  /** Who tells of messages from other agents; absent: nobody. */
  readonly mail?: (scene: NoticeScene) => NoticeSource;
  /** Who tells how agents have ended; absent: nobody. */
  readonly agents?: (scene: NoticeScene) => readonly NoticeSource[];
  readonly warn: (text: string) => void;
  /** Takes what is to be done before the session is closed; absent: nothing is. */
  readonly onClose?: (close: () => Promise<unknown>) => void;
}

/** Who has something to tell the model, the most lasting first. */
export function createAgentNotices(options: AgentNoticeOptions, scene: NoticeScene): readonly NoticeSource[] {
  const { place, tasks, mcp, deferred, warn, isRuleless, memory } = options;
  const { disk, runtime, clock, cwd, projectFolder, skillRoots } = place;
  const { environment, platform } = runtime;
  const told =
    (...subtypes: readonly string[]) =>
    () =>
      subtypes.flatMap((subtype) => attachedTexts(scene.handle.view(), subtype));
  return [
    createSurroundingsSource({
      shell: systemShell,
      clock,
      cwd,
      platform,
      environment,
      workspace: [projectFolder],
      today: () => toLocalDay(clock.now()),
      told: told("surroundings"),
    }),
    ...(isRuleless ? [] : [rulesSource(options, scene, told("rules"))]),
    ...memory(scene),
    createSkillListing({ disk, roots: skillRoots, warn }),
    createServedSource({ mcp, deferred, told: told("tools", "mcp-instructions") }),
    createModeSource(told("mode")),
    tasks,
    ...(options.agents?.(scene) ?? []),
    ...(options.mail ? [options.mail(scene)] : []),
  ];
}

/** Rules of the user and the project, as far as no rule for permissions denies reading them. */
function rulesSource(
  { place, tasks, warn, onClose }: AgentNoticeOptions,
  { judge, resolve, handle }: NoticeScene,
  told: () => readonly string[],
): NoticeSource {
  const { disk, home, clock, cwd, runtime } = place;
  const { homeFolder, ids } = runtime;
  const mayRead = async (path: string) => {
    const { subjects } = await resolve([{ kind: "path", value: path, access: "read" }]);
    return (
      judge({ tool: "Read", subjects, isReadOnly: true, mode: "default", rules: {} }).behavior !== "deny"
    );
  };
  const given = () =>
    told().flatMap((text): readonly RulesHeader[] => {
      const header = parseRulesHeader(text);
      return header ? [header] : [];
    });
  let source: Promise<NoticeSource> | null = null;
  const dictation = createDictation(handle, tasks);
  const openedMs = runtime.clock.now();
  const unconfirmed = createUnconfirmedRules({ disk, home, clock, ids });
  const open = async () => {
    const projectRoot = await findProjectRoot(disk, cwd);
    const places = { disk, home, homeFolder, projectRoot, cwd };
    const { isDictated } = dictation;
    return createRulesSource({ ...places, mayRead, given, unconfirmed, isDictated, openedMs, onNote: warn });
  };
  // What was written where nobody looked is remembered too, before nobody looks any more.
  onClose?.(async () => {
    if (!source || !dictation.end()) return;
    const { signal } = new AbortController();
    const touched = await writtenRules(await findProjectRoot(disk, cwd), openedMs, signal);
    await (await source).take({ kind: "turn-start", touched, signal });
  });
  return {
    name: "rules",
    remembers: true,
    async take(moment) {
      source ??= open();
      return (await source).take(moment);
    },
  };
}
