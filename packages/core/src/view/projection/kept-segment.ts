import type { KeptSegment, ViewItem } from "../../spec/index.ts";

/** Whether a boundary keeps the entry with this number, though it covers it. */
export function isInSegment(kept: KeptSegment | undefined, seq: number): boolean {
  return kept !== undefined && seq >= kept.headSeq && seq <= kept.tailSeq && seq !== kept.exceptSeq;
}

/** The items that a boundary keeps, of those it covers. */
export function keptItems(covered: readonly ViewItem[], kept: KeptSegment | undefined): readonly ViewItem[] {
  const from = kept?.from;
  if (from === undefined) return covered.filter(({ seq }) => isInSegment(kept, seq));
  const start = covered.findIndex(({ entry, index }) => entry === from.entry && index === from.block);
  return start === -1 ? [] : covered.slice(start).filter(({ seq }) => seq !== kept?.exceptSeq);
}
