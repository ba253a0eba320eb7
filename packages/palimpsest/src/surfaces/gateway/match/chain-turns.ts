import { createHash } from "node:crypto";
import { canonicalMessage, type Turn } from "./canonical-message.ts";

/** A list of messages by digests: each is of its message and all before it. */
export interface Chain {
  readonly digests: readonly string[];
  /** Position of the newest message of the assistant; -1 without one. */
  readonly lastAssistant: number;
  /** Digest of that message alone. */
  readonly lastResponse?: string;
}

const digestChars = 32;
const beginning = "";

export function chainTurns(turns: readonly Turn[]): Chain {
  const digests: string[] = [];
  let lastAssistant = -1;
  let lastResponse: string | undefined;
  for (const [index, turn] of turns.entries()) {
    const canonical = canonicalMessage(turn);
    digests.push(digestOf(digests.at(-1) ?? beginning, canonical));
    if (turn.role !== "assistant") continue;
    lastAssistant = index;
    lastResponse = canonical;
  }
  return {
    digests,
    lastAssistant,
    ...(lastResponse !== undefined && { lastResponse: digestOf(beginning, lastResponse) }),
  };
}

/** The digest of a list that goes on with one more message, and that of the message alone. */
export function chainOn(
  before: string | undefined,
  turn: Turn,
): { readonly digest: string; readonly alone: string } {
  const canonical = canonicalMessage(turn);
  return { digest: digestOf(before ?? beginning, canonical), alone: digestOf(beginning, canonical) };
}

/** How many messages two lists begin with in common. Digests stand for all before them, so halving finds it. */
export function commonLength(one: readonly string[], other: readonly string[]): number {
  let low = 0;
  let high = Math.min(one.length, other.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one[middle - 1] === other[middle - 1]) low = middle;
    else high = middle - 1;
  }
  return low;
}

function digestOf(before: string, canonical: string): string {
  return createHash("sha256")
    .update(before)
    .update("\n")
    .update(canonical)
    .digest("hex")
    .slice(0, digestChars);
}
