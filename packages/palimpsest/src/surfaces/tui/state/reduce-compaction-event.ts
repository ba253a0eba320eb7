import type { Event } from "@palimpsest/core/spec";
import { formatCount, formatNumber } from "../../cli/format-amount.ts";
import { addNote } from "./add-part.ts";
import type { ChatState } from "./chat-state.ts";

const written = /^writing the summary/;

/** A compaction, step by step; `null` for an event of something else. */
export function reduceCompactionEvent(state: ChatState, event: Event): ChatState | null {
  switch (event.type) {
    case "compaction-start": {
      const steps = [`${formatCount(event.tokens)} tokens are there (${event.trigger})`];
      return { ...state, compaction: { name: "Compacting", steps, canStop: true } };
    }
    case "hooks-start":
      return withStep(state, `hooks: ${event.hook}`);
    case "compaction-delta":
      return withStep(state, `writing the summary: ${formatNumber(event.chars, "character")}`);
    case "compaction-retry":
      return withStep(
        state,
        `too long: without the oldest ${formatNumber(event.droppedRounds, "round")}, once more`,
      );
    case "rung-skip":
      return withStep(state, `${event.rung}: ${event.message}`);
    case "file-restored":
      return withStep(state, `brought back ${event.path}`);
    case "compaction-end": {
      const sizes = sizesOf(event);
      const seconds = (event.durationMs / 1000).toFixed(1);
      const text = `Compacted: ${sizes}, by ${event.strategy}, in ${seconds} s. /undo takes it back; Ctrl+O has what was there.`;
      return addNote({ ...state, compaction: null }, "info", text);
    }
    case "compaction-failed": {
      const over = { ...state, compaction: null };
      if (event.reason === "aborted")
        return addNote(over, "info", "Compaction stopped: nothing has changed.");
      return addNote(over, "warning", `Nothing was compacted: ${event.message}`);
    }
    case "breaker-open":
      return addNote(
        state,
        "warning",
        `The model has failed to compact ${formatNumber(event.failures, "time")} and is not asked again, but by /compact.`,
      );
    default:
      return null;
  }
}

/** What is left is an estimate: where it is no smaller than what was counted before, it says nothing. */
function sizesOf({ tokensBefore, tokensAfter }: Extract<Event, { readonly type: "compaction-end" }>): string {
  return tokensAfter < tokensBefore
    ? `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`
    : `${formatCount(tokensBefore)} tokens before; the next answer tells how many are left`;
}

/** How far a summary has come takes the place of how far it had. */
function withStep(state: ChatState, step: string): ChatState {
  const { compaction } = state;
  if (!compaction) return state;
  const isFurther = written.test(step) && written.test(compaction.steps.at(-1) ?? "");
  const steps = [...(isFurther ? compaction.steps.slice(0, -1) : compaction.steps), step];
  return { ...state, compaction: { ...compaction, steps } };
}
