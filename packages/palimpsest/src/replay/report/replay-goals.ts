import { farDistance, sumSurvival, survivalShares } from "../grounding/survival.ts";
import type { SessionOutcome } from "../replay-recording.ts";
import type { KeptCount, Retention } from "../retention/retention-tally.ts";
import {
  breaksReason,
  excessReason,
  farReason,
  invalidReason,
  latestReason,
  messagesReason,
  rulesReason,
} from "./goal-reasons.ts";
import type { GoalReason, GoalRun, PolicySummary, ReplayGoal } from "./replay-report.ts";

interface GoalRule {
  readonly what: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly measure: (runs: readonly GoalRun[]) => number | null;
  readonly reason: (runs: readonly GoalRun[]) => GoalReason;
}

/**
 * The engine's goals, beside the oracle, with how far it falls short and why. Each goal but the excess is told of the
 * price row at which it is worst. Empty where the engine was not run.
 */
export function replayGoals(
  summaries: readonly PolicySummary[],
  outcomes: readonly SessionOutcome[],
  priceRows: readonly string[],
): readonly ReplayGoal[] {
  const engine = summaries.find(({ policy }) => policy === "engine");
  if (!engine || outcomes.length === 0) return [];
  const oracle = summaries.find(({ policy }) => policy === "oracle");
  const runsOf = (policy: string, row: string) =>
    outcomes.flatMap((outcome) => toRun(outcome, policy, row) ?? []);
  const excess = priceRows.map((row) =>
    judge(excessRule(row), row, engine.cost[row]?.excessOfCheapest, oracle?.cost[row]?.excessOfCheapest, () =>
      excessReason(runsOf("engine", row)),
    ),
  );
  const others = rules.map((rule) => {
    const [row, value] = worstRow(rule, priceRows, (name) => rule.measure(runsOf("engine", name)));
    const ceiling = oracle ? rule.measure(runsOf("oracle", row)) : null;
    return judge(rule, row, value, ceiling, () => rule.reason(runsOf("engine", row)));
  });
  return [...excess, ...others];
}

const rules: readonly GoalRule[] = [
  {
    what: "policy-made cache breaks per 30 requests",
    atMost: 1,
    measure: (runs) => per30(runs),
    reason: breaksReason,
  },
  {
    what: "far edit_old in view or one recall away",
    atLeast: 0.98,
    measure: (runs) => survivalShares(farCounts(runs)).withRecall,
    reason: farReason,
  },
  {
    what: "user messages word for word",
    atLeast: 0.99,
    measure: (runs) => keptShare(runs, ({ userMessages }) => userMessages),
    reason: messagesReason,
  },
  {
    what: "latest user message word for word",
    atLeast: 1,
    measure: (runs) => keptShare(runs, ({ latestUserMessage }) => latestUserMessage),
    reason: latestReason,
  },
  {
    what: "rules word for word",
    atLeast: 1,
    measure: (runs) => keptShare(runs, (retention) => retention.rules),
    reason: rulesReason,
  },
  {
    what: "invalid requests",
    atMost: 0,
    measure: (runs) => sum(runs.map(({ plain, fetched }) => plain.invalid + fetched.invalid)),
    reason: invalidReason,
  },
];

type GoalLimit = Pick<ReplayGoal, "what" | "atMost" | "atLeast">;

function excessRule(row: string): GoalLimit {
  return { what: `extra cost compared with the cheapest alternative, prices ${row}`, atMost: 0.5 };
}

function judge(
  { what, atMost, atLeast }: GoalLimit,
  row: string,
  value: number | null | undefined,
  oracle: number | null | undefined,
  reason: () => GoalReason,
): ReplayGoal {
  const goal = {
    what,
    row,
    value: value ?? null,
    oracle: oracle ?? null,
    ...(atMost !== undefined && { atMost }),
    ...(atLeast !== undefined && { atLeast }),
  };
  if (value === null || value === undefined)
    return { ...goal, verdict: "not measurable", shortBy: null, why: reason() };
  const shortBy = Math.max(0, value - (atMost ?? value), (atLeast ?? value) - value);
  const isWhole = shortBy === 0 && (atLeast === undefined || value === 1);
  const verdict = shortBy === 0 ? "reached" : "missed";
  return { ...goal, verdict, shortBy, ...(!isWhole && { why: reason() }) };
}

/** The price row at which a goal is furthest from being reached, and the value there. */
function worstRow(
  { atMost }: GoalLimit,
  priceRows: readonly string[],
  measure: (row: string) => number | null,
): readonly [string, number | null] {
  const measured = priceRows.map((row) => [row, measure(row)] as const);
  const badness = (value: number | null) =>
    value === null ? Number.NEGATIVE_INFINITY : atMost === undefined ? -value : value;
  const [first = ["", null] as const, ...rest] = measured;
  return rest.reduce((one, other) => (badness(other[1]) > badness(one[1]) ? other : one), first);
}

function toRun({ session, runs, floor }: SessionOutcome, policy: string, row: string): GoalRun | undefined {
  const own = runs.find((one) => one.policy === policy);
  const plain = own?.plain[row];
  const fetched = own?.fetched[row];
  if (!plain || !fetched) return undefined;
  const cost = fetched.cost[row] ?? 0;
  return {
    session,
    plain,
    fetched,
    excess: cost - (floor[row] ?? 0),
    fetchCost: cost - (plain.cost[row] ?? 0),
  };
}

function per30(runs: readonly GoalRun[]): number {
  const requests = sum(runs.map(({ plain }) => plain.requests));
  return (30 * sum(runs.map(({ plain }) => plain.breaks.policy))) / Math.max(1, requests);
}

function farCounts(runs: readonly GoalRun[]) {
  return sumSurvival(
    runs.flatMap(({ plain }) => plain.survival),
    "edit_old",
    farDistance,
  );
}

/** `null` where nothing was asked for. */
function keptShare(runs: readonly GoalRun[], pick: (retention: Retention) => KeptCount): number | null {
  const all = runs.map(({ plain }) => pick(plain.retention));
  const asked = sum(all.map((one) => one.asked));
  return asked === 0 ? null : sum(all.map((one) => one.kept)) / asked;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
