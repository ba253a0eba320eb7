import type { SessionOutcome } from "../replay-recording.ts";
import { type GoalRule, goalsOfPolicies } from "./policy-goals.ts";
import type { GoalRun, ReplayGoal } from "./replay-report.ts";

/**
 * The goals of the policies that have some, beside the oracle, with how far each falls short and why. Each goal but the
 * excess is told of the price row at which it is worst.
 */
export function replayGoals(
  policies: readonly string[],
  outcomes: readonly SessionOutcome[],
  priceRows: readonly string[],
): readonly ReplayGoal[] {
  if (outcomes.length === 0) return [];
  return policies.flatMap((policy) => {
    const goals = goalsOfPolicies.get(policy);
    if (!goals) return [];
    const runsAt = (row: string) => outcomes.flatMap((outcome) => toRun(outcome, policy, row) ?? []);
    const judgeAt = (rule: GoalRule, row: string) => {
      const oracle = outcomes.flatMap((outcome) => toRun(outcome, "oracle", row) ?? []);
      const ceiling = oracle.length === 0 ? null : rule.measure(oracle);
      return judge(policy, rule, row, runsAt(row), ceiling);
    };
    return [
      ...priceRows.map((row) =>
        judgeAt({ ...goals.excess, what: `${goals.excess.what}, prices ${row}` }, row),
      ),
      ...goals.others.map((rule) =>
        judgeAt(
          rule,
          worstRow(rule, priceRows, (row) => rule.measure(runsAt(row))),
        ),
      ),
    ];
  });
}

function judge(
  policy: string,
  { what, atMost, atLeast, measure, reason }: GoalRule,
  row: string,
  runs: readonly GoalRun[],
  oracle: number | null,
): ReplayGoal {
  const value = measure(runs);
  const goal = {
    policy,
    what,
    row,
    value,
    oracle,
    ...(atMost !== undefined && { atMost }),
    ...(atLeast !== undefined && { atLeast }),
  };
  if (value === null) return { ...goal, verdict: "not measurable", shortBy: null, why: reason(runs) };
  const shortBy = Math.max(0, value - (atMost ?? value), (atLeast ?? value) - value);
  const isWhole = shortBy === 0 && (atLeast === undefined || value === 1);
  const verdict = shortBy === 0 ? "reached" : "missed";
  return { ...goal, verdict, shortBy, ...(!isWhole && { why: reason(runs) }) };
}

/** The price row at which a goal is furthest from being reached. */
function worstRow(
  { atMost }: GoalRule,
  priceRows: readonly string[],
  measure: (row: string) => number | null,
): string {
  const badness = (row: string) => {
    const value = measure(row);
    if (value === null) return Number.NEGATIVE_INFINITY;
    return atMost === undefined ? -value : value;
  };
  const [first = "", ...rest] = priceRows;
  return rest.reduce((one, other) => (badness(other) > badness(one) ? other : one), first);
}

function toRun({ session, runs, floor }: SessionOutcome, policy: string, row: string): GoalRun | undefined {
  const find = (name: string) => runs.find((one) => one.policy === name);
  const plain = find(policy)?.plain[row];
  const fetched = find(policy)?.fetched[row];
  if (!plain || !fetched) return undefined;
  const cost = fetched.cost[row] ?? 0;
  const recorded = find("recorded-simulated")?.plain[row]?.cost[row];
  return {
    session,
    plain,
    fetched,
    excess: cost - (floor[row] ?? 0),
    ...(recorded !== undefined && { recordedExcess: recorded - (floor[row] ?? 0) }),
    fetchCost: cost - (plain.cost[row] ?? 0),
  };
}
