import { createHash } from "node:crypto";
import type { ViewItem } from "../../spec/index.ts";

/**
 * Digests of every prefix of a request: two requests share their first n items, and what stands before them, exactly
 * when their digests at n are equal. Kept up to date at the cost of what changed.
 */
export interface PrefixChain {
  /** `changedFrom`: items before it are the very ones of the call before. */
  update(items: readonly ViewItem[], changedFrom: number): void;
  /** Over the system prompt, the tools and the first `count` items. */
  digest(count: number): string;
  /** All of them, as they are now. */
  snapshot(): readonly string[];
  readonly length: number;
}

/** `before`: what stands before the messages, as its bytes. */
export function createPrefixChain(before: string): PrefixChain {
  const digests = [sha256(before)];
  return {
    update(items, changedFrom) {
      digests.length = Math.min(digests.length, changedFrom + 1);
      for (let index = digests.length - 1; index < items.length; index += 1) {
        const { role, json } = items[index] as ViewItem;
        digests.push(sha256(`${digests[index]}\n${role}\n${json}`));
      }
    },
    digest: (count) => digests[Math.min(count, digests.length - 1)] ?? "",
    snapshot: () => [...digests],
    get length() {
      return digests.length - 1;
    },
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
