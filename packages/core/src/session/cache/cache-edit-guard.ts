import { type ContentBlock, isBlock, type RepairStep } from "../../spec/index.ts";
import { deletedBy } from "../../view/cache-edits/deleted-results.ts";
import { refusedEdits } from "../../view/cache-edits/refused-edits.ts";
import { editsDigest } from "../../view/prefix/prefix-chain.ts";
import { sentItems } from "../../view/prefix/sent-items.ts";
import { imagesIn } from "../../view/request/image-facts.ts";
import type { SessionParts } from "../session-parts.ts";
import { isOtherModel } from "./cache-facts.ts";

/** What takes cache edits out of the view, and brings back what they deleted. */
export interface EditRepair {
  readonly steps: readonly RepairStep[];
  readonly frees: number;
  readonly reason: string;
}

/**
 * What becomes of cache edits that the provider would refuse; `null` where it takes all of them. Items before
 * `readItems` are read from the cache by the request as it is now.
 */
export function unrepeatableEdits(
  { state, head, config }: Pick<SessionParts, "state" | "head" | "config">,
  readItems: number,
  hasImages: boolean,
  tokensOf: (block: ContentBlock) => number,
): EditRepair | null {
  const { items } = state;
  if (editsDigest(state.prefixDigest(items.length)) === "") return null;
  const isAble = config.capabilities.cacheEdits;
  const answeredItems = isAble ? answered() : 0;
  const edits = refusedEdits({ items, answeredItems, readItems: isAble ? readItems : 0 });
  if (edits.length === 0) return null;

  /** Another model has accepted nothing yet, and neither has one that saw no image before. */
  function answered(): number {
    if (isOtherModel({ state, head })) return 0;
    const position = sentItems({
      items,
      digestAt: state.prefixDigest,
      digestOf: (entry) => state.messageOf(entry)?.prefixDigest,
    });
    const hadImages = items.slice(0, position).some(({ block }) => imagesIn(block).length > 0);
    return hadImages === hasImages ? position : 0;
  }

  const why = "the cache no longer holds what it deletes";
  const back = new Set(edits.flatMap(deletedBy));
  return {
    steps: edits.map(({ entry, index: block }) => ({ repair: "drop-block", place: { entry, block }, why })),
    frees: -items.reduce(
      (sum, { block }) =>
        isBlock(block, "tool_result") && back.has(block.tool_use_id) ? sum + tokensOf(block) : sum,
      0,
    ),
    reason: `a cache edit cannot be repeated: ${why}`,
  };
}
