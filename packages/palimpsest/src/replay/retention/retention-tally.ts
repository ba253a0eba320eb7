import type { ViewContent } from "../grounding/need-state.ts";
import type { PlanFact, RetentionFacts } from "./retention-facts.ts";

/** How often something was asked for, and how often the view had it. */
export interface KeptCount {
  readonly asked: number;
  readonly kept: number;
}

/** The part of what should be known that views kept, summed over requests. */
export interface Retention {
  /** Every message of the user's that was said so far, at every request. */
  readonly userMessages: KeptCount;
  /** Those of them that were not there word for word, but one recall away. */
  readonly recallableUserMessages: number;
  /** The smallest part of them that a request had; 1 where nothing was asked for. */
  readonly leastUserMessages: number;
  readonly latestUserMessage: KeptCount;
  readonly rules: KeptCount;
  /** The newest plan and to-dos. */
  readonly plans: KeptCount;
  /** Requests that showed an earlier state of them, and not the newest. */
  readonly stalePlans: number;
  readonly writtenFiles: KeptCount;
  readonly unresolvedErrors: KeptCount;
}

export interface RetentionTally {
  see(facts: RetentionFacts, view: ViewContent): void;
  retention(): Retention;
}

export const noRetention: Retention = {
  userMessages: { asked: 0, kept: 0 },
  recallableUserMessages: 0,
  leastUserMessages: 1,
  latestUserMessage: { asked: 0, kept: 0 },
  rules: { asked: 0, kept: 0 },
  plans: { asked: 0, kept: 0 },
  stalePlans: 0,
  writtenFiles: { asked: 0, kept: 0 },
  unresolvedErrors: { asked: 0, kept: 0 },
};

/** An error is known by its beginning. */
const errorChars = 80;

export function createRetentionTally(): RetentionTally {
  let sum = noRetention;
  return {
    see(facts, view) {
      sum = addRetention(sum, lookAt(facts, view));
    },
    retention: () => sum,
  };
}

export function addRetention(one: Retention, other: Retention): Retention {
  return {
    userMessages: addKept(one.userMessages, other.userMessages),
    recallableUserMessages: one.recallableUserMessages + other.recallableUserMessages,
    leastUserMessages: Math.min(one.leastUserMessages, other.leastUserMessages),
    latestUserMessage: addKept(one.latestUserMessage, other.latestUserMessage),
    rules: addKept(one.rules, other.rules),
    plans: addKept(one.plans, other.plans),
    stalePlans: one.stalePlans + other.stalePlans,
    writtenFiles: addKept(one.writtenFiles, other.writtenFiles),
    unresolvedErrors: addKept(one.unresolvedErrors, other.unresolvedErrors),
  };
}

function lookAt(facts: RetentionFacts, view: ViewContent): Retention {
  const has = ({ key, text }: { readonly key: string; readonly text: string }) =>
    view.holds(key) || view.says(text);
  const isCurrent = ({ key, open }: PlanFact) => view.holds(key) || open.every((text) => view.says(text));
  const { unresolvedError } = facts;
  const userMessages = count(facts.userMessages, has);
  return {
    userMessages,
    recallableUserMessages: facts.userMessages.filter((one) => !has(one) && view.offers(one)).length,
    leastUserMessages: userMessages.asked === 0 ? 1 : userMessages.kept / userMessages.asked,
    latestUserMessage: count(facts.userMessages.slice(-1), has),
    rules: count(facts.rules, has),
    plans: count(facts.plans, isCurrent),
    stalePlans: facts.plans.filter((plan) => !isCurrent(plan) && plan.earlier.some((key) => view.holds(key)))
      .length,
    writtenFiles: count(
      facts.writtenFiles,
      ({ path, namedBy }) => namedBy.some((key) => view.holds(key)) || view.says(path),
    ),
    unresolvedErrors: count(
      unresolvedError ? [unresolvedError] : [],
      ({ key, text }) => view.holds(key) || view.says(text.slice(0, errorChars)),
    ),
  };
}

function count<T>(facts: readonly T[], isKept: (fact: T) => boolean): KeptCount {
  return { asked: facts.length, kept: facts.filter(isKept).length };
}

function addKept(one: KeptCount, other: KeptCount): KeptCount {
  return { asked: one.asked + other.asked, kept: one.kept + other.kept };
}
