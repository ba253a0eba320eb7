import { apportion } from "../tokens/index.ts";
import {
  type Accounting,
  type AccountingInput,
  type Category,
  type CountedContext,
  categories,
  type DuplicateReads,
  type MetricFailure,
  type NamedShare,
  type Share,
} from "./accounting.ts";
import type { AccountingSums, Amount } from "./accounting-sums.ts";
import type { FixedParts, MetricProblem } from "./measure-block.ts";

/** Puts sums into the form that is shown. The order of what was summed makes no difference. */
export function toAccounting(
  estimated: AccountingSums,
  estimatedFixed: FixedParts,
  { thresholds: { window, base }, counted }: Pick<AccountingInput, "thresholds" | "counted">,
): Accounting {
  const sums = counted ? fitSums(estimated, counted) : estimated;
  const fixed = counted ? fitFixedParts(estimatedFixed, counted) : estimatedFixed;
  const tokensOf = (category: Category) =>
    (sums.categories.get(category) ?? 0) + (fixed.categories.get(category) ?? 0);
  const total = categories.reduce((sum, category) => sum + tokensOf(category), 0);
  const shares = categories.map((category) => [category, share(tokensOf(category), total)] as const);
  const named = (amounts: ReadonlyMap<string, Amount>) => namedShares(amounts, total);
  return {
    total,
    window,
    categories: Object.fromEntries(shares) as Record<Category, Share>,
    requestsByTool: named(sums.requests),
    resultsByTool: named(sums.results),
    attachmentsByType: named(sums.attachments),
    memoryFilesByPath: named(fixed.memoryFiles),
    deferredTools: fixed.deferredTools,
    freeSpace: share(Math.max(0, base - total), window),
    reservedBuffer: share(Math.max(0, window - Math.max(base, total)), window),
    duplicateReads: duplicateReads(sums.reads),
    failures: failuresOf([...fixed.problems, ...sums.problems]),
  };
}

function share(tokens: number, whole: number): Share {
  return whole === 0 ? { tokens } : { tokens, percent: Math.round((tokens / whole) * 100) };
}

function namedShares(amounts: ReadonlyMap<string, Amount>, total: number): readonly NamedShare[] {
  return [...amounts]
    .map(([name, { count, tokens }]) => ({ name, count, ...share(tokens, total) }))
    .sort((a, b) => b.tokens - a.tokens || compare(a.name, b.name));
}

function duplicateReads(reads: ReadonlyMap<string, Amount>): readonly DuplicateReads[] {
  return [...reads]
    .flatMap(([path, { count, tokens }]) =>
      count > 1 ? [{ path, count, tokens: Math.floor(tokens / count) * (count - 1) }] : [],
    )
    .sort((a, b) => b.tokens - a.tokens || compare(a.path, b.path));
}

function failuresOf(problems: readonly MetricProblem[]): readonly MetricFailure[] {
  const counts = new Map<string, MetricFailure>();
  for (const problem of problems) {
    const key = `${problem.metric} ${problem.message}`;
    counts.set(key, { ...problem, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts].sort(([a], [b]) => compare(a, b)).map(([, failure]) => failure);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Scales the parts before the messages, in proportion to their estimates, so that together they are what the session
 * counts. A transcript has none of it: then all of it is the system prompt's.
 */
function fitFixedParts(fixed: FixedParts, counted: CountedContext): FixedParts {
  const fitted = fitCategories(fixed.categories, headIn(counted), "systemPrompt");
  const memoryFiles = fitAmounts(fixed.memoryFiles, fitted.get("memoryFiles"));
  return { ...fixed, categories: fitted, memoryFiles };
}

/** Messages, in proportion to their estimates, so that together they are what the session counts besides. */
function fitSums(sums: AccountingSums, counted: CountedContext): AccountingSums {
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
