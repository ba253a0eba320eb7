import { join } from "node:path";
import type { SessionHandle } from "@palimpsest/core";
import { agentNumbers, defaultModel, isRecord, parseJson, systemShell } from "@palimpsest/core/internal";
import {
  type Disk,
  type DiskFile,
  type NoticeSource,
  ok,
  type Result,
  type RunOptions,
  type Settings,
  type SpendingLedger,
  type Store,
  type Tool,
} from "@palimpsest/core/spec";
import { createAgentTool } from "../../tools/agent/index.ts";
import type { McpClients } from "../../tools/mcp/index.ts";
import type { AgentLocation } from "../agent/agent-location.ts";
import { toLocalDay } from "../agent/surroundings-notice.ts";
import type { AgentMail } from "../mail/open-agent-mail.ts";
import type { NoticeContext, SessionOptions } from "../open-session.ts";
import { type DayBudget, openDayBudget } from "../with-day-budget.ts";
import { ignoredText, loadProjectAgents } from "./agent-prompt.ts";
import { type AgentTree, createAgentTree } from "./agent-tree.ts";
import { createSummarize } from "./create-summarize.ts";
import { openFresh } from "./open-fresh.ts";
import { createDaySpend, type DayBook } from "./tree-meter.ts";
import { createWorktrees } from "./worktree.ts";

/** In place of a model's name: nobody is asked how far agents are. */
const noSummaryModel = "off";

export interface AgentsOptions {
  /** The session's own options, as far as agents have them too. */
  readonly base: SessionOptions;
  readonly location: AgentLocation;
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
  notices(context: NoticeContext): readonly NoticeSource[];
}

/** Reads which agents are defined, and makes what begins them. */
export async function createAgents(options: AgentsOptions): Promise<Agents> {
  const { location, settings, base, warn } = options;
  const { disk, home, cwd, clock, runtime } = location;
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
      folder: join(home, "projects", location.project, "worktrees"),
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
    notices(context) {
      handle = context.handle;
      dollarsBefore = handle.statistics().forkDollars?.agent ?? 0;
      for (const agent of restricted)
        if (!agent.isTrusted) handle.emit({ type: "setting-ignored", message: ignoredText(agent) });
      return [tree.noticesFor(handle.session.id)];
    },
  };
}

/** Counted apart from `budget.dollarsPerDay`, of which it is a part. */
const scope = "agents";

/** Nothing is refused here: whoever begins agents looks at the sum. */
const noLimit = 1_000_000;

/** Shared by all who share a ledger, on any machine. */
export function createLedgerDayBook(ledger: SpendingLedger): DayBook {
  return {
    async add(day, dollars) {
      const token = await ledger.reserve({ scope, day, dollars: 0, limit: noLimit });
      return token.ok ? ledger.settle(token.value, dollars) : token;
    },
    async sum(day) {
      const spent = await ledger.spent(scope, day);
      return spent.ok ? ok(spent.value.dollars) : spent;
    },
  };
}

interface FileDayBookOptions {
  readonly disk: Disk;
  /** One file a day, a line for each sum. */
  readonly folder: string;
}

/** Shared by all sessions of one data root. */
export function createFileDayBook({ disk, folder }: FileDayBookOptions): DayBook {
  const pathOf = (day: string) => join(folder, `${day}.jsonl`);
  return {
    add: (day, dollars) => append(disk, folder, pathOf(day), `${JSON.stringify({ dollars })}\n`),
    async sum(day) {
      const text = await readWhole(disk, pathOf(day));
      if (text.ok) return ok(sumOf(text.value));
      return text.error.code === "not-found" ? ok(0) : text;
    },
  };
}

/** Lines that nobody can read count nothing. */
function sumOf(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + dollarsIn(line), 0);
}

function dollarsIn(line: string): number {
  const value = parseJson(line);
  const dollars = isRecord(value) ? value.dollars : undefined;
  return typeof dollars === "number" && dollars > 0 ? dollars : 0;
}

async function append(disk: Disk, folder: string, path: string, line: string): Promise<Result<void>> {
  const file = await openForAppend(disk, folder, path);
  if (!file.ok) return file;
  const written = await file.value.append(new TextEncoder().encode(line));
  await file.value.close();
  return written;
}

/** Several processes may make the file at once: whoever comes second opens it. */
async function openForAppend(disk: Disk, folder: string, path: string): Promise<Result<DiskFile>> {
  const there = await disk.open(path, "append");
  if (there.ok || there.error.code !== "not-found") return there;
  const made = await disk.makeDirectory(folder);
  if (!made.ok) return made;
  const created = await disk.open(path, "create");
  return !created.ok && created.error.code === "exists" ? disk.open(path, "append") : created;
}

async function readWhole(disk: Disk, path: string): Promise<Result<string>> {
  const file = await disk.open(path, "read");
  if (!file.ok) return file;
  const stat = await file.value.stat();
  const into = new Uint8Array(stat.ok ? stat.value.bytes : 0);
  const read = stat.ok ? await file.value.read(0, into) : stat;
  await file.value.close();
  return read.ok ? ok(new TextDecoder().decode(into.subarray(0, read.value))) : read;
}
