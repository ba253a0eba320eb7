import { findNeighbours, type Neighbours } from "./neighbours.ts";
import type { RecallDocumentHead } from "./recall-document.ts";
import { documentHead, fieldCount, type Segment } from "./segment.ts";

/** Segments seen as one: documents are counted through all of them. */
export interface Collection {
  readonly segments: readonly Segment[];
  /** The number of each segment's first document. */
  readonly bases: readonly number[];
  readonly documents: number;
  /** The mean length of each field, over the documents that have it. */
  readonly meanLengths: readonly number[];
  readonly neighbours: Neighbours;
  segmentOf(document: number): { readonly segment: Segment; readonly document: number };
  head(document: number): RecallDocumentHead;
}

export function createCollection(segments: readonly Segment[]): Collection {
  const bases: number[] = [];
  let documents = 0;
  for (const segment of segments) {
    bases.push(documents);
    documents += segment.documents;
  }
  let neighbours: Neighbours | undefined;

  function segmentOf(document: number) {
    let at = bases.length - 1;
    while ((bases[at] as number) > document) at -= 1;
    return { segment: segments[at] as Segment, document: document - (bases[at] as number) };
  }

  return {
    segments,
    bases,
    documents,
    meanLengths: meanLengths(segments),
    get neighbours() {
      neighbours ??= findNeighbours(segments, documents);
      return neighbours;
    },
    segmentOf,
    head(document) {
      const found = segmentOf(document);
      return documentHead(found.segment, found.document);
    },
  };
}

function meanLengths(segments: readonly Segment[]): readonly number[] {
  const sums = new Float64Array(fieldCount);
  const counts = new Float64Array(fieldCount);
  for (const { lengths } of segments) addLengths(lengths, sums, counts);
  return Array.from(sums, (sum, field) => (sum === 0 ? 1 : sum / (counts[field] as number)));
}

function addLengths(lengths: Uint16Array, sums: Float64Array, counts: Float64Array): void {
  for (let at = 0; at < lengths.length; at += 1) {
    const length = lengths[at] as number;
    if (length === 0) continue;
    const field = at % fieldCount;
    sums[field] = (sums[field] as number) + length;
    counts[field] = (counts[field] as number) + 1;
  }
}
