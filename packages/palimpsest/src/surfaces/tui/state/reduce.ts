import type { AgentStatus } from "@palimpsest/core/spec";
import { pagerMaxScroll, pagerPage } from "../lines/editor-lines.ts";
import { type Action, type Step, stepTo } from "./action.ts";
import { type Background, type BackgroundCommand, type ChatState, noBackground } from "./chat-state.ts";
import type { Dialog } from "./dialog.ts";
import { editorOf } from "./editor.ts";
import type { Key, Pager } from "./pager.ts";
import { addNote, addPart } from "./part.ts";
import { reduceDialogKey } from "./reduce-dialog-key.ts";
import { reduceLoopEvent } from "./reduce-loop-event.ts";
import { reducePromptKey } from "./reduce-prompt-key.ts";
import { reduceSessionEvent } from "./reduce-session-event.ts";

/** The next state, and the effects to perform. Pure. */
export function reduce(state: ChatState, action: Action): Step {
  switch (action.type) {
    case "key":
      return reduceKey(state, action.key, action.nowMs);
    case "loop":
      return stepTo(reduceLoopEvent(state, action.event));
    case "session":
      return stepTo(reduceSessionEvent(state, action.event));
    case "resize":
      return stepTo({ ...state, size: action.size });
    case "tick":
      return stepTo(state.run ? { ...state, run: { ...state.run, nowMs: action.nowMs } } : state);
    case "open":
      return stepTo(openState(state, action));
    case "measure":
      return stepTo({ ...state, fullness: action.fullness });
    case "background":
      return stepTo(reduceBackground(state, action.background));
    case "mail":
      return stepTo(reduceMail(state, action));
    case "show":
      return stepTo(addPart(state, action.part));
    case "work":
      return stepTo({ ...state, work: action.work });
    case "work-step":
      return stepTo(
        state.work ? { ...state, work: { ...state.work, steps: [...state.work.steps, action.step] } } : state,
      );
    case "run-crash":
      return stepTo({ ...addNote(state, "error", action.message), run: null, compaction: null });
    default:
      return reduceAsked(state, action);
  }
}

type AskedAction = Extract<
  Action,
  {
    readonly type:
      | "ask-permission"
      | "withdraw-permission"
      | "ask-questions"
      | "offer"
      | "files"
      | "transcript"
      | "original"
      | "write";
  }
>;

function reduceAsked(state: ChatState, action: AskedAction): Step {
  switch (action.type) {
    case "withdraw-permission":
      return stepTo({
        ...state,
        dialogs: state.dialogs.filter(
          (one) => one.kind !== "permission" || one.question.toolUseId !== action.toolUseId,
        ),
      });
    case "ask-permission": {
      const { question, always } = action;
      return ask(state, {
        kind: "permission",
        question,
        ...(always && { always }),
        chosen: 0,
        scroll: 0,
        reason: null,
      });
    }
    case "ask-questions": {
      const { id, questions } = action;
      return ask(state, { kind: "question", id, questions, answers: [], chosen: 0, marked: [], words: null });
    }
    case "offer": {
      const { purpose, title, items } = action;
      return ask(state, { kind: "choice", purpose, title, items, chosen: 0 });
    }
    case "files":
      return stepTo({ ...state, files: action.paths });
    case "transcript": {
      const { items } = action;
      return stepTo({ ...state, pager: { items, chosen: Math.max(0, items.length - 1), opened: null } });
    }
    case "original": {
      const { pager } = state;
      if (pager?.opened?.id !== action.id) return stepTo(state);
      return stepTo({ ...state, pager: { ...pager, opened: { ...pager.opened, text: action.text } } });
    }
    case "write":
      return stepTo({ ...state, editor: editorOf(action.text) });
  }
}

function ask(state: ChatState, dialog: Dialog): Step {
  return stepTo({ ...state, dialogs: [...state.dialogs, dialog] });
}

function openState(
  state: ChatState,
  { session, cost, parts }: Extract<Action, { readonly type: "open" }>,
): ChatState {
  const fresh = { run: null, compaction: null, queued: [], dialogs: [], tasks: [], pager: null };
  return addPart({ ...state, ...fresh, background: noBackground, session, cost }, ...parts);
}

