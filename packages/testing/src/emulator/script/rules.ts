import type { RecordedRequest } from "../recorded-request.ts";
import type { Reply, ScriptFunction, ScriptRule } from "./script.ts";

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
