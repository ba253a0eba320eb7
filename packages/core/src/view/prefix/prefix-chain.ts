import { hash } from "node:crypto";
import type { ViewItem } from "../../spec/index.ts";
import { isCacheEdit } from "../cache-edits/deleted-results.ts";

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
