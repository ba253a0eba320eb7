import type { LoopEvent, RunEnd } from "@palimpsest/core/spec";
import { formatSeconds } from "../../terminal/format-amount.ts";
import type { ChatState, LiveRun } from "./chat-state.ts";
import type { Dialog } from "./dialog.ts";
import { addNote, addPart } from "./part.ts";

/** Told at the beginning of every session: news to the model, not to the person. */
const unsaid: ReadonlySet<string> = new Set(["surroundings"]);

/** Shows a run's event. */
export function reduceLoopEvent(state: ChatState, event: LoopEvent): ChatState {
  const { run } = state;
  if (!run) return state;
  const doing = (words: string) => ({ ...state, run: { ...run, doing: words } });
  switch (event.type) {
    case "model-start":
      return modelStarts(state, run, event.model);
    case "block-start":
      if (event.block.type === "thinking") return doing("thinking");
      return event.block.type === "text" ? doing("answering") : state;
    case "block-delta":
      return event.delta.type === "text" ? answers(state, run, event.delta.text) : state;
    case "block-end":
    case "response-end":
      return finishAnswer(state);
    case "response-cut":
      return cut(state, event.code, event.message);
    case "retry-wait":
      return doing(`trying again in ${formatSeconds(event.delayMs)}: ${event.message}`);
    case "model-fallback":
      return addNote(state, "warning", `Going on with ${event.to}: ${event.message}`);
    case "notice-add":
      return unsaid.has(event.subtype) ? state : addNote(state, "info", `${event.subtype}: ${event.text}`);
    case "message-show":
      return addNote(state, event.level, event.text);
    case "run-end":
      return endRun(state, event);
    default:
      return reduceToolEvent(state, run, event);
  }
}

function reduceToolEvent(state: ChatState, run: LiveRun, event: LoopEvent): ChatState {
  switch (event.type) {
    case "tool-start": {
      const { toolUseId: id, tool, input } = event;
      const tools = [...run.tools, { id, tool, input, progress: "" }];
      return { ...state, run: { ...run, doing: "working", tools } };
    }
    case "tool-progress": {
      const { toolUseId, text } = event;
      const tools = run.tools.map((each) => (each.id === toolUseId ? { ...each, progress: text } : each));
      return { ...state, run: { ...run, tools } };
    }
    case "tool-end": {
      const { toolUseId, tool, content: output, isError, durationMs } = event;
      const input = run.tools.find(({ id }) => id === toolUseId)?.input;
      const tools = run.tools.filter(({ id }) => id !== toolUseId);
      const { isExpanded } = state;
      const ended = { ...state, run: { ...run, tools } };
      return addPart(ended, { kind: "tool", tool, input, output, isError, durationMs, isExpanded });
    }
    default:
      return state;
  }
}

/** Prompts queued meanwhile have been read by now. */
function modelStarts(state: ChatState, run: LiveRun, model: string): ChatState {
  const heard = state.queued.map((text) => ({ kind: "prompt", text }) as const);
  const next = { ...run, doing: `waiting for ${model}`, hasAnswered: false };
  return addPart({ ...state, queued: [], run: next }, ...heard);
}

function answers(state: ChatState, run: LiveRun, text: string): ChatState {
  const { finished, rest } = splitFinished(run.answer + text);
  const next = { ...state, run: { ...run, doing: "answering", answer: rest } };
  return finished === "" ? next : addAnswerText(next, finished);
}

function finishAnswer(state: ChatState): ChatState {
  const { run } = state;
  if (!run || run.answer.trim() === "") return state;
  return addAnswerText({ ...state, run: { ...run, answer: "" } }, run.answer);
}

function addAnswerText(state: ChatState, text: string): ChatState {
  const { run } = state;
  if (!run) return state;
  const isFirst = !run.hasAnswered;
  const said = { ...state, run: { ...run, hasAnswered: true } };
  return text.trim() === "" ? state : addPart(said, { kind: "answer", text, isFirst });
}

/** The text shown stays on the screen; the model will not see it. */
function cut(state: ChatState, code: string, message: string): ChatState {
  const settled = finishAnswer(state);
  if (code === "aborted") return settled;
  return addNote(settled, "warning", `This answer is void, and is asked for again: ${message}`);
}

/** Questions of the run are asked no more. */
function endRun(state: ChatState, end: RunEnd): ChatState {
  const settled = finishAnswer(state);
  const over = {
    ...settled,
    run: null,
    compaction: null,
    dialogs: settled.dialogs.filter(outlivesRun),
  };
  const { reason, message = reason, error } = end;
  if (reason === "done") return over;
  if (reason === "aborted") return addNote(over, "info", "Interrupted. Tell the agent how to continue.");
  return addNote(over, "error", error?.fix === undefined ? message : `${message}\nfix: ${error.fix}`);
}

/** Whether a question outlives the run: one of an agent in the background is still to be answered. */
function outlivesRun(dialog: Dialog): boolean {
  return dialog.kind === "choice" || (dialog.kind === "permission" && dialog.question.agent !== undefined);
}

/**
 * Markdown as far as its paragraphs are whole, and what is still being written. Code between fences is one paragraph,
 * however many empty lines are in it.
 */
export function splitFinished(text: string): { readonly finished: string; readonly rest: string } {
  let end = 0;
  let at = 0;
  let fence: string | null = null;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    if (next === -1) break;
    const line = text.slice(at, next);
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) fence = fenceBehind(fence, mark);
    at = next + 1;
    if (fence === null && line.trim() === "") end = at;
  }
  return { finished: text.slice(0, end), rest: text.slice(end) };
}

function fenceBehind(fence: string | null, mark: string): string | null {
  if (fence === null) return mark;
  return mark[0] === fence[0] && mark.length >= fence.length ? null : fence;
}
