import type { Segment } from "./segment.ts";

/** Postings are read in blocks: what is looked at between two looks at the budget. */
export const blockPostings = 128;

/**
 * How often a term stands in each field, in one number: five bits for the body, three for each other field. A term
 * that stands there more often counts as that often, which the score hardly tells apart.
 */
export const fieldShifts = [0, 5, 8, 11] as const;
const fieldLimits = [31, 7, 7, 7] as const;

export function addFrequency(packed: number, field: number): number {
  const shift = fieldShifts[field] as number;
  const limit = fieldLimits[field] as number;
  return ((packed >> shift) & limit) === limit ? packed : packed + (1 << shift);
}

export function frequencyIn(packed: number, field: number): number {
  return (packed >> (fieldShifts[field] as number)) & (fieldLimits[field] as number);
}

/** Once in the body and nowhere else: most postings. */
export const onceInBody = 1;

export interface PostingWriter {
  readonly length: number;
  /** Documents of a term in growing order. */
  add(document: number, packed: number): void;
  endTerm(): void;
  toBytes(): Uint8Array;
}

/** A posting is its distance to the one before, doubled, plus one if it is `onceInBody`; else its frequencies follow. */
export function createPostingWriter(): PostingWriter {
  let bytes = new Uint8Array(1024);
  let length = 0;
  let previous = 0;

  function put(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes[length++] = (rest & 0x7f) | 0x80;
    bytes[length++] = rest;
  }

  return {
    get length() {
      return length;
    },
    add(document, packed) {
      if (length + 16 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      const distance = (document - previous) * 2;
      previous = document;
      if (packed === onceInBody) put(distance + 1);
      else {
        put(distance);
        put(packed);
      }
    },
    endTerm() {
      previous = 0;
    },
    toBytes: () => bytes.slice(0, length),
  };
}

export interface PostingReader {
  readonly documents: Uint32Array;
  readonly frequencies: Uint16Array;
  open(segment: Segment, term: number): void;
  /** Fills both columns with the next block; gives how many, 0 at the end. */
  read(): number;
}

export function createPostingReader(): PostingReader {
  const documents = new Uint32Array(blockPostings);
  const frequencies = new Uint16Array(blockPostings);
  let bytes = new Uint8Array();
  let at = 0;
  let left = 0;
  let document = 0;

  function take(): number {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }

  return {
    documents,
    frequencies,
    open(segment, term) {
      bytes = segment.postings as Uint8Array<ArrayBuffer>;
      at = segment.postingOffsets[term] as number;
      left = segment.counts[term] as number;
      document = 0;
    },
    read() {
      const count = Math.min(left, blockPostings);
      for (let index = 0; index < count; index += 1) {
        const coded = take();
        document += coded >>> 1;
        documents[index] = document;
        frequencies[index] = (coded & 1) === 1 ? onceInBody : take();
      }
      left -= count;
      return count;
    },
  };
}
