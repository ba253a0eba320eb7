import { recallVisible } from "../grounding/need-state.ts";
import type { RecallReader } from "../grounding/recalled-text.ts";
import type { RecordedBlock } from "../grounding/recorded-blocks.ts";
import type { ViewContent } from "../grounding/view-reader.ts";
import type { AnswerFact, OrderFact, PlanFact, RetentionFacts } from "./retention-facts.ts";

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
  /** Every answer that was given so far, at every request: at least a third of its sentences, word for word. */
  readonly answers: KeptCount;
  /** Those of them that were not there, but one recall away. */
  readonly recallableAnswers: number;
  /** Every standing order in force, at every request: word for word, and nowhere marked as ended. */
  readonly orders: KeptCount;
  /** Those of them that were marked as ended. */
  readonly endedOrders: number;
  readonly rules: KeptCount;
  /** The newest plan and to-dos. */
  readonly plans: KeptCount;
  /** Requests that showed an earlier state of them, and not the newest. */
  readonly stalePlans: number;
  readonly writtenFiles: KeptCount;
  readonly unresolvedErrors: KeptCount;
}

export interface RetentionTally {
  see(facts: RetentionFacts, view: ViewContent, recalls: RecallReader): Promise<void>;
  retention(): Retention;
}

const nothing: KeptCount = { asked: 0, kept: 0 };

export const noRetention: Retention = {
  userMessages: nothing,
  recallableUserMessages: 0,
  leastUserMessages: 1,
  latestUserMessage: nothing,
  answers: nothing,
  recallableAnswers: 0,
  orders: nothing,
  endedOrders: 0,
  rules: nothing,
  plans: nothing,
  stalePlans: 0,
  writtenFiles: nothing,
  unresolvedErrors: nothing,
};

/** An error is known by its beginning. */
const errorChars = 80;
/** So much of an answer's sentences is enough to know it. */
const answerPart = 1 / 3;

export function createRetentionTally(): RetentionTally {
  let sum = noRetention;
  return {
    async see(facts, view, recalls) {
      sum = addRetention(sum, await lookAt(facts, view, recalls));
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
    answers: addKept(one.answers, other.answers),
    recallableAnswers: one.recallableAnswers + other.recallableAnswers,
    orders: addKept(one.orders, other.orders),
    endedOrders: one.endedOrders + other.endedOrders,
    rules: addKept(one.rules, other.rules),
    plans: addKept(one.plans, other.plans),
    stalePlans: one.stalePlans + other.stalePlans,
    writtenFiles: addKept(one.writtenFiles, other.writtenFiles),
    unresolvedErrors: addKept(one.unresolvedErrors, other.unresolvedErrors),
  };
}

async function lookAt(facts: RetentionFacts, view: ViewContent, recalls: RecallReader): Promise<Retention> {
  const has = ({ key, text }: { readonly key: string; readonly text: string }) =>
    view.holds(key) || view.says(text);
  const isCurrent = ({ key, open }: PlanFact) => view.holds(key) || open.every((text) => view.says(text));
  const isEnded = ({ text }: OrderFact) => view.ends(text);
  const isInForce = (order: OrderFact) =>
    (order.keys.some((key) => view.holds(key)) || view.quotes(order.text)) && !isEnded(order);
  const { unresolvedError } = facts;
  const userMessages = count(facts.userMessages, has);
  const answers = count(facts.answers, (answer) => isAnswerIn(answer, view));
  return {
    userMessages,
    recallableUserMessages: await countAsync(
      facts.userMessages.filter((message) => !has(message)),
      async (message) =>
        (await recallVisible(view, recalls, message, (text) => text.has(message.text))) !== null,
    ),
    leastUserMessages: userMessages.asked === 0 ? 1 : userMessages.kept / userMessages.asked,
    latestUserMessage: count(facts.userMessages.slice(-1), has),
    answers,
    recallableAnswers: await countAsync(
      facts.answers.filter((answer) => !isAnswerIn(answer, view)),
      (answer) => isAnswerRecallable(answer, view, recalls),
    ),
    orders: count(facts.orders, isInForce),
    endedOrders: facts.orders.filter(isEnded).length,
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

function isAnswerIn({ blocks, sentences }: AnswerFact, view: ViewContent): boolean {
  if (blocks.every(({ key }) => view.holds(key))) return true;
  const held = blocks.filter(({ key }) => view.holds(key));
  return isEnough(
    sentences,
    (sentence) => view.quotes(sentence) || held.some(({ text }) => text.includes(sentence)),
  );
}

async function isAnswerRecallable(
  { blocks, sentences }: AnswerFact,
  view: ViewContent,
  recalls: RecallReader,
): Promise<boolean> {
  const [first] = blocks as readonly [RecordedBlock, ...RecordedBlock[]];
  const recalled = await recallVisible(view, recalls, first, (text) =>
    isEnough(sentences, (sentence) => text.has(sentence)),
  );
  return recalled !== null;
}

function isEnough(sentences: readonly string[], isThere: (sentence: string) => boolean): boolean {
  return sentences.filter(isThere).length >= sentences.length * answerPart;
}

function count<T>(facts: readonly T[], isKept: (fact: T) => boolean): KeptCount {
  return { asked: facts.length, kept: facts.filter(isKept).length };
}

async function countAsync<T>(facts: readonly T[], isCounted: (fact: T) => Promise<boolean>): Promise<number> {
  let counted = 0;
  for (const fact of facts) if (await isCounted(fact)) counted += 1;
  return counted;
}

function addKept(one: KeptCount, other: KeptCount): KeptCount {
  return { asked: one.asked + other.asked, kept: one.kept + other.kept };
}
