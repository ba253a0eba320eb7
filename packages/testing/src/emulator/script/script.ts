import type { RecordedRequest } from "../recorded-request.ts";
import type { Answer, AnswerBlock } from "./answer.ts";
import type { Fault } from "./fault.ts";

/** A script's reply to a request: one block, several, an answer with more to it, or a fault. */
export type Reply = AnswerBlock | readonly AnswerBlock[] | Answer | Fault;

/** The state a script may keep from one request to the next; `reset` empties it. */
export interface ScriptState {
  /** How many requests were answered before, faults not counted. */
  readonly answered: number;
  /** The script's own. */
  readonly notes: Map<string, unknown>;
}

/** May take its time: the request waits, others do not. */
export type ScriptFunction = (request: RecordedRequest, state: ScriptState) => Reply | Promise<Reply>;

/** A reply for some requests. */
export interface ScriptRule {
  readonly kind: "rule";
  /** Rules of `when` are asked about every endpoint, and only their faults count outside of `messages`. */
  readonly scope: "messages" | "every-endpoint" | "rest";
  matches(request: RecordedRequest): boolean;
  readonly reply: Reply | ScriptFunction;
}

/**
 * A function that is asked for every message, or a list. In a list the first rule that matches wins; a message that
 * none matches gets the next of the other replies, and after the last of them the request fails with words. A list of
 * rules only leaves the rest to the built-in agent.
 */
export type Script = ScriptFunction | readonly (Reply | ScriptRule)[];

/** For the n-th request for a message, counted from 1, or for each of several. */
export function atRequest(number: number | readonly number[], reply: Reply | ScriptFunction): ScriptRule {
  const numbers = new Set(typeof number === "number" ? [number] : number);
  return { kind: "rule", scope: "messages", matches: ({ ordinal }) => numbers.has(ordinal), reply };
}

/** For every request that the predicate picks, at any endpoint: look at `request.endpoint` where it matters. */
export function when(
  predicate: (request: RecordedRequest) => boolean,
  reply: Reply | ScriptFunction,
): ScriptRule {
  return { kind: "rule", scope: "every-endpoint", matches: predicate, reply };
}

/** For every message that is left once rules and replies had their turn. */
export function otherwise(reply: Reply | ScriptFunction): ScriptRule {
  return { kind: "rule", scope: "rest", matches: () => true, reply };
}
