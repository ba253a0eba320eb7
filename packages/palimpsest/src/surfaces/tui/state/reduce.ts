import { type Action, type Step, stepTo } from "./action.ts";
import { addNote, addPart } from "./add-part.ts";
import { type ChatState, noBackground } from "./chat-state.ts";
import type { Dialog } from "./dialog.ts";
import { editorOf } from "./editor.ts";
import { reduceBackground, reduceMail } from "./reduce-background.ts";
import { reduceKey } from "./reduce-key.ts";
import { reduceLoopEvent } from "./reduce-loop-event.ts";
import { reduceSessionEvent } from "./reduce-session-event.ts";

/** What becomes of the state, and what is to be done. Pure. */
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
      return stepTo(opened(state, action));
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

function opened(
  state: ChatState,
  { session, cost, parts }: Extract<Action, { readonly type: "open" }>,
): ChatState {
  const fresh = { run: null, compaction: null, queued: [], dialogs: [], tasks: [], pager: null };
  return addPart({ ...state, ...fresh, background: noBackground, session, cost }, ...parts);
}
