import {
  type Accounting,
  type Category,
  categories,
  type DuplicateReads,
  type MetricFailure,
  type NamedShare,
  type Share,
} from "./accounting.ts";
import type { AccountingQuestion } from "./accounting-question.ts";
import type { AccountingSums, Amount } from "./accounting-sums.ts";
import { fitFixedParts, fitSums } from "./fit-to-count.ts";
import type { FixedParts } from "./fixed-parts.ts";
import type { MetricProblem } from "./measure-block.ts";

/** Puts sums into the form that is shown. The order of what was summed makes no difference. */
export function toAccounting(
  estimated: AccountingSums,
  estimatedFixed: FixedParts,
  { thresholds: { window, base }, counted }: Pick<AccountingQuestion, "thresholds" | "counted">,
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
