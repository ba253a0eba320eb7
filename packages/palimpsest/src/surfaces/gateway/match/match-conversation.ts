import { createHash } from "node:crypto";
import { type ContentBlock, isBlock, type RequestMessage } from "@palimpsest/core/spec";

/** One message of a client, in the shape of the Messages API. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: string | readonly ContentBlock[];
  /** The client's own messages, where that is another protocol's. */
  readonly raw?: readonly unknown[];
}

/** Whether there is thinking in a message. */
export function isThoughtThrough(content: Turn["content"]): boolean {
  return typeof content !== "string" && content.some(isThinking);
}

const isThinking = (block: ContentBlock) => isBlock(block, "thinking") || isBlock(block, "redacted_thinking");

type Part = readonly unknown[];

/**
 * The form in which two messages are the same, whoever wrote them down: cache markers, the order of fields, empty
 * texts, how a text is cut into blocks and thinking, which clients may leave out, say nothing.
 */
export function canonicalMessage({ role, content }: Pick<RequestMessage | Turn, "role" | "content">): string {
  return JSON.stringify([role, joinTexts(partsOf(content))]);
}

function partsOf(content: string | readonly ContentBlock[] | undefined): readonly Part[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [["text", content]] : content.flatMap(partOf);
}

function partOf(block: ContentBlock): readonly Part[] {
  if (isBlock(block, "text")) return [["text", block.text]];
  if (isThinking(block)) return [];
  if (isBlock(block, "tool_use")) return [["call", block.id, block.name, sortFields(block.input)]];
  if (isBlock(block, "tool_result")) {
    const { tool_use_id: id, content, is_error: isError } = block;
    return [["result", id, joinTexts(partsOf(content)), isError === true]];
  }
  return [["other", sortFields(block)]];
}

/** Neighbouring texts are one; white space around it does not count. */
function joinTexts(parts: readonly Part[]): readonly Part[] {
  const made: (Part | { text: string })[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (part[0] !== "text") made.push(part);
    else if (last && "text" in last) last.text += part[1];
    else made.push({ text: String(part[1]) });
  }
  return made.flatMap((part): readonly Part[] => {
    if (!("text" in part)) return [part];
    const text = part.text.trim();
    return text === "" ? [] : [["text", text]];
  });
}

/** Fields in order of their names, without markers and without what is not there. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(
    ([name, field]) => name !== "cache_control" && field !== null && field !== undefined,
  );
  return fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, sortFields(field)]);
}

/** A body by its size and some pieces of it: enough to see that another one begins with most of it. */
export interface BodySamples {
  readonly bytes: number;
  readonly pieces: readonly { readonly at: number; readonly piece: Buffer }[];
}

export const noSamples: BodySamples = { bytes: 0, pieces: [] };

const pieceBytes = 1_024;
const positions = [0, 0.25, 0.5, 0.75, 0.9];

export function sampleBody(body: Buffer): BodySamples {
  const pieces = positions.map((position) => {
    const at = Math.floor(body.length * position);
    return { at, piece: Buffer.from(body.subarray(at, at + pieceBytes)) };
  });
  return { bytes: body.length, pieces };
}

/** Whether a body has the pieces of another one where that had them. A body that was never seen begins nothing. */
export function beginsWith(body: Buffer, { pieces }: BodySamples): boolean {
  return (
    pieces.length > 0 && pieces.every(({ at, piece }) => piece.equals(body.subarray(at, at + piece.length)))
  );
}

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

/** A conversation that goes through the gateway. */
export interface KnownConversation {
  readonly id: string;
  readonly digests: readonly string[];
  /** How many messages it had with its newest response; 0 before the first. */
  readonly answered: number;
  /** Digest of the newest response alone. */
  readonly response?: string;
  /** A request of it is under way. */
  readonly isBusy: boolean;
}

/**
 * Which conversation a request belongs to. `continue`: it goes on behind the newest response. `retry`: its first request
 * again. `edit`: the newest response is the same, something before it is not. `branch`: it goes on from the middle of
 * another, or beside a request that is under way. `unknown`: nobody relayed its newest response. `first`: there is none.
 */
export type Match =
  | { readonly kind: "continue" | "retry" | "edit" | "named"; readonly id: string; readonly common: number }
  | { readonly kind: "branch"; readonly from: string; readonly common: number }
  | { readonly kind: "unknown" | "first" };

/** Pure. Of several conversations that fit, the one that is known last, which is the newest, is taken. */
export function decideMatch(chain: Chain, known: readonly KnownConversation[], named?: string): Match {
  const { digests, lastAssistant, lastResponse } = chain;
  const newestFirst = [...known].reverse();
  const common = (one: KnownConversation) => commonLength(one.digests, digests);
  const byName = newestFirst.find(({ id, isBusy }) => id === named && !isBusy);
  if (byName) return { kind: "named", id: byName.id, common: common(byName) };
  if (lastAssistant === -1) {
    const again = newestFirst.find((one) => !one.isBusy && one.answered === 0 && common(one) > 0);
    return again ? { kind: "retry", id: again.id, common: common(again) } : { kind: "first" };
  }
  const holding = newestFirst.filter((one) => common(one) > lastAssistant);
  const head = holding.find(({ answered, isBusy }) => !isBusy && answered === lastAssistant + 1);
  if (head) return { kind: "continue", id: head.id, common: common(head) };
  const [origin] = holding;
  if (origin) return { kind: "branch", from: origin.id, common: common(origin) };
  const edited = newestFirst.find(
    (one) => !one.isBusy && one.answered > 0 && one.response === lastResponse && common(one) > 0,
  );
  return edited ? { kind: "edit", id: edited.id, common: common(edited) } : { kind: "unknown" };
}

/** Letters that every client writes down in the same way. */
const plainRun = /[\x20\x21\x23-\x2e\x30-\x3b\x3d\x3f-\x5b\x5d-\x7e]{16,80}/g;

/**
 * Bytes by which a response is found in a request that was not read: the id of its last call, or words of its last text.
 * Nothing where it has neither.
 */
export function responseProbe(content: readonly ContentBlock[]): Buffer | undefined {
  const call = content.findLast((block) => isBlock(block, "tool_use"));
  if (call && isBlock(call, "tool_use")) return Buffer.from(`"${call.id}"`);
  const text = content.findLast((block) => isBlock(block, "text"));
  const runs = text && isBlock(text, "text") ? (text.text.match(plainRun) ?? []) : [];
  const longest = [...runs].sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? undefined : Buffer.from(longest);
}
