import type { Event } from "@palimpsest/core/spec";
import { formatCount, formatNumber } from "../../cli/format-amount.ts";
import { addNote } from "./add-part.ts";
import { addedUsage } from "./added-usage.ts";
import type { ChatState } from "./chat-state.ts";
import { reduceCompactionEvent } from "./reduce-compaction-event.ts";
import { reduceTaskEvent } from "./reduce-task-event.ts";

/** What a session's event shows. Those of its forks are told by what they are for. */
export function reduceSessionEvent(state: ChatState, event: Event): ChatState {
  if (state.session && event.session !== state.session.id) return state;
  const compacted = reduceCompactionEvent(state, event);
  if (compacted) return compacted;
  const tasks = reduceTaskEvent(state.tasks, event);
  const known = tasks === state.tasks ? state : { ...state, tasks };
  switch (event.type) {
    case "request-end":
      return spent(known, event);
    case "agent-end":
      return { ...known, cost: { ...known.cost, dollars: known.cost.dollars + event.dollars } };
    case "cache-break":
      if (event.expected) return known;
      return addNote(known, "warning", `The cache was missed: ${event.why} ($${event.dollars.toFixed(4)})`);
    case "setting-ignored":
    case "value-lost":
      return addNote(known, "warning", event.message);
    case "layer-failed":
    case "memory-failed":
      return isTold(known, event.message) ? known : addNote(known, "warning", event.message);
    default: {
      const line = quietLine(event);
      return line === null ? known : addNote(known, "info", line);
    }
  }
}

/** A compaction that failed has said so itself. */
function isTold({ parts }: ChatState, message: string): boolean {
  const last = parts.at(-1);
  return last?.kind === "note" && last.text.endsWith(message);
}

/** What was done to the context: openable in the transcript. */
function quietLine(event: Event): string | null {
  switch (event.type) {
    case "results-clear":
      return `Cleared ${formatNumber(event.results, "old result")}, ${formatCount(event.tokensSaved)} tokens; Ctrl+O has them.`;
    case "fold-commit":
      return `Folded ${formatNumber(event.folds, "span")} of finished work, ${formatCount(event.tokensSaved)} tokens; Ctrl+O has them.`;
    case "memory-extracted":
      return event.written.length === 0 ? null : `Remembered: ${event.written.join(", ")}`;
    default:
      return null;
  }
}

function spent(
  state: ChatState,
  { usage, dollars }: Extract<Event, { readonly type: "request-end" }>,
): ChatState {
  const { cost } = state;
  const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
  return {
    ...state,
    cost: {
      dollars: cost.dollars + dollars,
      requests: cost.requests + (prompt > 0 ? 1 : 0),
      usage: addedUsage(cost.usage, usage),
      ...(prompt > 0
        ? { cacheShare: usage.cacheRead / prompt }
        : cost.cacheShare !== undefined && { cacheShare: cost.cacheShare }),
    },
  };
}
