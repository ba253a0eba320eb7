import { apportion } from "../tokens/index.ts";
import { type Category, categories } from "./accounting.ts";
import type { CountedContext } from "./accounting-question.ts";
import type { AccountingSums, Amount } from "./accounting-sums.ts";
import type { FixedParts } from "./fixed-parts.ts";

/**
 * What is sent before the messages, in proportion to its estimates, so that together it is what the session counts. A
 * transcript has none of it: then all of it is the system prompt's.
 */
export function fitFixedParts(fixed: FixedParts, counted: CountedContext): FixedParts {
  const fitted = fitCategories(fixed.categories, headIn(counted), "systemPrompt");
  const memoryFiles = fitAmounts(fixed.memoryFiles, fitted.get("memoryFiles"));
  return { ...fixed, categories: fitted, memoryFiles };
}

/** Messages, in proportion to their estimates, so that together they are what the session counts besides. */
export function fitSums(sums: AccountingSums, counted: CountedContext): AccountingSums {
  const messageTokens = counted.totalTokens - headIn(counted);
  const fitted = fitCategories(sums.categories, messageTokens, "other");
  const factor = messageTokens / Math.max(1, sumOf(sums.categories));
  return {
    ...sums,
    categories: fitted,
    requests: fitAmounts(sums.requests, fitted.get("toolRequests")),
    results: fitAmounts(sums.results, fitted.get("toolResults")),
    attachments: fitAmounts(sums.attachments, fitted.get("attachments")),
    reads: scaleAmounts(sums.reads, factor),
  };
}

/** Of a context from which much was freed, a head that was counted before may be more than is left. */
function headIn({ totalTokens, headTokens }: CountedContext): number {
  return Math.min(totalTokens, headTokens);
}

/** In the order of `categories`, so that roundings do not depend on what came first. */
function fitCategories(
  estimated: ReadonlyMap<Category, number>,
  total: number,
  rest: Category,
): ReadonlyMap<Category, number> {
  if (sumOf(estimated) === 0) return new Map([[rest, total]]);
  const tokens = apportion(
    categories.map((category) => estimated.get(category) ?? 0),
    total,
  );
  return new Map(categories.map((category, at) => [category, tokens[at] ?? 0]));
}

/** In the order of names, for the same reason. */
function fitAmounts(amounts: ReadonlyMap<string, Amount>, total = 0): ReadonlyMap<string, Amount> {
  const sorted = [...amounts].sort(([one], [other]) => (one < other ? -1 : 1));
  const tokens = apportion(
    sorted.map(([, amount]) => amount.tokens),
    total,
  );
  return new Map(sorted.map(([name, { count }], at) => [name, { count, tokens: tokens[at] ?? 0 }]));
}

function scaleAmounts(amounts: ReadonlyMap<string, Amount>, factor: number): ReadonlyMap<string, Amount> {
  const scaled = [...amounts].map(
    ([name, { count, tokens }]) => [name, { count, tokens: Math.round(tokens * factor) }] as const,
  );
  return new Map(scaled);
}

function sumOf(amounts: ReadonlyMap<Category, number>): number {
  return [...amounts.values()].reduce((sum, tokens) => sum + tokens, 0);
}
