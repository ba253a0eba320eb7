import { farDistance, type SurvivalCounts, sumSurvival, survivalShares } from "../grounding/survival.ts";
import type { KeptCount, Retention } from "../retention/retention-tally.ts";
import {
  answersReason,
  excessReason,
  farReason,
  farViewReason,
  invalidReason,
  messagesReason,
  ordersReason,
  rulesReason,
} from "./goal-reasons.ts";
import type { GoalReason, GoalRun } from "./replay-report.ts";

/** Something that a policy should reach, measured on its runs at one price row. */
export interface GoalRule {
  readonly what: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** `null` where the sessions have nothing to judge it by. */
  readonly measure: (runs: readonly GoalRun[]) => number | null;
  readonly reason: (runs: readonly GoalRun[]) => GoalReason;
}

type Limit = Pick<GoalRule, "atMost" | "atLeast">;

/** The goals of a policy. The excess is judged at every price row, each other at the row where it is worst. */
export interface PolicyGoals {
  readonly excess: GoalRule;
  readonly others: readonly GoalRule[];
}

const excess = (atMost: number): GoalRule => ({
  what: "extra cost over the floor, the recorded agent's = 1",
  atMost,
  measure(runs) {
    const own = sum(runs.map((run) => run.excess));
    const recorded = runs.flatMap(({ recordedExcess }) => recordedExcess ?? []);
    return recorded.length < runs.length || sum(recorded) <= 0 ? null : own / sum(recorded);
  },
  reason: excessReason,
});

const farInView = (atLeast: number): GoalRule => ({
  what: "far edit_old in view",
  atLeast,
  measure: (runs) => survivalShares(farCounts(runs)).inView,
  reason: farViewReason,
});

const farWithRecall = (atLeast: number): GoalRule => ({
  what: "far edit_old in view or one recall away",
  atLeast,
  measure: (runs) => survivalShares(farCounts(runs)).withRecall,
  reason: farReason,
});

const kept = (
  what: string,
  pick: (retention: Retention) => KeptCount,
  reason: GoalRule["reason"],
  limit: Limit = { atLeast: 1 },
): GoalRule => ({ what, ...limit, measure: (runs) => keptShare(runs, pick), reason });

const answersInView = (atLeast: number) =>
  kept("answers in view", ({ answers }) => answers, answersReason, { atLeast });
const answersWithRecall = (atLeast: number) =>
  kept(
    "answers in view or one recall away",
    ({ answers, recallableAnswers }) => ({ ...answers, kept: answers.kept + recallableAnswers }),
    answersReason,
    { atLeast },
  );
const userMessages = kept("user messages word for word", (one) => one.userMessages, messagesReason);
const orders = kept("standing orders word for word, none marked as ended", (one) => one.orders, ordersReason);
const rules = kept("rules word for word", (one) => one.rules, rulesReason);
const invalid: GoalRule = {
  what: "invalid requests",
  atMost: 0,
  measure: (runs) => sum(runs.map(({ plain, fetched }) => plain.invalid + fetched.invalid)),
  reason: invalidReason,
};

const faithful: PolicyGoals = {
  excess: excess(0.7),
  others: [farInView(0.95), farWithRecall(0.99), answersInView(0.98), userMessages, orders, rules, invalid],
};

const thrifty: PolicyGoals = {
  excess: excess(0.5),
  others: [
    farInView(0.6),
    farWithRecall(0.98),
    answersInView(0.6),
    answersWithRecall(0.99),
    userMessages,
    invalid,
  ],
};

/** Which policies are to reach what. */
export const goalsOfPolicies: ReadonlyMap<string, PolicyGoals> = new Map([
  ["engine", faithful],
  ["faithful", faithful],
  ["thrifty", thrifty],
]);

function farCounts(runs: readonly GoalRun[]): SurvivalCounts {
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