/** A key goes to what is in front: the transcript, a dialog, the prompt. Ctrl+C is heard everywhere. */
function reduceKey(state: ChatState, key: Key, nowMs: number): Step {
  if (key.name === "ctrl-c") return interrupt(state);
  const calm = state.isQuitArmed ? { ...state, isQuitArmed: false } : state;
  if (key.name === "ctrl-l") return stepTo(calm, { type: "redraw" });
  if (calm.pager) return reducePagerKey(calm, calm.pager, key);
  if (key.name === "ctrl-o") return stepTo(calm, { type: "read-transcript" });
  if (key.name === "ctrl-t") return stepTo({ ...calm, isExpanded: !calm.isExpanded });
  const [dialog] = calm.dialogs;
  if (dialog) return reduceDialogKey(calm, dialog, key);
  return reducePromptKey(calm, key, nowMs);
}

/** Once interrupts what goes on, or empties the prompt; twice in a row quits. */
function interrupt(state: ChatState): Step {
  if (state.isQuitArmed) return stepTo({ ...state, isQuitting: true }, { type: "quit" });
  const armed = { ...state, isQuitArmed: true, pager: null };
  if (state.run)
    return stepTo({ ...armed, run: { ...state.run, isInterrupting: true } }, { type: "interrupt" });
  if (state.work?.canStop) return stepTo(armed, { type: "interrupt" });
  const [dialog, ...others] = state.dialogs;
  if (dialog?.kind === "choice") return stepTo({ ...armed, dialogs: others });
  return stepTo({ ...armed, editor: { text: "", cursor: 0 }, history: { ...state.history, at: null } });
}

/** A key while the transcript is open. */
function reducePagerKey(state: ChatState, pager: Pager, key: Key): Step {
  const turn = (next: Pager | null) => stepTo({ ...state, pager: next });
  const isLeaving = key.name === "text" && /^q$/i.test(key.text);
  if (pager.opened) {
    if (key.name === "escape" || key.name === "enter" || key.name === "left" || isLeaving)
      return turn({ ...pager, opened: null });
    if (key.name === "ctrl-o") return turn(null);
    const scroll = moved(pager.opened.scroll, key, pagerPage(state.size), pagerMaxScroll(pager, state.size));
    return turn({ ...pager, opened: { ...pager.opened, scroll } });
  }
  if (key.name === "escape" || key.name === "ctrl-o" || isLeaving) return turn(null);
  const item = pager.items[pager.chosen];
  if ((key.name === "enter" || key.name === "right") && item)
    return stepTo(
      { ...state, pager: { ...pager, opened: { id: item.id, text: null, scroll: 0 } } },
      { type: "read-original", id: item.id },
    );
  const last = Math.max(0, pager.items.length - 1);
  return turn({ ...pager, chosen: moved(pager.chosen, key, pagerPage(state.size), last) });
}

function moved(at: number, key: Key, page: number, last: number): number {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    "page-up": -page,
    "page-down": page,
    home: -at,
    end: last - at,
  };
  return Math.max(0, Math.min(at + (steps[key.name] ?? 0), last));
}

/** Takes in how agents and commands are now. Of what has ended meanwhile the person is told. */
function reduceBackground(state: ChatState, background: Background): ChatState {
  const { agents, commands } = state.background;
  const endedAgents = background.agents
    .filter((agent) => isTheSessions(state, agent) && agent.state !== "running")
    .filter(({ id }) => !agents.some((known) => known.id === id && known.state !== "running"));
  const endedCommands = background.commands
    .filter(({ isRunning }) => !isRunning)
    .filter(({ id }) => !commands.some((known) => known.id === id && !known.isRunning));
  const texts = [...endedAgents.map(agentText), ...endedCommands.map(commandText)];
  return texts.reduce((told: ChatState, text) => addNote(told, "info", `${text} ${deliveryTime(state)}`), {
    ...state,
    background,
  });
}

function reduceMail(
  state: ChatState,
  { from, summary }: { readonly from: string; readonly summary?: string },
): ChatState {
  const name = state.background.agents.find(({ session }) => session === from)?.name ?? from;
  const about = summary === undefined ? "" : ` (“${summary}”)`;
  return addNote(state, "info", `Mail from ${name}${about}. ${deliveryTime(state)}`);
}

/** Whether an agent is the session's: what others have begun, or wait for, is told to them. */
function isTheSessions({ session }: ChatState, { isBackground, parent }: AgentStatus): boolean {
  return isBackground && parent === session?.id;
}

function agentText({ name, description, state, reason }: AgentStatus): string {
  const how = { done: "is done", failed: "has failed", stopped: "was stopped", running: "" }[state];
  return `Agent ${name} (${description}) ${how}${reason === undefined ? "." : `: ${reason}`}`;
}

function commandText({ title, outcome = "" }: BackgroundCommand): string {
  return `The command ${title} has ended: ${outcome}.`;
}

function deliveryTime({ run }: ChatState): string {
  return run
    ? "The model is told after this round, or with your next prompt."
    : "The model is told with your next prompt.";
}
