import { hash } from "node:crypto";
import type { CacheBreakReason, CacheJudgement, DecisionType, ViewItem } from "../../spec/index.ts";
import { isCacheEdit } from "../cache-edits.ts";
import { type BindingInput, isSameResponse } from "../thinking/unbound-thinking.ts";

/**
 * Digests of every prefix of a request: two requests share their first n items, and what stands before them, exactly
 * when their digests at n are equal. Kept up to date at the cost of what changed.
 */
export interface PrefixChain {
  /** `changedFrom`: items before it are the very ones of the call before. */
  update(items: readonly ViewItem[], changedFrom: number): void;
  /** Over the system prompt, the tools and the first `count` items. */
  digest(count: number): string;
  /** All of them, as they are now, at no cost: the next change of one that was given away works on a copy. */
  snapshot(): PrefixDigests;
  readonly length: number;
  /** A second one that goes on from here by itself. */
  copy(): PrefixChain;
}

/** The digests of a request's prefixes, which never change. */
export interface PrefixDigests {
  /** How many items the request has. */
  readonly items: number;
  /** Over the first `count` items, of which there are at least so many. */
  at(count: number): string;
}

/** Stands between what the model sees and the cache edits, where a prefix has some. */
const separator = "+";

/** The part of a digest that is over what the model sees: cache edits are no part of it. */
export function seenDigest(digest: string): string {
  return digest.split(separator, 1)[0] ?? "";
}

/** The part that names the cache edits of a prefix; empty where it has none. */
export function editsDigest(digest: string): string {
  return digest.slice(seenDigest(digest).length);
}

/** `before`: what stands before the messages, as its bytes. */
export function createPrefixChain(before: string): PrefixChain {
  return resumeFrom([hash("sha256", before)]);
}

/** The chain of what stands behind a prefix with that digest. */
export function continuePrefixChain(digest: string): PrefixChain {
  return resumeFrom([digest]);
}

function resumeFrom(start: readonly string[]): PrefixChain {
  let digests = [...start];
  /** How many of them were given away: those do not change in this list. */
  let shared = 0;

  function next(digest: string, item: ViewItem): string {
    const isPlain = !digest.includes(separator);
    if (isPlain && !isCacheEdit(item)) return hash("sha256", `${digest}\n${item.role}\n${item.json}`);
    const seen = seenDigest(digest);
    if (isCacheEdit(item)) return `${seen}${separator}${hash("sha256", `${digest}\n${item.json}`)}`;
    return `${hash("sha256", `${seen}\n${item.role}\n${item.json}`)}${editsDigest(digest)}`;
  }

  return {
    update(items, changedFrom) {
      const kept = Math.min(digests.length, changedFrom + 1);
      if (kept < shared) {
        digests = digests.slice(0, kept);
        shared = 0;
      } else digests.length = kept;
      for (let index = digests.length - 1; index < items.length; index += 1)
        digests.push(next(digests[index] as string, items[index] as ViewItem));
    },
    digest: (count) => digests[Math.min(count, digests.length - 1)] ?? "",
    snapshot() {
      const given = digests;
      const items = digests.length - 1;
      shared = digests.length;
      return { items, at: (count) => given[count] as string };
    },
    copy: () => resumeFrom(digests),
    get length() {
      return digests.length - 1;
    },
  };
}

/** The difference from the request before. */
export type Change =
  | { readonly kind: "first" }
  | { readonly kind: "model"; readonly from: string; readonly to: string }
  | { readonly kind: "tools" }
  | { readonly kind: "system" }
  /** Thinking, tool choice, or the first image: all of them are in the key of every message. */
  | { readonly kind: "fields" }
  | {
      readonly kind: "messages";
      readonly decisions: readonly { readonly type: DecisionType; readonly reason: string }[];
    }
  /** Without a time to live: longer ago than the provider is known to keep anything. */
  | { readonly kind: "expired"; readonly idleMs: number; readonly ttlMs?: number }
  | { readonly kind: "unknown" };

const reasons: Readonly<Record<Change["kind"], CacheBreakReason>> = {
  first: "unavailable",
  model: "model_changed",
  tools: "tools_changed",
  system: "system_changed",
  fields: "messages_changed",
  messages: "messages_changed",
  expired: "ttl_expired",
  unknown: "unavailable",
};

export function explainHit(): string {
  return "Everything cached by the previous request is read again.";
}

/** A break in words: whether it was to be expected, the API's name for it, and one line for a person. */
export function explainBreak(change: Change, firstBlock: number, headBlocks: number): CacheJudgement {
  const where =
    firstBlock === 0
      ? "Nothing is read from the cache"
      : firstBlock <= headBlocks
        ? "Only tools and system prompt are read from the cache"
        : `From block ${firstBlock} on nothing is read from the cache`;
  const isExpected =
    change.kind !== "unknown" && !(change.kind === "messages" && change.decisions.length === 0);
  return {
    kind: isExpected ? "expected-break" : "unexpected-break",
    reason: reasons[change.kind],
    firstBlock,
    why: `${where}: ${causeOf(change)}.`,
    dollars: 0,
  };
}

function causeOf(change: Change): string {
  switch (change.kind) {
    case "first":
      return "nothing was cached before";
    case "model":
      return `the model changed from ${change.from} to ${change.to}`;
    case "tools":
      return "the tools changed";
    case "system":
      return "the system prompt changed";
    case "fields":
      return "thinking, the tool choice, or whether there are images changed";
    case "messages":
      return change.decisions.length === 0
        ? "earlier messages changed, and no decision says why"
        : change.decisions.map(({ type, reason }) => `${type} (${reason})`).join(", ");
    case "expired":
      return `the last use was ${seconds(change.idleMs)} ago, ${
        change.ttlMs === undefined
          ? "longer than the provider is known to keep anything"
          : `and the cache keeps ${seconds(change.ttlMs)}`
      }`;
    case "unknown":
      return "the provider no longer had the cached prompt";
  }
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

/**
 * How many items at the beginning have stood in a request that was answered: up to the newest response that was
 * produced on exactly what stands before it. Where nobody noted what a response was produced on, as in imported logs,
 * it is taken to be what stands before it.
 */
export function sentItems({ items, digestAt, digestOf }: Omit<BindingInput, "from">): number {
  for (let position = items.length - 1; position > 0; position -= 1) {
    const item = items[position];
    if (item?.role !== "assistant" || isSameResponse(items[position - 1], item)) continue;
    const digest = digestOf(item.entry);
    if (digest === undefined || digest === digestAt(position)) return position;
  }
  return 0;
}
