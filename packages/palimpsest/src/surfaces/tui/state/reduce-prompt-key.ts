import { type Step, stepTo } from "./action.ts";
import type { ChatState } from "./chat-state.ts";
import { acceptCandidate, type Completion, completionOf, mentionAt } from "./completion.ts";
import { editByKey } from "./edit-by-key.ts";
import { deleteTo, type Editor, insertText, toLeft } from "./editor.ts";
import { browseHistory } from "./history.ts";
import type { Key } from "./key.ts";
import { markPaste } from "./pastes.ts";
import { submitPrompt } from "./submit-prompt.ts";

/** A key at the prompt. */
export function reducePromptKey(state: ChatState, key: Key, nowMs: number): Step {
  const completion = completionOf(state);
  if (completion) {
    const completed = reduceCompletionKey(state, completion, key, nowMs);
    if (completed) return completed;
  }
  switch (key.name) {
    case "enter":
      return enter(state, nowMs);
    case "escape":
      if (!state.run) return stepTo(state);
      return stepTo({ ...state, run: { ...state.run, isInterrupting: true } }, { type: "interrupt" });
    case "ctrl-d":
      if (state.editor.text === "") return stepTo({ ...state, isQuitting: true }, { type: "quit" });
      return edited(state, editByKey(state.editor, { name: "delete" }) ?? state.editor);
    case "paste":
      return paste(state, key.text);
    default: {
      const editor = editByKey(state.editor, key);
      if (editor) return edited(state, editor);
      return key.name === "up" || key.name === "down" ? browse(state, key.name) : stepTo(state);
    }
  }
}

function browse(state: ChatState, direction: "up" | "down"): Step {
  const step = browseHistory(state.history, state.editor, direction);
  return stepTo(step ? { ...state, ...step, isCompletionClosed: true } : state);
}

/** A backslash at the end of the line makes Enter a line break. */
function enter(state: ChatState, nowMs: number): Step {
  const { editor } = state;
  if (editor.text[editor.cursor - 1] !== "\\") return submitPrompt(state, nowMs);
  return edited(state, insertText(deleteTo(editor, toLeft(editor)), "\n"));
}

function paste(state: ChatState, text: string): Step {
  const { mark, pastes } = markPaste(state.pastes, text);
  return edited({ ...state, pastes }, insertText(state.editor, mark));
}

function edited(state: ChatState, editor: Editor): Step {
  const next = { ...state, editor, completionAt: 0, isCompletionClosed: false };
  const needsFiles = state.files === null && mentionAt(editor) !== null;
  return needsFiles ? stepTo({ ...next, files: [] }, { type: "list-files" }) : stepTo(next);
}

/** `null` where the key means what it means without a list. */
function reduceCompletionKey(state: ChatState, completion: Completion, key: Key, nowMs: number): Step | null {
  const { candidates, kind } = completion;
  const at = Math.min(state.completionAt, candidates.length - 1);
  const candidate = candidates[at];
  if (!candidate) return null;
  switch (key.name) {
    case "up":
    case "down": {
      const next = (at + (key.name === "up" ? -1 : 1) + candidates.length) % candidates.length;
      return stepTo({ ...state, completionAt: next });
    }
    case "escape":
      return stepTo({ ...state, isCompletionClosed: true });
    case "tab":
    case "enter": {
      const editor = acceptCandidate(state.editor, completion, candidate);
      const accepted = { ...state, editor, completionAt: 0, isCompletionClosed: true };
      return kind === "command" && key.name === "enter" ? submitPrompt(accepted, nowMs) : stepTo(accepted);
    }
    default:
      return null;
  }
}
