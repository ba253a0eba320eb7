import type { FileAction } from "../../spec/index.ts";

/**
 * The tools whose calls the ledgers understand, by name: those of this package and of Claude Code, then the variants
 * of other agents. Every other tool only has errors.
 */
export const fileTools: ReadonlyMap<string, FileAction> = new Map<string, FileAction>([
  ["Read", "read"],
  ["Write", "written"],
  ["Edit", "edited"],
  ["MultiEdit", "edited"],
  ["NotebookRead", "read"],
  ["NotebookEdit", "edited"],
  // pi, opencode
  ["read", "read"],
  ["write", "written"],
  ["edit", "edited"],
  ["multiedit", "edited"],
  // Gemini CLI, Qwen Code
  ["read_file", "read"],
  ["write_file", "written"],
  ["replace", "edited"],
]);

/** Where a file tool's input names the file; the first one that is there counts. */
export const pathFields = ["file_path", "notebook_path", "path", "filePath", "absolute_path"] as const;

/** `shell` and `exec_command`: Codex. `run_shell_command`: Gemini CLI, Qwen Code. */
export const commandTools: ReadonlySet<string> = new Set([
  "Bash",
  "bash",
  "shell",
  "exec_command",
  "run_shell_command",
]);

/** Where a command tool's input has the command: a text, or a list of arguments. */
export const commandFields = ["command", "cmd"] as const;

/** `replace`: the input is the whole list. `create` and `update`: one to-do at a time, by an id. */
export const todoTools: ReadonlyMap<string, "replace" | "create" | "update"> = new Map([
  ["TodoWrite", "replace"],
  ["todowrite", "replace"],
  ["todo_write", "replace"],
  ["TaskCreate", "create"],
  ["TaskUpdate", "update"],
]);

export const planTools: ReadonlySet<string> = new Set(["ExitPlanMode", "exit_plan_mode"]);

/** The subtypes of attachments that bring a plan. */
export const planAttachments: ReadonlySet<string> = new Set(["plan", "plan_file_reference"]);
