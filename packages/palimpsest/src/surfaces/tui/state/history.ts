import { type Editor, editorOf } from "./editor.ts";

/** What was asked before, oldest first, and where in it the person is. */
export interface PromptHistory {
  readonly prompts: readonly string[];
  /** `null`: at what is being written. */
  readonly at: number | null;
  /** What was being written when the person went back. */
  readonly draft: string;
}

export const emptyHistory: PromptHistory = { prompts: [], at: null, draft: "" };

export interface HistoryStep {
  readonly history: PromptHistory;
  readonly editor: Editor;
}

/** One prompt further back or forth; `null` where there is none. */
export function browseHistory(
  history: PromptHistory,
  editor: Editor,
  direction: "up" | "down",
): HistoryStep | null {
  const { prompts, at, draft } = history;
  if (direction === "up") {
    const next = (at ?? prompts.length) - 1;
    const prompt = prompts[next];
    if (prompt === undefined) return null;
    const kept = at === null ? editor.text : draft;
    return { history: { prompts, at: next, draft: kept }, editor: editorOf(prompt) };
  }
  if (at === null) return null;
  const prompt = prompts[at + 1];
  if (prompt === undefined) return { history: { prompts, at: null, draft: "" }, editor: editorOf(draft) };
  return { history: { ...history, at: at + 1 }, editor: editorOf(prompt) };
}

/** With one more prompt; the same one twice in a row is one. */
export function rememberPrompt({ prompts }: PromptHistory, prompt: string): PromptHistory {
  return { prompts: prompts.at(-1) === prompt ? prompts : [...prompts, prompt], at: null, draft: "" };
}
