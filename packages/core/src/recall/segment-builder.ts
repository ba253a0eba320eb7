import { compareTerms } from "./compare-terms.ts";
import { createGrowingColumns } from "./growing-columns.ts";
import { addFrequency, createPostingWriter } from "./postings.ts";
import { maxFieldChars, type RecallDocument, recallFields, recallKinds } from "./recall-document.ts";
import { fieldCount, type Segment } from "./segment.ts";
import { toTextTable } from "./text-table.ts";
import type { Tokenizer } from "./tokenizer.ts";

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
