import { isBlock, type ViewItem } from "../../../spec/index.ts";

/**
 * Positions at which a view can be cut in two: the numbers of all items before one are smaller than those from it on,
 * so that a range of numbers names either part exactly; and no call is cut off from its result, nor one block of a
 * response from another.
 */
export function cleanCuts(items: readonly ViewItem[]): readonly number[] {
  const lowestFrom: number[] = new Array(items.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let at = items.length - 1; at >= 0; at -= 1)
    lowestFrom[at] = Math.min(lowestFrom[at + 1] as number, (items[at] as ViewItem).seq);
  const lastOf = lastPlaces(items);
  const cuts: number[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  /** The last item that something before this position is tied to. */
  let tiedUpTo = -1;
  for (const [at, item] of items.entries()) {
    if (highest < (lowestFrom[at] as number) && tiedUpTo < at) cuts.push(at);
    highest = Math.max(highest, item.seq);
    for (const tie of tiesOf(item)) tiedUpTo = Math.max(tiedUpTo, lastOf.get(tie) ?? at);
  }
  return cuts;
}

function lastPlaces(items: readonly ViewItem[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [at, item] of items.entries()) for (const tie of tiesOf(item)) last.set(tie, at);
  return last;
}

/** Names of what an item belongs to together with others. */
function tiesOf({ block, response, entry }: ViewItem): readonly string[] {
  const call = isBlock(block, "tool_use")
    ? [`call ${block.id}`]
    : isBlock(block, "tool_result")
      ? [`call ${block.tool_use_id}`]
      : [];
  return [`entry ${entry}`, ...call, ...(response === undefined ? [] : [`response ${response}`])];
}
