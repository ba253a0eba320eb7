import { addLosses, type LossCause, type Losses, lossCauses } from "../grounding/need-state.ts";
import { farDistance, type SurvivalCounts, sumSurvival } from "../grounding/survival.ts";
import type { KeptCount } from "../retention/retention-tally.ts";
import type { GoalReason, GoalRun } from "./replay-report.ts";

const causeTexts: Readonly<Record<LossCause, string>> = {
  "squeezed-out": "named by an id before, which a later summary had no room for",
  "never-named": "gone from the view and never named by an id",
  "cleared-unnamed": "cleared without an id for recall",
  "changed-since": "in a file that was written since it was read, with no id",
  "read-again": "to be had by reading again only",
};

export function farReason(runs: readonly GoalRun[]): GoalReason {
  const losses = runs.map(({ plain }) => plain.farLosses.edit_old ?? {});
  const all = losses.reduce(addLosses, {});
  const needs = runs.map(({ plain }) =>
    sum(Object.values(sumSurvival(plain.survival, "edit_old", farDistance))),
  );
  if (sum(needs) === 0) return { text: "no call needs a text from so far away", sessions: [] };
  const causes = lossCauses.flatMap((cause) => (all[cause] ? [`${all[cause]} ${causeTexts[cause]}`] : []));
  return {
    text: `${count(all)} of ${sum(needs)} not found: ${causes.join(", ")}`,
    sessions: shares(runs, (_run, at) => [count(losses[at] ?? {}), needs[at] ?? 0]),
  };
}

export function farViewReason(runs: readonly GoalRun[]): GoalReason {
  const counts = runs.map(({ plain }) => sumSurvival(plain.survival, "edit_old", farDistance));
  const total = (state: keyof SurvivalCounts) => sum(counts.map((one) => one[state]));
  const needs = counts.map((one) => sum(Object.values(one)));
  if (sum(needs) === 0) return { text: "no call needs a text from so far away", sessions: [] };
  const missing = sum(needs) - total("in-view");
  return {
    text: `${missing} of ${sum(needs)} not in view: ${total("recall")} one recall away, ${total("refetch")} to be had by reading again, ${total("lost")} lost`,
    sessions: shares(runs, (_run, at) => [(needs[at] ?? 0) - (counts[at]?.["in-view"] ?? 0), needs[at] ?? 0]),
  };
}

export function answersReason(runs: readonly GoalRun[]): GoalReason {
  const asked = sum(runs.map(({ plain }) => plain.retention.answers.asked));
  if (asked === 0) return { text: "no request has an answer of the agent's before it", sessions: [] };
  const missing = ({ plain: { retention } }: GoalRun) => retention.answers.asked - retention.answers.kept;
  const recallable = sum(runs.map(({ plain }) => plain.retention.recallableAnswers));
  const all = sum(runs.map(missing));
  return {
    text: `${all} of ${asked} times (an answer at a request) not in view: ${recallable} one recall away, ${all - recallable} not`,
    sessions: shares(runs, (run) => [missing(run), run.plain.retention.answers.asked]),
  };
}

export function ordersReason(runs: readonly GoalRun[]): GoalReason {
  const ended = sum(runs.map(({ plain }) => plain.retention.endedOrders));
  return keptReason(runs, ({ plain }) => plain.retention.orders, {
    nothing: "the user gave no standing order",
    missing: `times (an order at a request) not word for word, or marked as ended (${ended})`,
  });
}

export function messagesReason(runs: readonly GoalRun[]): GoalReason {
  const asked = sum(runs.map(({ plain }) => plain.retention.userMessages.asked));
  if (asked === 0) return { text: "no request has a message of the user's before it", sessions: [] };
  const missing = ({ plain: { retention } }: GoalRun) =>
    retention.userMessages.asked - retention.userMessages.kept;
  const recallable = sum(runs.map(({ plain }) => plain.retention.recallableUserMessages));
  const all = sum(runs.map(missing));
  return {
    text: `${all} of ${asked} times (a message at a request) not word for word: ${recallable} cut to a line with an id, ${all - recallable} not named`,
    sessions: shares(runs, (run) => [missing(run), run.plain.retention.userMessages.asked]),
  };
}

export function rulesReason(runs: readonly GoalRun[]): GoalReason {
  return keptReason(runs, ({ plain }) => plain.retention.rules, {
    nothing: "no recorded session holds a rules line",
    missing: "times (rules at a request) not word for word",
  });
}

function keptReason(
  runs: readonly GoalRun[],
  pick: (run: GoalRun) => KeptCount,
  { nothing, missing }: { readonly nothing: string; readonly missing: string },
): GoalReason {
  const lacking = (run: GoalRun) => pick(run).asked - pick(run).kept;
  const asked = sum(runs.map((run) => pick(run).asked));
  if (asked === 0) return { text: nothing, sessions: [] };
  return {
    text: `${sum(runs.map(lacking))} of ${asked} ${missing}`,
    sessions: shares(runs, (run) => [lacking(run), pick(run).asked]),
  };
}

export function invalidReason(runs: readonly GoalRun[]): GoalReason {
  const invalid = ({ plain, fetched }: GoalRun) => plain.invalid + fetched.invalid;
  return {
    text: `${sum(runs.map(invalid))} requests could not be sent`,
    sessions: shares(runs, (run) => [invalid(run), run.plain.requests + run.fetched.requests]),
  };
}

export function excessReason(runs: readonly GoalRun[]): GoalReason {
  const excess = sum(runs.map((run) => run.excess));
  if (runs.some(({ recordedExcess }) => recordedExcess === undefined))
    return { text: "the policy recorded-simulated, which it is compared with, was not run", sessions: [] };
  if (!(excess > 0)) return { text: "nothing was spent over the floor", sessions: [] };
  const percent = (value: number) => Math.round((100 * value) / excess);
  const blocks = sum(runs.map(({ fetched }) => fetched.fetches.blocks));
  const shown = runs.map(({ session, excess: own }) => ({ name: session, count: percent(own) }));
  return {
    text: `${percent(sum(runs.map(({ fetchCost }) => fetchCost)))} % of it is fetching ${blocks} blocks again`,
    sessions: largestFirst(shown).map(({ name, count: part }) => ({ name, amount: `${part} %` })),
  };
}

/** The sessions that have any, those with most first. */
function shares(
  runs: readonly GoalRun[],
  pick: (run: GoalRun, at: number) => readonly [number, number],
): GoalReason["sessions"] {
  const counted = runs.map((run, at) => {
    const [own, of] = pick(run, at);
    return { name: run.session, count: own, of };
  });
  return largestFirst(counted).map(({ name, count: own, of }) => ({ name, amount: `${own} of ${of}` }));
}

function largestFirst<T extends { readonly name: string; readonly count: number }>(list: readonly T[]) {
  return list
    .filter(({ count: own }) => own > 0)
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

function count(losses: Losses): number {
  return sum(Object.values(losses));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How many sessions a sentence names. */
const maxNamed = 5;

/** A reason as one sentence. */
export function reasonText({ text, sessions }: GoalReason): string {
  if (sessions.length === 0) return text;
  const named = sessions.slice(0, maxNamed).map(({ name, amount }) => `${name} ${amount}`);
  const more = sessions.length > maxNamed ? ` and ${sessions.length - maxNamed} more` : "";
  return `${text}; by session: ${named.join(", ")}${more}`;
}
