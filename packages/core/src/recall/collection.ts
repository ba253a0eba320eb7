import { type RecallDocumentHead, recallKinds } from "./recall-document.ts";
import { documentHead, fieldCount, type Segment, textAt } from "./segment.ts";

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

const messageKind = recallKinds.indexOf("message");

/** The message before and the one behind each message, over all segments: -1 where there is none. */
interface Neighbours {
  before(document: number): number;
  behind(document: number): number;
}

/**
 * Documents are counted through all segments. One byte a document says whether it goes on where the one before it
 * stopped; names are compared only for runs of one session's messages that go on in another segment: those that begin
 * with another number than 1.
 */
function findNeighbours(segments: readonly Segment[], documents: number): Neighbours {
  const follows = new Uint8Array(documents + 1);
  const starts: PlacedSegment[] = [];
  let base = 0;
  for (const segment of segments) {
    markRuns(segment, base, follows, starts);
    base += segment.documents;
  }
  const joined = joinRuns(segments, starts, follows);
  return {
    before: (document) => (follows[document] === 1 ? document - 1 : (joined.before.get(document) ?? -1)),
    behind: (document) => (follows[document + 1] === 1 ? document + 1 : (joined.behind.get(document) ?? -1)),
  };
}

interface PlacedSegment {
  readonly segment: Segment;
  readonly base: number;
  readonly at: number;
}

function markRuns(segment: Segment, base: number, follows: Uint8Array, starts: PlacedSegment[]): void {
  const { kinds, sessionOf, numbers, documents } = segment;
  let [session, next] = [-1, -1];
  for (let at = 0; at < documents; at += 1) {
    if (kinds[at] !== messageKind) {
      session = -1;
      continue;
    }
    const number = numbers[at] as number;
    if (number === next && sessionOf[at] === session) follows[base + at] = 1;
    else if (number > 1) starts.push({ segment, base, at });
    session = sessionOf[at] as number;
    next = number + 1;
  }
}

/** Finds the message before each start among the ends of other runs. */
function joinRuns(segments: readonly Segment[], starts: readonly PlacedSegment[], follows: Uint8Array) {
  const before = new Map<number, number>();
  const behind = new Map<number, number>();
  const wanted = new Map<string, number>();
  for (const { segment, base, at } of starts) wanted.set(keyOf(segment, at, -1), base + at);
  const numbers = new Set(starts.map(({ segment, at }) => (segment.numbers[at] as number) - 1));
  let base = 0;
  for (const segment of starts.length === 0 ? [] : segments) {
    for (let at = 0; at < segment.documents; at += 1) {
      if (follows[base + at + 1] === 1 || !numbers.has(segment.numbers[at] as number)) continue;
      const start = segment.kinds[at] === messageKind ? wanted.get(keyOf(segment, at, 0)) : undefined;
      if (start === undefined) continue;
      before.set(start, base + at);
      behind.set(base + at, start);
    }
    base += segment.documents;
  }
  return { before, behind };
}

function keyOf({ sessions, sessionOf, numbers }: Segment, at: number, distance: number): string {
  return `${(numbers[at] as number) + distance}\n${textAt(sessions, sessionOf[at] as number)}`;
}
