import type { FileAction, TaintKind, ToolSubject } from "../spec/index.ts";

/**
 * Facts about a tool, by its name. Logs are read by it, and they name no more of a tool than that. A field that is
 * absent says that nothing of the kind is known: no ledger, never cleared, untrusted, a permission asked for each call.
 */
export interface KnownTool {
  /** Here and in Claude Code. */
  readonly name: string;
  /** In other agents, or in other versions: what the ledgers, clearing and trust read is read of these too. */
  readonly otherNames?: readonly string[];
  /** `quiet`: it touches nothing but conversations. What an agent does is judged call by call. */
  readonly permission?: ToolPermission | "quiet";
  /** The ledger of files: what a call did to the file that its input names. */
  readonly file?: FileAction;
  /** The ledger of commands. */
  readonly command?: true;
  /** The ledger of to-dos. `replace`: the input is the whole list. `create` and `update`: one to-do at a time, by an id. */
  readonly todos?: "replace" | "create" | "update";
  /** The ledger of plans. */
  readonly plan?: true;
  /** Its results have served their purpose once they were used. `result-and-input`: and so have large inputs. */
  readonly clearing?: "result" | "result-and-input";
  /** Pages its own output: no result of it is too long. */
  readonly pagesOutput?: true;
  /** Gives the same again while nobody wrote. `listing`: a newer one makes an older one of the same place worthless. */
  readonly looking?: "listing" | "other";
  /** `closed`: results say nothing but what the agent or the user has said. Else what an untrusted result is called. */
  readonly trust?: "closed" | Extract<TaintKind, "shell" | "web" | "agent" | "memory">;
  /** What an extraction of memories may use it for. `changes`: nothing, but a file of memory it changed was changed by the agent. */
  readonly memory?: "reads" | "writes" | "changes";
  /** Of no use where there is no person. */
  readonly needsPerson?: true;
}

/** The tool whose name stands in a rule for all of its family, and what they touch. */
export interface ToolPermission extends Pick<ToolSubject, "kind" | "access"> {
  readonly family: string;
  /** A call that changes a part of something shows what stands around it. */
  readonly isShowing?: true;
}

export const editToolName = "Edit";
export const exitPlanTool = "ExitPlanMode";
export const memoryToolName = "memory";
export const recallToolName = "Recall";

const reading = { family: "Read", kind: "path", access: "read" } as const;
const writing = { family: editToolName, kind: "path", access: "write" } as const;

/** Names of other agents are those of pi, opencode, Codex, Gemini CLI and Qwen Code, as of November 2026. */
export const knownTools: readonly KnownTool[] = [
  {
    name: "Read",
    otherNames: ["read", "read_file"],
    permission: reading,
    file: "read",
    pagesOutput: true,
    clearing: "result",
    memory: "reads",
  },
  {
    name: "Write",
    otherNames: ["write", "write_file"],
    permission: writing,
    file: "written",
    clearing: "result-and-input",
    memory: "writes",
  },
  {
    name: editToolName,
    otherNames: ["edit", "replace"],
    permission: { ...writing, isShowing: true },
    file: "edited",
    clearing: "result-and-input",
    memory: "writes",
  },
  {
    name: "MultiEdit",
    otherNames: ["multiedit"],
    permission: { ...writing, isShowing: true },
    file: "edited",
    memory: "changes",
  },
  { name: "NotebookRead", file: "read" },
  { name: "NotebookEdit", permission: { ...writing, isShowing: true }, file: "edited" },
  {
    name: "Glob",
    otherNames: ["glob"],
    permission: reading,
    clearing: "result",
    looking: "listing",
    memory: "reads",
  },
  {
    name: "Grep",
    otherNames: ["grep", "search_file_content"],
    permission: reading,
    clearing: "result",
    looking: "listing",
    memory: "reads",
  },
  { name: "LS", looking: "other", memory: "reads" },
  {
    name: "Bash",
    otherNames: ["bash", "shell", "exec_command", "run_shell_command"],
    permission: { family: "Bash", kind: "command", access: "execute" },
    command: true,
    clearing: "result",
    trust: "shell",
  },
  { name: "TaskOutput", otherNames: ["BashOutput"], trust: "shell" },
  { name: "TaskStop", otherNames: ["KillShell"], trust: "shell" },
  {
    name: "WebFetch",
    otherNames: ["webfetch", "web_fetch"],
    permission: { family: "WebFetch", kind: "url", access: "read" },
    clearing: "result",
    trust: "web",
  },
  {
    name: "WebSearch",
    otherNames: ["websearch", "google_web_search"],
    clearing: "result",
    trust: "web",
  },
  { name: "AskUserQuestion", permission: "quiet", trust: "closed", needsPerson: true },
  {
    name: "TodoWrite",
    otherNames: ["todowrite", "todo_write"],
    permission: "quiet",
    todos: "replace",
    trust: "closed",
  },
  { name: "TaskCreate", todos: "create", trust: "closed" },
  { name: "TaskUpdate", todos: "update", trust: "closed" },
  { name: exitPlanTool, otherNames: ["exit_plan_mode"], plan: true, trust: "closed", needsPerson: true },
  { name: "Skill", permission: "quiet" },
  { name: "Agent", otherNames: ["Task"], permission: "quiet", trust: "agent" },
  { name: "SendMessage", permission: "quiet", trust: "agent" },
  {
    name: recallToolName,
    permission: "quiet",
    clearing: "result",
    trust: "memory",
    memory: "reads",
  },
  { name: memoryToolName, trust: "memory" },
  { name: "ToolSearch", permission: "quiet" },
];

