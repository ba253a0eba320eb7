import type { InspectedItem, ItemText } from "../inspected.ts";

/** A text in a box of its own, with what it is. */
export interface TextPart {
  readonly label: string;
  readonly text: string;
}

/** What an opened item shows: as the model saw it and, where that is not all, what it was. */
export function itemParts(item: InspectedItem, { shown, original }: ItemText): readonly TextPart[] {
  if (original === undefined) return [{ label: "As the model saw it", text: shown }];
  return [
    { label: `As the model saw it: ${item.state}`, text: shown },
    { label: "Original", text: original },
  ];
}

/** What an opened replacement shows: both texts. */
export function replacedParts(before: ItemText, after: ItemText): readonly TextPart[] {
  return [
    { label: "Before", text: before.shown },
    { label: "After", text: after.shown },
  ];
}

export const textLineHeight = 18;
const labelHeight = 24;
const paddingHeight = 22;
const maxLines = 18;

/** Pixels of the boxes: as many lines as the text takes, up to what still leaves room for others. */
export function partsHeight(parts: readonly TextPart[], columns: number): number {
  return parts.reduce((sum, { text }) => sum + partHeight(text, columns), 8);
}

export function partHeight(text: string, columns: number): number {
  return labelHeight + paddingHeight + countLines(text, columns) * textLineHeight;
}

/** Lines when wrapped at so many columns, counted no further than a box is high. */
function countLines(text: string, columns: number): number {
  let lines = 0;
  let start = 0;
  while (start <= text.length && lines < maxLines) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines += Math.max(1, Math.ceil((end - start) / Math.max(1, columns)));
    start = end + 1;
  }
  return Math.min(maxLines, lines);
}
