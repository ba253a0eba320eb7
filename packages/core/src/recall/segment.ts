import { type RecallDocumentHead, recallFields, recallKinds } from "./recall-document.ts";
import { compareBytes } from "./tokenizer.ts";

/**
 * An immutable index over some documents, as columns: in memory or as views on the bytes of a file, which is the same.
 * Documents have numbers from 0. Terms are sorted by their bytes.
 */
export interface Segment {
  readonly documents: number;
  readonly ats: Float64Array;
  readonly places: Float64Array;
  readonly numbers: Uint32Array;
  /** The document's session in `sessions`. */
  readonly sessionOf: Uint32Array;
  /** How many words each field has, stop words too; `recallFields.length` a document. */
  readonly lengths: Uint16Array;
  readonly kinds: Uint8Array;
  readonly ids: TextTable;
  readonly sessions: TextTable;
  readonly terms: TextTable;
  /** How many documents hold each term. */
  readonly counts: Uint32Array;
  /** Where each term's postings begin in `postings`, and the end of the last. */
  readonly postingOffsets: Uint32Array;
  readonly postings: Uint8Array;
}

export function documentHead(segment: Segment, document: number): RecallDocumentHead {
  return {
    kind: recallKinds[segment.kinds[document] as number] ?? "message",
    id: textAt(segment.ids, document),
    session: textAt(segment.sessions, segment.sessionOf[document] as number),
    atMs: segment.ats[document] as number,
    place: segment.places[document] as number,
    number: segment.numbers[document] as number,
  };
}

/** Names one state of one document: another version of a memory has another key. */
export function documentKey({ kind, session, id, number }: RecallDocumentHead): string {
  return [kind, session, id, kind === "memory" ? number : ""].join("\n");
}

export const fieldCount = recallFields.length;

/** "PLS" and the format's number. A file of another format is made anew, not read. */
const magic = 0x02534c50;
const headNumbers = 2;

type Column = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** The columns in the order in which they stand in the bytes. */
function columnsOf(segment: Segment): readonly Column[] {
  const { ids, sessions, terms } = segment;
  return [
    segment.ats,
    segment.places,
    segment.numbers,
    segment.sessionOf,
    segment.lengths,
    segment.kinds,
    ids.offsets,
    ids.bytes,
    sessions.offsets,
    sessions.bytes,
    terms.offsets,
    terms.bytes,
    segment.counts,
    segment.postingOffsets,
    segment.postings,
  ];
}

const columnCount = 15;
const headBytes = 4 * (headNumbers + 2 * columnCount);
const aligned = (bytes: number) => (bytes + 7) & ~7;

/** A segment as the bytes of a file: little-endian, each column at a multiple of eight. */
export function encodeSegment(segment: Segment): Uint8Array {
  const columns = columnsOf(segment);
  const size = columns.reduce((sum, { byteLength }) => sum + aligned(byteLength), aligned(headBytes));
  const bytes = new Uint8Array(size);
  const head = new Uint32Array(bytes.buffer, 0, headBytes / 4);
  head.set([magic, segment.documents]);
  let offset = aligned(headBytes);
  for (const [at, column] of columns.entries()) {
    head.set([offset, column.byteLength], headNumbers + 2 * at);
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += aligned(column.byteLength);
  }
  return bytes;
}

/** Views on the bytes: nothing is parsed or copied. `undefined` where the bytes are not a segment of this format. */
export function openSegment(given: Uint8Array): Segment | undefined {
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice();
  if (bytes.length < headBytes) return undefined;
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, headBytes / 4);
  if (head[0] !== magic) return undefined;
  for (let at = 0; at < columnCount; at += 1) {
    const [offset, length] = [head[headNumbers + 2 * at] ?? 0, head[headNumbers + 2 * at + 1] ?? 0];
    if (offset % 8 !== 0 || offset + length > bytes.length) return undefined;
  }
  let next = 0;
  const place = (): [ArrayBufferLike, number, number] => {
    const at = headNumbers + 2 * next++;
    return [bytes.buffer, bytes.byteOffset + (head[at] as number), head[at + 1] as number];
  };
  const float64 = () => {
    const [buffer, from, length] = place();
    return new Float64Array(buffer, from, length >> 3);
  };
  const uint32 = () => {
    const [buffer, from, length] = place();
    return new Uint32Array(buffer, from, length >> 2);
  };
  const uint16 = () => {
    const [buffer, from, length] = place();
    return new Uint16Array(buffer, from, length >> 1);
  };
  const uint8 = () => new Uint8Array(...place());
  const table = () => ({ offsets: uint32(), bytes: uint8() });
  const segment: Segment = {
    documents: head[1] as number,
    ats: float64(),
    places: float64(),
    numbers: uint32(),
    sessionOf: uint32(),
    lengths: uint16(),
    kinds: uint8(),
    ids: table(),
    sessions: table(),
    terms: table(),
    counts: uint32(),
    postingOffsets: uint32(),
    postings: uint8(),
  };
  return segment.ats.length === segment.documents ? segment : undefined;
}

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