/** Where a file tool's input names the file; the first one that is there counts. */
export const pathFields = ["file_path", "notebook_path", "path", "filePath", "absolute_path"] as const;

/** Where a command tool's input has the command: a text, or a list of arguments. */
export const commandFields = ["command", "cmd"] as const;

/** The file tools that the ledgers read, by every name. */
export const fileTools = valuesByTool(({ file }) => file);
export const commandTools = namesWhere(({ command }) => command === true);
export const todoTools = valuesByTool(({ todos }) => todos);
export const planTools = namesWhere(({ plan }) => plan === true);

/** Tools whose results are cleared, by every name. Results of everything else are never cleared. */
export const clearableTools = namesWhere(({ clearing }) => clearing !== undefined);
export const clearableInputTools = namesWhere(({ clearing }) => clearing === "result-and-input");
/** A program that declares one of these says how long its results may be, or there is no limit. */
export const pagingTools = namesWhere(({ pagesOutput }) => pagesOutput === true);
export const listingTools = namesWhere(({ looking }) => looking === "listing");
export const lookingTools = namesWhere(({ looking }) => looking !== undefined);

export const closedTools = namesWhere(({ trust }) => trust === "closed");

const taintKinds = valuesByTool(({ trust }) => (trust === "closed" ? undefined : trust));
const taintKindsInAnyCase: ReadonlyMap<string, TaintKind> = new Map(
  [...taintKinds].flatMap(([name, kind]) => (kind === "shell" ? [] : [[name.toLowerCase(), kind]])),
);

/** The kind of taint of a tool's results: shells go by their exact name, others by any spelling. */
export function taintKindOf(tool: string): TaintKind | undefined {
  return taintKinds.get(tool) ?? taintKindsInAnyCase.get(tool.toLowerCase());
}

/** Tools of ours that one rule stands for, and what they touch. */
export interface ToolFamily extends Pick<ToolPermission, "kind" | "access"> {
  /** The first one's name stands for all of them in a rule. */
  readonly tools: readonly string[];
  /** Those of them that show what stands around a change. */
  readonly showing: readonly string[];
}

export const toolFamilies: readonly ToolFamily[] = knownTools.flatMap(({ name, permission }) => {
  if (permission === undefined || permission === "quiet" || permission.family !== name) return [];
  const { kind, access } = permission;
  const members = knownTools.flatMap(({ name: tool, permission: its }) =>
    its !== undefined && its !== "quiet" && its.family === name ? [{ tool, isShowing: its.isShowing }] : [],
  );
  const others = members.filter(({ tool }) => tool !== name).map(({ tool }) => tool);
  const showing = members.filter(({ isShowing }) => isShowing).map(({ tool }) => tool);
  return [{ tools: [name, ...others], kind, access, showing }];
});

/** Tools of ours that need no permission. */
export const quietTools = ownNames(({ permission }) => permission === "quiet");
export const toolsOfPeople = ownNames(({ needsPerson }) => needsPerson === true);

/** Tools an extraction of memories writes with, reads with, and with which the agent may have changed a memory. */
export const memoryWritingTools = ownNames(({ memory }) => memory === "writes");
export const memoryReadingTools = ownNames(({ memory }) => memory === "reads");
export const memoryChangingTools = ownNames(({ memory }) => memory === "writes" || memory === "changes");

function ownNames(isMeant: (tool: KnownTool) => boolean): readonly string[] {
  return knownTools.filter(isMeant).map(({ name }) => name);
}

function namesWhere(isMeant: (tool: KnownTool) => boolean): ReadonlySet<string> {
  return new Set(knownTools.filter(isMeant).flatMap(({ name, otherNames = [] }) => [name, ...otherNames]));
}

function valuesByTool<Value>(read: (tool: KnownTool) => Value | undefined): ReadonlyMap<string, Value> {
  return new Map(
    knownTools.flatMap((tool) => {
      const value = read(tool);
      const names = [tool.name, ...(tool.otherNames ?? [])];
      return value === undefined ? [] : names.map((name) => [name, value] as const);
    }),
  );
}
