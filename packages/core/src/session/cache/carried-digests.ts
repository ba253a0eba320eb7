import type { ViewItem } from "../../spec/index.ts";
import { continuePrefixChain, type PrefixChain, seenDigest } from "../../view/prefix/prefix-chain.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import type { SessionState } from "../session-state.ts";

/** Digests by position; `undefined` where nothing is carried. */
type CarriedAt = (position: number) => string | undefined;

/**
 * What the digests of prefixes would be if what the API's own compaction stands for were still there: it vouches for
 * that, and thinking behind its block stays bound to it. `from`: items before it are those of the call before.
 */
export function createCarriedDigests(
  state: Pick<SessionState, "items" | "messageOf">,
): (from: number) => CarriedAt {
  let block: ViewItem | undefined;
  let chain: PrefixChain | undefined;
  return (from) => {
    const { items } = state;
    const first = items[0];
    if (!first || first.decision !== first.entry || !isNativeBlock(first.block)) return () => undefined;
    const digest = state.messageOf(first.entry)?.prefixDigest;
    if (typeof digest !== "string") return () => undefined;
    const isSame = chain !== undefined && block === first;
    const known = chain !== undefined && isSame ? chain : continuePrefixChain(seenDigest(digest));
    known.update(items.slice(1), isSame ? Math.max(0, from - 1) : 0);
    block = first;
    chain = known;
    return (position) => (position > 0 ? seenDigest(known.digest(position - 1)) : undefined);
  };
}
