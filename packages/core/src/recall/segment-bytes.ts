import type { Segment } from "./segment.ts";

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
