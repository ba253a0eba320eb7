import type { ToolSubject } from "../spec/index.ts";

/** Tools that one rule stands for, and what they touch. */
export interface ToolFamily {
  /** The first one's name stands for all of them in a rule. */
  readonly tools: readonly string[];
  readonly kind: ToolSubject["kind"];
  readonly access: ToolSubject["access"];
}

export const toolFamilies: readonly ToolFamily[] = [
  { tools: ["Read", "Grep", "Glob"], kind: "path", access: "read" },
  { tools: ["Edit", "Write", "MultiEdit", "NotebookEdit"], kind: "path", access: "write" },
  { tools: ["Bash"], kind: "command", access: "execute" },
  { tools: ["WebFetch"], kind: "url", access: "read" },
];

/** The family, in small letters, that a command belongs to too: by what it reads. */
export const readFamily = "read";

/**
 * They touch nothing but conversations: what an agent does is judged call by call, and what another conversation gets to
 * read is data there.
 */
export const quietTools: readonly string[] = [
  "AskUserQuestion",
  "TodoWrite",
  "Recall",
  "ToolSearch",
  "Skill",
  "Agent",
  "SendMessage",
];

/** Leaving plan mode is the person's choice. */
export const exitPlanTool = "ExitPlanMode";
