import { createPostingReader, createPostingWriter } from "./postings.ts";
import type { KindSegment, RecallContents, RecallProgress } from "./recall-document.ts";
import { fieldCount, type Segment, textAt, toTextTable } from "./segment.ts";
import { compareBytes } from "./tokenizer.ts";

/** So many segments of one kind and of about one size are put together into one. */
const mergedSegments = 8;

export interface RecallChange {
  readonly added: readonly KindSegment[];
  /** Paths of memories that are gone or come anew. */
  readonly droppedMemories: ReadonlySet<string>;
  /** Sessions whose notes are gone or come anew. */
  readonly droppedNotes: ReadonlySet<string>;
  /** Sessions of which nothing stays. */
  readonly droppedSessions: ReadonlySet<string>;
  readonly progress: RecallProgress;
}

/**
 * The contents after a change. What is dropped leaves its segment at once, with every word that only it had, so counts
 * are always those of an index made from scratch.
 */
export function nextContents(present: RecallContents, change: RecallChange): RecallContents {
  const kept = present.segments.flatMap((one) => withoutDropped(one, change));
  const added = change.added.filter(({ segment }) => segment.documents > 0);
  return { ...present, segments: mergeTiers([...kept, ...added]), progress: change.progress };
}

function withoutDropped(one: KindSegment, change: RecallChange): readonly KindSegment[] {
  const { kind, segment } = one;
  const table = kind === "memory" ? segment.ids : segment.sessions;
  const names = kind === "memory" ? change.droppedMemories : droppedSessions(kind, change);
  if (names.size === 0) return [one];
  const dropped = new Set<number>();
  for (let at = 0; at + 1 < table.offsets.length; at += 1) if (names.has(textAt(table, at))) dropped.add(at);
  if (dropped.size === 0) return [one];
  const nameOf = (document: number) =>
    kind === "memory" ? document : (segment.sessionOf[document] as number);
  const rest = mergeSegments([segment], (_, document) => !dropped.has(nameOf(document)));
  return rest.documents === 0 ? [] : [{ kind, segment: rest }];
}

function droppedSessions(kind: KindSegment["kind"], change: RecallChange): ReadonlySet<string> {
  return kind === "notes"
    ? new Set([...change.droppedSessions, ...change.droppedNotes])
    : change.droppedSessions;
}

const tierOf = ({ documents }: Segment) => Math.floor(Math.log(documents) / Math.log(mergedSegments) + 1e-9);

/** Each document is put together with others about once for every tier, and there are few segments at any time. */
function mergeTiers(segments: readonly KindSegment[]): readonly KindSegment[] {
  const tiers = new Map<string, KindSegment[]>();
  for (const one of segments) {
    const tier = `${one.kind} ${tierOf(one.segment)}`;
    tiers.set(tier, [...(tiers.get(tier) ?? []), one]);
  }
  const full = [...tiers.values()].find((tier) => tier.length >= mergedSegments);
  if (full === undefined) return segments;
  const merged = mergeSegments(full.map(({ segment }) => segment));
  const others = segments.filter((one) => !full.includes(one));
  return mergeTiers([...others, { kind: (full[0] as KindSegment).kind, segment: merged }]);
}

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
