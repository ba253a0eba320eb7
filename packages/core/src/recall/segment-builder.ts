import { addFrequency, createPostingWriter } from "./postings.ts";
import { maxFieldChars, type RecallDocument, recallFields, recallKinds } from "./recall-document.ts";
import { fieldCount, type Segment, toTextTable } from "./segment.ts";
import { compareTerms, type Tokenizer } from "./tokenizer.ts";

const maxLength = 0xffff;

export interface SegmentBuilder {
  readonly documents: number;
  add(document: RecallDocument): void;
  toSegment(): Segment;
}

export function createSegmentBuilder(tokenizer: Tokenizer): SegmentBuilder {
  const heads: Omit<RecallDocument, "fields">[] = [];
  const lengths: number[] = [];
  const vocabulary = new Map<string, number>();
  const sessions = new Map<string, number>();
  const postings = createGrowingColumns();
  /** By term: the last document that held it, and where its posting stands. */
  const lastDocument: number[] = [];
  const lastPosting: number[] = [];

  function termNumber(term: string): number {
    const known = vocabulary.get(term);
    if (known !== undefined) return known;
    const number = vocabulary.size;
    vocabulary.set(term, number);
    lastDocument.push(-1);
    lastPosting.push(0);
    return number;
  }

  function count(document: number, term: number, field: number): void {
    if (lastDocument[term] !== document) {
      lastDocument[term] = document;
      lastPosting[term] = postings.add(term, document);
    }
    const at = lastPosting[term] as number;
    postings.frequencies[at] = addFrequency(postings.frequencies[at] as number, field);
  }

  return {
    get documents() {
      return heads.length;
    },
    add({ fields, ...head }) {
      const document = heads.length;
      heads.push(head);
      if (!sessions.has(head.session)) sessions.set(head.session, sessions.size);
      for (const [field, name] of recallFields.entries()) {
        const { terms, length } = tokenizer.measure((fields[name] ?? "").slice(0, maxFieldChars));
        lengths.push(Math.min(maxLength, length));
        for (const term of terms) count(document, termNumber(term), field);
      }
    },
    toSegment() {
      const terms = [...vocabulary.keys()].sort(compareTerms);
      const order = terms.map((term) => vocabulary.get(term) as number);
      const grouped = postings.grouped(vocabulary.size);
      const writer = createPostingWriter();
      const postingOffsets = new Uint32Array(terms.length + 1);
      const counts = new Uint32Array(terms.length);
      for (const [at, term] of order.entries()) {
        const [from, to] = [grouped.starts[term] as number, grouped.starts[term + 1] as number];
        for (let index = from; index < to; index += 1)
          writer.add(grouped.documents[index] as number, grouped.frequencies[index] as number);
        writer.endTerm();
        counts[at] = to - from;
        postingOffsets[at + 1] = writer.length;
      }
      return {
        documents: heads.length,
        ats: Float64Array.from(heads, ({ atMs }) => atMs),
        places: Float64Array.from(heads, ({ place }) => place),
        numbers: Uint32Array.from(heads, ({ number }) => number),
        sessionOf: Uint32Array.from(heads, ({ session }) => sessions.get(session) as number),
        lengths: Uint16Array.from(lengths).subarray(0, heads.length * fieldCount),
        kinds: Uint8Array.from(heads, ({ kind }) => recallKinds.indexOf(kind)),
        ids: toTextTable(heads.map(({ id }) => id)),
        sessions: toTextTable([...sessions.keys()]),
        terms: toTextTable(terms),
        counts,
        postingOffsets,
        postings: writer.toBytes(),
      };
    },
  };
}

/** Postings in the order in which documents came, in columns that grow. */
interface GrowingColumns {
  /** Replaced when the columns grow: read it anew after each `add`. */
  readonly frequencies: Uint16Array;
  /** Where the posting stands. */
  add(term: number, document: number): number;
  /** The postings by term; those of term n from `starts[n]` to `starts[n + 1]`, by document. */
  grouped(terms: number): {
    readonly starts: Uint32Array;
    readonly documents: Uint32Array;
    readonly frequencies: Uint16Array;
  };
}

function createGrowingColumns(): GrowingColumns {
  let termColumn = new Uint32Array(1024);
  let documentColumn = new Uint32Array(1024);
  let frequencies = new Uint16Array(1024);
  let count = 0;

  function grow(): void {
    const size = termColumn.length * 2;
    const [terms, documents, packed] = [new Uint32Array(size), new Uint32Array(size), new Uint16Array(size)];
    terms.set(termColumn);
    documents.set(documentColumn);
    packed.set(frequencies);
    termColumn = terms;
    documentColumn = documents;
    frequencies = packed;
  }

  return {
    get frequencies() {
      return frequencies;
    },
    add(term, document) {
      if (count === termColumn.length) grow();
      termColumn[count] = term;
      documentColumn[count] = document;
      count += 1;
      return count - 1;
    },
    grouped(terms) {
      const starts = new Uint32Array(terms + 1);
      for (let at = 0; at < count; at += 1) {
        const next = (termColumn[at] as number) + 1;
        starts[next] = (starts[next] as number) + 1;
      }
      for (let term = 0; term < terms; term += 1)
        starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
      const free = starts.slice();
      const [documents, packed] = [new Uint32Array(count), new Uint16Array(count)];
      for (let at = 0; at < count; at += 1) {
        const term = termColumn[at] as number;
        const to = free[term] as number;
        free[term] = to + 1;
        documents[to] = documentColumn[at] as number;
        packed[to] = frequencies[at] as number;
      }
      return { starts, documents, frequencies: packed };
    },
  };
}
