import { join } from "node:path";
import type { SessionHandle } from "@palimpsest/core";
import { agentNumbers, defaultModel, systemShell } from "@palimpsest/core/internal";
import type { NoticeSource, RunOptions, Settings, Store, Tool } from "@palimpsest/core/spec";
import { createAgentTool } from "../../tools/agent/index.ts";
import type { McpClients } from "../../tools/mcp/index.ts";
import type { AgentPlace } from "../agent/agent-place.ts";
import { toLocalDay } from "../agent/local-day.ts";
import type { AgentMail } from "../mail/open-agent-mail.ts";
import { openDayBudget } from "../open-day-budget.ts";
import type { NoticeScene, SessionOptions } from "../open-session.ts";
import type { DayBudget } from "../with-day-budget.ts";
import { type AgentTree, createAgentTree } from "./agent-tree.ts";
import { createSummarize } from "./create-summarize.ts";
import { createDaySpend } from "./day-spend.ts";
import { createFileDayBook } from "./file-day-book.ts";
import { createLedgerDayBook } from "./ledger-day-book.ts";
import { openFresh } from "./open-fresh.ts";
import { ignoredText, loadProjectAgents } from "./project-agents.ts";
import { createWorktrees } from "./worktree.ts";

/** In place of a model's name: nobody is asked how far agents are. */
const noSummaryModel = "off";

export interface AgentsOptions {
  /** What the session itself is opened with, as far as agents have it too. */
  readonly base: SessionOptions;
  readonly place: AgentPlace;
  readonly settings: Settings;
  readonly store: Store;
  readonly workspace: readonly string[];
  readonly mcp: McpClients;
  readonly deferred: readonly Tool[];
  readonly isRuleless: boolean;
  /** How agents write to each other; absent: they do not. */
  readonly mail?: AgentMail;
  /** The API of the session's model does not know the memory tool. */
  readonly isCustomTool: boolean;
  /** Who is asked for what no rule allows an agent; absent: nobody. */
  readonly onPermission?: RunOptions["onPermission"];
  readonly warn: (text: string) => void;
}

/** The agents of a session: the tool that begins them, and who tells of them. */
export interface Agents {
  readonly tree: AgentTree;
  readonly tool: Tool;
  notices(scene: NoticeScene): readonly NoticeSource[];
}

/** Reads which agents are defined, and makes what begins them. */
export async function createAgents(options: AgentsOptions): Promise<Agents> {
  const { place, settings, base, warn } = options;
  const { disk, home, cwd, clock, runtime } = place;
  const { summaryModel, ...numbers } = settings.agents ?? {};
  const { agents, warnings, restricted } = await loadProjectAgents({ disk, home, cwd });
  for (const warning of warnings) warn(warning);
  let handle: SessionHandle | null = null;
  let dollarsBefore = 0;
  const { store } = options;
  const { spending } = store;
  const { ids } = runtime;
  const today = () => toLocalDay(clock.now());
  const book = spending
    ? createLedgerDayBook(spending)
    : createFileDayBook({ disk, folder: join(home, "agent-spend") });
  const dollars: DayBudget["dollars"] = (usage, answered, asked) =>
    handle?.dollars(usage, answered, asked) ?? 0;
  const dayBudget = openDayBudget({ settings, store, home, disk, clock, ids, dollars });
  const tree: AgentTree = createAgentTree({
    clock,
    ids,
    budget: { ...agentNumbers, ...numbers },
    agents,
    handle: () => handle,
    open: (opening) => openFresh(options, opening, { tool, tree }),
    ...(options.mail && { mail: options.mail }),
    ...(options.onPermission && { onPermission: options.onPermission }),
    worktree: createWorktrees({
      shell: systemShell,
      clock,
      environment: runtime.environment,
      folder: join(home, "projects", place.project, "worktrees"),
    }),
    daySpend: createDaySpend({ book, today, warn }),
    unsentTools: () => [...options.deferred, ...options.mcp.lateTools()].map(({ name }) => name),
    dollarsBefore: () => dollarsBefore,
    ...(summaryModel !== noSummaryModel && {
      summarize: createSummarize({
        own: base.model ?? defaultModel,
        wanted: summaryModel,
        environment: runtime.environment,
        clock,
        handle: () => handle,
        dayBudget,
      }),
    }),
  });
  const tool = createAgentTool({ port: tree, agents });
  return {
    tree,
    tool,
    notices(scene) {
      handle = scene.handle;
      dollarsBefore = handle.statistics().forkDollars?.agent ?? 0;
      for (const agent of restricted)
        if (!agent.isTrusted) handle.emit({ type: "setting-ignored", message: ignoredText(agent) });
      return [tree.noticesFor(handle.session.id)];
    },
  };
}
