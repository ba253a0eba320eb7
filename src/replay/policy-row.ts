import type { SessionRuns } from "./compare-policies.ts";
import type { AtomType } from "./grounding/extract-atoms.ts";
import { createSurvival, farDistance, survivalShares } from "./grounding/survival.ts";
import type { RunReport } from "./run-report.ts";

/** One policy over all sessions, compared with identity. */
export interface PolicyRow {
  readonly policy: string;
  /** By price row, identity = 1. */
  readonly cost: Readonly<Record<string, number>>;
  readonly fetchedCost: Readonly<Record<string, number>>;
  /** The mean over sessions of what each costs, in the first price row: long sessions weigh no more than short ones. */
  readonly meanOfSessions: number;
  readonly meanOfSessionsFetched: number;
  /** Bootstrap over sessions, 95 %, of `fetchedCost` in the first price row. */
  readonly interval: readonly [number, number];
  readonly breaksPerSession: number;
  readonly rewrittenPerSession: number;
  readonly meanContext: number;
  readonly peakContext: number;
  readonly overflows: number;
  readonly farEditOld: ReturnType<typeof survivalShares>;
  readonly farNumber: ReturnType<typeof survivalShares>;
  readonly all: ReturnType<typeof survivalShares>;
  readonly invalid: number;
  readonly fetchesPerSession: number;
  readonly fetchedTokensPerSession: number;
  readonly fetchedByTool: Readonly<Record<string, number>>;
}

const bootstrapRounds = 1_000;

/** `runs` of one policy and `base`, the runs of identity, session by session in the same order. */
export function policyRow(
  runs: readonly SessionRuns[],
  base: readonly SessionRuns[],
  priceRows: readonly string[],
): PolicyRow {
  const [row = ""] = priceRows;
  const plain = runs.map((run) => run.plain[row] as RunReport);
  const fetched = runs.map((run) => run.fetched[row] as RunReport);
  const sessions = Math.max(1, plain.filter(({ requests }) => requests > 0).length);
  const survival = createSurvival();
  for (const report of plain) survival.merge(report.survival);
  const far = (type: AtomType) => survivalShares(survival.counts(type, farDistance));
  const ratios = (kind: "plain" | "fetched") =>
    Object.fromEntries(priceRows.map((name) => [name, ratio(pairs(runs, base, kind, name))]));
  return {
    policy: runs[0]?.policy ?? "",
    cost: ratios("plain"),
    fetchedCost: ratios("fetched"),
    meanOfSessions: meanRatio(pairs(runs, base, "plain", row)),
    meanOfSessionsFetched: meanRatio(pairs(runs, base, "fetched", row)),
    interval: bootstrap(pairs(runs, base, "fetched", row)),
    breaksPerSession: sum(plain.map(({ breaks }) => breaks.policy)) / sessions,
    rewrittenPerSession: sum(plain.map(({ rewrittenTokens }) => rewrittenTokens)) / sessions,
    meanContext: sum(plain.map(({ contextTokens }) => contextTokens)) / sum(plain.map((one) => one.requests)),
    peakContext: Math.max(...plain.map(({ peakTokens }) => peakTokens)),
    overflows: sum(plain.map(({ overflows }) => overflows)),
    farEditOld: far("edit_old"),
    farNumber: far("num"),
    all: survivalShares(survival.counts()),
    invalid: sum([...plain, ...fetched].map(({ invalid }) => invalid)),
    fetchesPerSession: sum(fetched.map(({ fetches }) => fetches.blocks)) / sessions,
    fetchedTokensPerSession: sum(fetched.map(({ fetches }) => fetches.tokens)) / sessions,
    fetchedByTool: mergeCounts(fetched.map(({ fetches }) => fetches.byTool)),
  };
}

type Pair = readonly [number, number];

function pairs(
  runs: readonly SessionRuns[],
  base: readonly SessionRuns[],
  kind: "plain" | "fetched",
  row: string,
): readonly Pair[] {
  return runs.map((run, at) => [run[kind][row]?.cost[row] ?? 0, base[at]?.plain[row]?.cost[row] ?? 0]);
}

function ratio(list: readonly Pair[]): number {
  return sum(list.map(([cost]) => cost)) / sum(list.map(([, base]) => base));
}

function meanRatio(list: readonly Pair[]): number {
  const measured = list.filter(([, base]) => base > 0);
  return sum(measured.map(([cost, base]) => cost / base)) / measured.length;
}

/** Sessions drawn with replacement, always the same draws. */
function bootstrap(list: readonly Pair[]): readonly [number, number] {
  let state = 1;
  const draw = () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return (state >>> 0) / 2 ** 32;
  };
  const ratios = Array.from({ length: bootstrapRounds }, () =>
    ratio(list.map(() => list[Math.floor(draw() * list.length)] as Pair)),
  ).sort((one, other) => one - other);
  const at = (part: number) => ratios[Math.floor(part * (ratios.length - 1))] as number;
  return [at(0.025), at(0.975)];
}

function mergeCounts(list: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const merged: Record<string, number> = {};
  for (const counts of list)
    for (const [name, count] of Object.entries(counts)) merged[name] = (merged[name] ?? 0) + count;
  return Object.fromEntries(Object.entries(merged).sort(([, one], [, other]) => other - one));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
