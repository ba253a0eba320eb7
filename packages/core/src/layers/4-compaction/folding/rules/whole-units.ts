import type { ViewItem } from "../../../../spec/index.ts";

/** Items from a position up to another one, which is no part of it any more. */
export interface ItemRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The smallest ranges that can be taken out of a view without cutting anything apart: a call stays with its result, and
 * a block with the others of its entry and its response. They follow each other without a gap. Positions count and not
 * sequence numbers: what a decision put into the view is younger than what stands behind it.
 */
export function wholeUnits(items: readonly ViewItem[]): readonly ItemRange[] {
  const lastOf = new Map<string, number>();
  for (const [at, item] of items.entries()) for (const tie of tiesOf(item)) lastOf.set(tie, at);
  const units: ItemRange[] = [];
  let from = 0;
  let tiedUpTo = -1;
  for (const [at, item] of items.entries()) {
    if (at > from && tiedUpTo < at) {
      units.push({ from, to: at });
      from = at;
    }
    for (const tie of tiesOf(item)) tiedUpTo = Math.max(tiedUpTo, lastOf.get(tie) ?? at);
  }
  if (items.length > from) units.push({ from, to: items.length });
  return units;
}

/** Names of what an item belongs to together with others. One decision may insert results in many places. */
function tiesOf({ block, response, entry, decision }: ViewItem): readonly string[] {
  const { type, id, tool_use_id: calledBy } = block as { type: string; id?: unknown; tool_use_id?: unknown };
  const call = typeof calledBy === "string" ? calledBy : type.endsWith("tool_use") ? id : undefined;
  return [
    ...(entry === decision && typeof call === "string" ? [] : [`entry ${entry}`]),
    ...(typeof call === "string" ? [`call ${call}`] : []),
    ...(response === undefined ? [] : [`response ${response}`]),
  ];
}
