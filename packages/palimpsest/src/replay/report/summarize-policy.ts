import { type AtomType, atomTypes } from "../grounding/extract-atoms.ts";
import {
  distanceLimits,
  farDistance,
  type SurvivalCounts,
  type SurvivalRow,
  sumSurvival,
  survivalShares,
} from "../grounding/survival.ts";
import type { PolicyRuns, SessionOutcome } from "../replay-recording.ts";
import { addRetention, noRetention } from "../retention/retention-tally.ts";
import type { RunRecord } from "../run-report.ts";
import { bootstrap } from "./bootstrap.ts";
import type { CostSummary, Estimate, PolicySummary, SurvivalShare } from "./replay-report.ts";

/** One session under one policy beside the same session under identity. */
interface Pair {
  readonly outcome: SessionOutcome;
  readonly runs: PolicyRuns;
  readonly base: PolicyRuns;
  /** The same session as it was recorded, through the simulated cache and by its usage, where that was run. */
  readonly simulated?: PolicyRuns;
  readonly recorded?: PolicyRuns;
}

/** All sessions under one policy, compared with identity, session by session. */
export function summarizePolicy(
  policy: string,
  outcomes: readonly SessionOutcome[],
  priceRows: readonly string[],
): PolicySummary {
  const pairs = outcomes.map((outcome) => toPair(outcome, policy));
  const [row = ""] = priceRows;
  const plain = pairs.map(({ runs }) => runs.plain[row] as RunRecord);
  const fetched = pairs.map(({ runs }) => runs.fetched[row] as RunRecord);
  const total = (pick: (record: RunRecord) => number) => sum(plain.map(pick));
  const sizes = plain.flatMap((record) => record.sizes).sort((one, other) => one - other);
  const share = (type?: AtomType, from?: number) => survivalShare(plain, type, from);
  return {
    policy,
    cost: Object.fromEntries(priceRows.map((name) => [name, summarizeCost(pairs, name)])),
    requests: total(({ requests }) => requests),
    breaks: {
      policy: total(({ breaks }) => breaks.policy),
      idle: total(({ breaks }) => breaks.idle),
      recorded: total(({ breaks }) => breaks.recorded),
    },
    rewrittenTokens: Math.round(total(({ rewrittenTokens }) => rewrittenTokens)),
    context: {
      mean: Math.round(total(({ contextTokens }) => contextTokens) / Math.max(1, sizes.length)),
      p95: sizes[Math.floor(0.95 * (sizes.length - 1))] ?? 0,
      peak: sizes.at(-1) ?? 0,
    },
    overflows: total(({ overflows }) => overflows),
    invalid: sum([...plain, ...fetched].map(({ invalid }) => invalid)),
    invalidatedThinking: total(({ invalidatedThinking }) => invalidatedThinking),
    headline: { edit_old: share("edit_old", farDistance), num: share("num", farDistance) },
    all: share(),
    survival: survivalTable(plain.flatMap(({ survival }) => survival)),
    retention: plain.map(({ retention }) => retention).reduce(addRetention, noRetention),
    keepWarmReads: total(({ keepWarm }) => keepWarm.reads),
    fetches: {
      blocks: sum(fetched.map(({ fetches }) => fetches.blocks)),
      tokens: Math.round(sum(fetched.map(({ fetches }) => fetches.tokens))),
      byTool: mergeCounts(fetched.map(({ fetches }) => fetches.byTool)),
    },
    isPareto: false,
  };
}

function toPair(outcome: SessionOutcome, policy: string): Pair {
  const find = (name: string) => outcome.runs.find((runs) => runs.policy === name);
  const [simulated, recorded] = [find("recorded-simulated"), find("recorded")];
  return {
    outcome,
    runs: find(policy) as PolicyRuns,
    base: find("identity") as PolicyRuns,
    ...(simulated && { simulated }),
    ...(recorded && { recorded }),
  };
}

