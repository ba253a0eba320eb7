import { formatBytes, formatNumber } from "../../terminal/format-amount.ts";
import { type Effect, type Step, stepTo } from "./action.ts";
import type { ChatState } from "./chat-state.ts";
import {
  acceptCandidate,
  type Completion,
  completionOf,
  mentionAt,
  type ParsedCommand,
  parseCommand,
} from "./commands.ts";
import { editByKey } from "./edit-by-key.ts";
import {
  browseHistory,
  deleteTo,
  type Editor,
  emptyEditor,
  insertText,
  rememberPrompt,
  toLeft,
} from "./editor.ts";
import type { Key } from "./pager.ts";
import { addNote, addPart } from "./part.ts";

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
      return withEditor(state, editByKey(state.editor, { name: "delete" }) ?? state.editor);
    case "paste":
      return paste(state, key.text);
    default: {
      const editor = editByKey(state.editor, key);
      if (editor) return withEditor(state, editor);
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
  return withEditor(state, insertText(deleteTo(editor, toLeft(editor)), "\n"));
}

function paste(state: ChatState, text: string): Step {
  const { mark, pastes } = markPaste(state.pastes, text);
  return withEditor({ ...state, pastes }, insertText(state.editor, mark));
}

function withEditor(state: ChatState, editor: Editor): Step {
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

/** Longer prompts are not kept for later: they are files. */
const maxRememberedChars = 10_000;

/** Sends what was written on its way: to the session, to a command, or into the queue. */
function submitPrompt(state: ChatState, nowMs: number): Step {
  const typed = state.editor.text.trim();
  if (typed === "") return stepTo(state);
  const parsed = parseCommand(typed);
  if (parsed && "unknown" in parsed)
    return stepTo(addNote(state, "warning", `There is no /${parsed.unknown}. /help lists what there is.`));
  if (parsed) return submitCommand(state, parsed, typed);
  if (!state.session) return stepTo(state);
  if (state.work)
    return stepTo(addNote(state, "warning", "Wait until this has ended, or stop it with Ctrl+C."));
  const prompt = expandPastes(typed, state.pastes);
  const { state: cleared, effects } = clearPrompt(state, prompt);
  if (state.run)
    return stepTo({ ...cleared, queued: [...state.queued, prompt] }, ...effects, { type: "queue", prompt });
  const run = {
    startedMs: nowMs,
    nowMs,
    doing: "waiting",
    answer: "",
    hasAnswered: false,
    tools: [],
    isInterrupting: false,
  };
  const shown = addPart(cleared, { kind: "prompt", text: typed });
  return stepTo({ ...shown, run }, ...effects, { type: "run", prompt });
}

function submitCommand(state: ChatState, { command, rest }: ParsedCommand, typed: string): Step {
  const { name, onlyLooks = false } = command;
  if ((state.run || state.work) && !onlyLooks)
    return stepTo(addNote(state, "warning", `/${name} has to wait until this has ended; Ctrl+C ends it.`));
  const { state: cleared, effects } = clearPrompt(state, typed);
  if (name === "quit") return stepTo({ ...cleared, isQuitting: true }, ...effects, { type: "quit" });
  return stepTo(addPart(cleared, { kind: "prompt", text: typed }), ...effects, {
    type: "command",
    name,
    rest,
  });
}

/** The prompt is empty again, and remembered. */
function clearPrompt(state: ChatState, prompt: string): Step {
  const cleared = { ...state, editor: emptyEditor, pastes: [], completionAt: 0, isCompletionClosed: false };
  if (prompt.length > maxRememberedChars)
    return stepTo({ ...cleared, history: { ...state.history, at: null, draft: "" } });
  const effects: readonly Effect[] =
    state.history.prompts.at(-1) === prompt ? [] : [{ type: "remember", prompt }];
  return stepTo({ ...cleared, history: rememberPrompt(state.history, prompt) }, ...effects);
}

/** Longer texts are marked: the prompt stays readable, and a key costs the same whatever was pasted. */
const maxShownChars = 800;
const maxShownLines = 12;

/** The mark in the prompt for a text that was pasted, and the texts that marks stand for. */
function markPaste(
  pastes: readonly string[],
  text: string,
): { readonly mark: string; readonly pastes: readonly string[] } {
  const lines = text.split("\n").length;
  if (text.length <= maxShownChars && lines <= maxShownLines) return { mark: text, pastes };
  const size = formatBytes(Buffer.byteLength(text));
  const mark = `[pasted ${pastes.length + 1}: ${formatNumber(lines, "line")}, ${size}]`;
  return { mark, pastes: [...pastes, text] };
}

/** The prompt with every text in the place of its mark. */
function expandPastes(prompt: string, pastes: readonly string[]): string {
  return prompt.replace(
    /\[pasted (\d+): [\d,]+ lines?, [\d.]+ [kMGTP]?B\]/g,
    (mark, number: string) => pastes[Number(number) - 1] ?? mark,
  );
}
