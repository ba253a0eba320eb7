import { isBlock, type SnipDecision, type View, type ViewItem } from "../../spec/index.ts";
import { compactionLayerId } from "./build-boundary.ts";
import { cleanCuts } from "./clean-cuts.ts";
import { type Measure, measureItems } from "./measure.ts";

/** The newest rounds are what the work stands on: they stay. */
const keptRounds = 3;
/** Shorter words of an input occur anywhere. */
const minNameChars = 4;

/** Words of an input that say what a call was about. */
const maxNameChars = 500;

/**
 * The rounds of tools that nothing later refers to, by their calls' ids or by anything their inputs name, as a decision
 * that leaves one line in their place; `null` where there are none. What the user said and unresolved failures stay.
 */
export function decideSnip(
  view: Pick<View, "items" | "head" | "ledgers">,
  measure: Measure,
): SnipDecision | null {
  const { items, head, ledgers } = view;
  const failures = new Set(ledgers.unresolvedErrors.map(({ toolUseId }) => toolUseId));
  const rounds = wholeRounds(items);
  const open = rounds.slice(0, Math.max(0, rounds.length - keptRounds));
  const gone = open.filter(({ from, to }) => {
    const round = items.slice(from, to);
    const names = namesOf(round);
    const later = items.slice(to);
    return (
      isToolRound(round) &&
      !names.some((name) => failures.has(name)) &&
      !later.some(({ json }) => names.some((name) => json.includes(JSON.stringify(name).slice(1, -1))))
    );
  });
  if (gone.length === 0) return null;
  const removed = gone.flatMap(({ from, to }) => items.slice(from, to));
  const entries = [...new Set(removed.map(({ entry }) => entry))];
  const marker = `[Removed here: ${counted(gone.length)} of tool calls. Recall gives them back: ${entries.join(", ")}.]`;
  const frees = measureItems(removed, measure) - measure(marker);
  if (frees <= 0) return null;
  const reason = `${counted(gone.length)} that nothing refers to`;
  return { type: "snip", layer: compactionLayerId, reason, frees, basis: head, entries, marker };
}

/** Rounds that can be taken out without cutting anything apart, oldest first. */
function wholeRounds(items: readonly ViewItem[]): readonly { readonly from: number; readonly to: number }[] {
  const cuts = [...cleanCuts(items), items.length];
  return cuts.flatMap((from, index) => {
    const to = cuts[index + 1];
    return to !== undefined && items[from]?.role === "assistant" ? { from, to } : [];
  });
}

/** Calls and their results, nothing that a decision put there, and not a word of the user's. */
function isToolRound(round: readonly ViewItem[]): boolean {
  const isOwn = round.every(({ entry, decision }) => entry !== decision);
  const isSaid = round.some(({ role, block }) => role === "user" && !isBlock(block, "tool_result"));
  return isOwn && !isSaid && round.some(({ block }) => isBlock(block, "tool_use"));
}

function namesOf(round: readonly ViewItem[]): readonly string[] {
  return round.flatMap(({ block }) => {
    if (!isBlock(block, "tool_use")) return [];
    const values = Object.values((block.input ?? {}) as Readonly<Record<string, unknown>>);
    const named = values.filter(
      (value): value is string =>
        typeof value === "string" && value.length >= minNameChars && value.length <= maxNameChars,
    );
    return [block.id, ...named];
  });
}

function counted(rounds: number): string {
  return rounds === 1 ? "1 finished round" : `${rounds} finished rounds`;
}