function summarizeCost(pairs: readonly Pair[], row: string): CostSummary {
  const cost = (runs: PolicyRuns, kind: "plain" | "fetched") => runs[kind][row]?.cost[row] ?? 0;
  const floor = ({ outcome }: Pair) => outcome.floor[row] ?? 0;
  const ratio = (above: (pair: Pair) => number, below: (pair: Pair) => number) =>
    estimate(pairs, (drawn) => sum(drawn.map(above)) / sum(drawn.map(below)));
  const excessOf = (other: (pair: Pair) => PolicyRuns | undefined) =>
    ratio(
      (pair) => cost(pair.runs, "fetched") - floor(pair),
      (pair) => {
        const runs = other(pair);
        return runs ? cost(runs, "plain") - floor(pair) : 0;
      },
    );
  return {
    total: sum(pairs.map(({ runs }) => cost(runs, "plain"))) / 1e6,
    totalFetched: sum(pairs.map(({ runs }) => cost(runs, "fetched"))) / 1e6,
    plain: ratio(
      ({ runs }) => cost(runs, "plain"),
      ({ base }) => cost(base, "plain"),
    ),
    fetched: ratio(
      ({ runs }) => cost(runs, "fetched"),
      ({ base }) => cost(base, "plain"),
    ),
    excess: excessOf(({ base }) => base),
    ...(pairs.some(({ simulated }) => simulated) && {
      excessOfRecorded: excessOf(({ simulated }) => simulated),
    }),
    ...(pairs.some(({ recorded }) => recorded) && { excessOfUsage: excessOf(({ recorded }) => recorded) }),
    keepWarm: sum(pairs.map(({ runs }) => runs.plain[row]?.keepWarm.cost[row] ?? 0)) / 1e6,
  };
}

function survivalShare(
  records: readonly RunRecord[],
  type: AtomType | undefined,
  fromDistance = 0,
): SurvivalShare {
  const counts = records.map(({ survival }) => sumSurvival(survival, type, fromDistance));
  const share = (name: "inView" | "withRecall") =>
    estimate(counts, (drawn) => survivalShares(drawn.reduce(addCounts))[name]);
  return {
    inView: share("inView"),
    withRecall: share("withRecall"),
    needs: sum(counts.flatMap((one) => Object.values(one))),
  };
}

function estimate<T>(sessions: readonly T[], statistic: (drawn: readonly T[]) => number | null): Estimate {
  if (sessions.length === 0) return { value: null, interval: null };
  return { value: statistic(sessions), interval: bootstrap(sessions, statistic) };
}

function survivalTable(rows: readonly SurvivalRow[]): PolicySummary["survival"] {
  const merged = new Map<string, SurvivalRow>();
  for (const row of rows) {
    const key = `${row.type} ${row.bucket}`;
    const before = merged.get(key);
    merged.set(key, before ? { ...row, counts: addCounts(before.counts, row.counts) } : row);
  }
  return [...merged.values()]
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map(({ type, bucket, counts }) => ({ type, distance: distanceNames[bucket] ?? "", counts }));
}

const distanceNames = distanceLimits.map((limit, at) => {
  const from = (distanceLimits[at - 1] ?? -1) + 1;
  if (!Number.isFinite(limit)) return `>${from - 1}`;
  return at === 0 ? `≤${limit}` : `${from}–${limit}`;
});

function order({ type, bucket }: SurvivalRow): string {
  return `${atomTypes.indexOf(type)} ${bucket}`;
}

function addCounts(one: SurvivalCounts, other: SurvivalCounts): SurvivalCounts {
  return {
    "in-view": one["in-view"] + other["in-view"],
    recall: one.recall + other.recall,
    refetch: one.refetch + other.refetch,
    lost: one.lost + other.lost,
  };
}

function mergeCounts(list: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const merged: Record<string, number> = {};
  for (const counts of list)
    for (const [name, count] of Object.entries(counts)) merged[name] = (merged[name] ?? 0) + count;
  const sorted = Object.entries(merged).sort(
    ([one, most], [other, least]) => least - most || (one < other ? -1 : 1),
  );
  return Object.fromEntries(sorted);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
