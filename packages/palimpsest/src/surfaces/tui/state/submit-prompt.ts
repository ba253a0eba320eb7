import { type Effect, type Step, stepTo } from "./action.ts";
import { addNote, addPart } from "./add-part.ts";
import type { ChatState } from "./chat-state.ts";
import { type ParsedCommand, parseCommand } from "./commands.ts";
import { emptyEditor } from "./editor.ts";
import { rememberPrompt } from "./history.ts";
import { expandPastes } from "./pastes.ts";

/** Longer prompts are not kept for later: they are files. */
const maxRememberedChars = 10_000;

/** Sends what was written on its way: to the session, to a command, or into the queue. */
export function submitPrompt(state: ChatState, nowMs: number): Step {
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
  const { state: cleared, effects } = written(state, prompt);
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
  const { state: cleared, effects } = written(state, typed);
  if (name === "quit") return stepTo({ ...cleared, isQuitting: true }, ...effects, { type: "quit" });
  return stepTo(addPart(cleared, { kind: "prompt", text: typed }), ...effects, {
    type: "command",
    name,
    rest,
  });
}

/** The prompt is empty again, and remembered. */
function written(state: ChatState, prompt: string): Step {
  const cleared = { ...state, editor: emptyEditor, pastes: [], completionAt: 0, isCompletionClosed: false };
  if (prompt.length > maxRememberedChars)
    return stepTo({ ...cleared, history: { ...state.history, at: null, draft: "" } });
  const effects: readonly Effect[] =
    state.history.prompts.at(-1) === prompt ? [] : [{ type: "remember", prompt }];
  return stepTo({ ...cleared, history: rememberPrompt(state.history, prompt) }, ...effects);
}
