import { compareBytes } from "./compare-terms.ts";

/** Texts as UTF-8 behind one another: text n is from `offsets[n]` to `offsets[n + 1]`. */
export interface TextTable {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function toTextTable(texts: readonly string[]): TextTable {
  const encoded = texts.map((text) => encoder.encode(text));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [at, { length }] of encoded.entries()) offsets[at + 1] = (offsets[at] as number) + length;
  const bytes = new Uint8Array(offsets[texts.length] as number);
  for (const [at, text] of encoded.entries()) bytes.set(text, offsets[at] as number);
  return { offsets, bytes };
}

export function textAt({ offsets, bytes }: TextTable, at: number): string {
  return decoder.decode(bytes.subarray(offsets[at], offsets[at + 1]));
}

/** Where a text stands in a table sorted by bytes, or -1; reads about log2 of the table. */
export function findSorted({ offsets, bytes }: TextTable, text: string): number {
  const wanted = encoder.encode(text);
  let low = 0;
  let high = offsets.length - 2;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = [offsets[middle] as number, offsets[middle + 1] as number];
    const order = compareBytes(bytes, from, to, wanted, 0, wanted.length);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Where a text stands in a table in any order, or -1. */
export function findText({ offsets, bytes }: TextTable, text: string): number {
  const wanted = encoder.encode(text);
  for (let at = 0; at + 1 < offsets.length; at += 1) {
    const [from, to] = [offsets[at] as number, offsets[at + 1] as number];
    if (to - from === wanted.length && compareBytes(bytes, from, to, wanted, 0, wanted.length) === 0)
      return at;
  }
  return -1;
}
