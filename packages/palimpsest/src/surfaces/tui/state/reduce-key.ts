import { type Step, stepTo } from "./action.ts";
import type { ChatState } from "./chat-state.ts";
import type { Key } from "./key.ts";
import { reduceDialogKey } from "./reduce-dialog-key.ts";
import { reducePagerKey } from "./reduce-pager-key.ts";
import { reducePromptKey } from "./reduce-prompt-key.ts";

/** A key goes to what is in front: the transcript, a dialog, the prompt. Ctrl+C is heard everywhere. */
export function reduceKey(state: ChatState, key: Key, nowMs: number): Step {
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
