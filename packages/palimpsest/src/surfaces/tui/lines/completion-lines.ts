import { cutText, padText } from "../../cli/fit-text.ts";
import { toHarmless } from "../../cli/harmless.ts";
import type { ChatState } from "../state/chat-state.ts";
import { completionOf, maxCandidates } from "../state/completion.ts";
import type { Look } from "./look.ts";

/** How the word at the cursor may go on, one way a line. */
export function completionLines(state: ChatState, { columns, style }: Look): readonly string[] {
  const completion = completionOf(state);
  if (!completion) return [];
  const { candidates } = completion;
  const at = Math.min(state.completionAt, candidates.length - 1);
  const from = Math.max(0, Math.min(at - maxCandidates + 1, candidates.length - maxCandidates));
  const shown = candidates.slice(from, from + maxCandidates);
  const width = Math.max(...shown.map(({ text }) => text.length)) + 2;
  return shown.map(({ text, detail }, index) => {
    const isChosen = from + index === at;
    const line = `${isChosen ? "❯" : " "} ${padText(toHarmless(text), width)}${detail}`;
    return isChosen ? style.cyan(cutText(line, columns)) : style.dim(cutText(line, columns));
  });
}
