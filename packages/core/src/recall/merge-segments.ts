import { compareBytes } from "./compare-terms.ts";
import { createPostingReader, createPostingWriter } from "./postings.ts";
import { fieldCount, type Segment } from "./segment.ts";
import { textAt, toTextTable } from "./text-table.ts";

/** One segment with the documents of several, without those that are not kept and without terms only those had. */
export function mergeSegments(
  segments: readonly Segment[],
  isKept: (segment: Segment, document: number) => boolean = () => true,
): Segment {
  const moved = moveDocuments(segments, isKept);
  const reader = createPostingReader();
  const writer = createPostingWriter();
  const terms: string[] = [];
  const counts: number[] = [];
  const postingOffsets: number[] = [0];
  const cursors = segments.map(() => 0);

  /** Copies the postings of a term; gives how many were kept. */
  function copyPostings(at: number): number {
    const to = moved.numbersIn[at] as Int32Array;
    let kept = 0;
    reader.open(segments[at] as Segment, cursors[at] as number);
    for (let count = reader.read(); count > 0; count = reader.read()) {
      for (let index = 0; index < count; index += 1) {
        const document = to[reader.documents[index] as number] as number;
        if (document < 0) continue;
        writer.add(document, reader.frequencies[index] as number);
        kept += 1;
      }
    }
    return kept;
  }

  for (let least = leastTerm(segments, cursors); least.length > 0; least = leastTerm(segments, cursors)) {
    const first = least[0] as number;
    let kept = 0;
    for (const at of least) kept += copyPostings(at);
    writer.endTerm();
    if (kept > 0) {
      terms.push(textAt((segments[first] as Segment).terms, cursors[first] as number));
      counts.push(kept);
      postingOffsets.push(writer.length);
    }
    for (const at of least) cursors[at] = (cursors[at] as number) + 1;
  }
  return {
    ...moved.columns,
    terms: toTextTable(terms),
    counts: Uint32Array.from(counts),
    postingOffsets: Uint32Array.from(postingOffsets),
    postings: writer.toBytes(),
  };
}

/** The segments that stand at the least term any of them stands at; none when all are read. */
function leastTerm(segments: readonly Segment[], cursors: readonly number[]): readonly number[] {
  let least: number[] = [];
  for (const [at, { terms }] of segments.entries()) {
    const term = cursors[at] as number;
    if (term + 1 >= terms.offsets.length) continue;
    const best = least[0];
    const order = best === undefined ? -1 : compareAt(terms, term, segments[best], cursors[best] as number);
    if (order < 0) least = [at];
    else if (order === 0) least.push(at);
  }
  return least;
}

function compareAt(a: Segment["terms"], at: number, other: Segment | undefined, otherAt: number): number {
  const b = (other as Segment).terms;
  const from = a.offsets[at] as number;
  const otherFrom = b.offsets[otherAt] as number;
  return compareBytes(
    a.bytes,
    from,
    a.offsets[at + 1] as number,
    b.bytes,
    otherFrom,
    b.offsets[otherAt + 1] as number,
  );
}

/** The documents' columns behind one another, and each one's new number, -1 for those left out. */
function moveDocuments(
  segments: readonly Segment[],
  isKept: (segment: Segment, document: number) => boolean,
) {
  const kept: { readonly segment: Segment; readonly document: number }[] = [];
  const numbersIn = segments.map((segment) => {
    const numbers = new Int32Array(segment.documents).fill(-1);
    for (let document = 0; document < segment.documents; document += 1) {
      if (!isKept(segment, document)) continue;
      numbers[document] = kept.length;
      kept.push({ segment, document });
    }
    return numbers;
  });
  const sessions = new Map<string, number>();
  const sessionNumber = (session: string) => {
    if (!sessions.has(session)) sessions.set(session, sessions.size);
    return sessions.get(session) as number;
  };
  const sessionOf = Uint32Array.from(kept, ({ segment, document }) =>
    sessionNumber(textAt(segment.sessions, segment.sessionOf[document] as number)),
  );
  const lengths = new Uint16Array(kept.length * fieldCount);
  for (const [at, { segment, document }] of kept.entries())
    lengths.set(
      segment.lengths.subarray(document * fieldCount, (document + 1) * fieldCount),
      at * fieldCount,
    );
  const columns = {
    documents: kept.length,
    ats: Float64Array.from(kept, ({ segment, document }) => segment.ats[document] as number),
    places: Float64Array.from(kept, ({ segment, document }) => segment.places[document] as number),
    numbers: Uint32Array.from(kept, ({ segment, document }) => segment.numbers[document] as number),
    sessionOf,
    lengths,
    kinds: Uint8Array.from(kept, ({ segment, document }) => segment.kinds[document] as number),
    ids: toTextTable(kept.map(({ segment, document }) => textAt(segment.ids, document))),
    sessions: toTextTable([...sessions.keys()]),
  };
  return { numbersIn, columns };
}
