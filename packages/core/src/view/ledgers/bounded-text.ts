import { ownCopy } from "../own-copy.ts";

/**
 * The text, or its beginning and end where it is longer than `maxLength`, with the number of characters left out
 * between them. Never cuts a surrogate pair.
 */
export function boundedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const head = isPairAt(text, half - 1) ? half - 1 : half;
  const tail = isPairAt(text, text.length - half - 1) ? text.length - half + 1 : text.length - half;
  return ownCopy(`${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`);
}

/** Whether a surrogate pair begins at this index. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
