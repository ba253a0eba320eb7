import { formatNumber } from "../../cli/format-amount.ts";
import type { InspectedSession } from "../inspected.ts";

export interface StackedColumns {
  /** Numbers of the categories that have tokens at all, from the bottom up. */
  readonly categories: readonly number[];
  /** For each of them the sum of itself and those below, a value a request. */
  readonly tops: readonly Float64Array[];
}

/** What an area chart takes: each category on top of those before it. */
export function stackColumns({ byCategory }: InspectedSession["requests"]): StackedColumns {
  const categories: number[] = [];
  const tops: Float64Array[] = [];
  const count = byCategory.reduce((most, each) => Math.max(most, each.length), 0);
  for (let category = 0; category < count; category += 1) {
    if (byCategory.every((tokens) => (tokens[category] ?? 0) === 0)) continue;
    const below = tops.at(-1);
    categories.push(category);
    tops.push(
      Float64Array.from(byCategory, (tokens, request) => (tokens[category] ?? 0) + (below?.[request] ?? 0)),
    );
  }
  return { categories, tops };
}

/** Lines further above the tokens than this are left out, since they would press the areas flat. */
const maxHeadroom = 2.5;

export function decideTop(
  largest: number,
  lines: readonly number[],
): { readonly top: number; readonly shown: number[] } {
  const shown = lines.filter((tokens) => tokens <= Math.max(1, largest) * maxHeadroom);
  return { top: Math.max(1, largest, ...shown) * 1.08, shown };
}

/** One sentence for those who do not see the chart. */
export function describeChart(session: InspectedSession, formatTokens: (tokens: number) => string): string {
  const { tokens, breaks } = session.requests;
  if (tokens.length === 0) return "No request yet.";
  const largest = tokens.reduce((most, each) => Math.max(most, each), 0);
  const window = session.window ? ` of a window of ${formatTokens(session.window.tokens)}` : "";
  const compactions = session.marks.filter(({ kind }) => kind === "compaction").length;
  const broken = breaks.filter((each) => each !== null).length;
  return (
    `Context over ${formatNumber(tokens.length, "request")}: ${formatTokens(tokens[0] ?? 0)} tokens at first, ` +
    `${formatTokens(tokens.at(-1) ?? 0)} at last, at most ${formatTokens(largest)}${window}; ` +
    `${formatNumber(compactions, "compaction")}, ${formatNumber(broken, "cache break")}.`
  );
}

/** Requests worth stopping at: what a decision changed and where the cache broke, in order. */
export function markedRequests(session: InspectedSession): readonly number[] {
  const broken = session.requests.breaks.flatMap((each, request) => (each === null ? [] : [request]));
  const marked = session.marks.map(({ request }) => request);
  return [...new Set([...broken, ...marked])].sort((a, b) => a - b);
}
