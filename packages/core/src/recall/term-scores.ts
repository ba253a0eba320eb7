import type { Collection } from "./collection.ts";
import { createPostingReader, fieldShifts, frequencyIn, type PostingReader } from "./postings.ts";
import { rankingNumbers } from "./recall-document.ts";
import { fieldCount, findSorted, type Segment } from "./segment.ts";

/** Scores of all documents that hold a word of the query; the others have 0. */
export interface TermScores {
  /** By document. Read only until the next query. */
  readonly scores: Float64Array;
  /** The documents with a score, in the order found: the first `count` of it. */
  readonly touched: Uint32Array;
  readonly count: number;
  readonly isPartial: boolean;
}

export interface TermScorer {
  /** `hasTime` is asked before each block of postings. */
  score(terms: readonly string[], hasTime: () => boolean): TermScores;
}

interface FoundTerm {
  readonly term: string;
  readonly rarity: number;
  /** By segment: the term's number in it, or -1. */
  readonly at: readonly number[];
}

/** BM25 over fields: how often a word stands in each field is weighed by field and length before it saturates. */
export function createTermScorer(collection: Collection): TermScorer {
  const { segments, bases, documents } = collection;
  const scores = new Float64Array(documents);
  const touched = new Uint32Array(documents);
  const reader = createPostingReader();
  const weigh = createWeigher(collection);
  const bodyNorms = toBodyNorms(collection);
  let count = 0;

  function find(term: string): FoundTerm {
    const at = segments.map((segment) => findSorted(segment.terms, term));
    const holding = at.reduce(
      (sum, number, index) =>
        sum + (number < 0 ? 0 : ((segments[index] as Segment).counts[number] as number)),
      0,
    );
    return { term, at, rarity: Math.log(1 + (documents - holding + 0.5) / (holding + 0.5)) };
  }

  /** Most postings are of the body alone: their weight over length is taken apart, so that one division is left. */
  function addBlock(size: number, segment: Segment, base: number, rarity: number): void {
    const { documents: found, frequencies } = reader;
    const most = rarity * (saturation + 1);
    for (let index = 0; index < size; index += 1) {
      const own = found[index] as number;
      const document = base + own;
      const packed = frequencies[index] as number;
      let share = 0;
      if (packed < bodyLimit) share = packed / (packed + (bodyNorms[document] as number));
      else {
        const weight = weigh(segment, own, packed);
        share = weight / (weight + saturation);
      }
      const held = scores[document] as number;
      if (held === 0) touched[count++] = document;
      scores[document] = held + most * share;
    }
  }

  return {
    score(terms, hasTime) {
      for (let at = 0; at < count; at += 1) scores[touched[at] as number] = 0;
      count = 0;
      const found = [...new Set(terms)].map(find).filter(({ at }) => at.some((number) => number >= 0));
      found.sort((a, b) => b.rarity - a.rarity || (a.term < b.term ? -1 : 1));
      for (const { at, rarity } of found)
        for (const [index, segment] of segments.entries()) {
          if ((at[index] as number) < 0) continue;
          if (
            !readTerm(reader, segment, at[index] as number, hasTime, (size) =>
              addBlock(size, segment, bases[index] as number, rarity),
            )
          )
            return { scores, touched, count, isPartial: true };
        }
      return { scores, touched, count, isPartial: false };
    },
  };
}

/** False once `hasTime` says so. */
function readTerm(
  reader: PostingReader,
  segment: Segment,
  term: number,
  hasTime: () => boolean,
  use: (size: number) => void,
): boolean {
  reader.open(segment, term);
  while (hasTime()) {
    const size = reader.read();
    if (size === 0) return true;
    use(size);
  }
  return false;
}

const bodyLimit = 1 << fieldShifts[1];
const { saturation, fieldWeights, lengthWeights } = rankingNumbers;

/** The amount a body of this length adds below the line, by document. */
function toBodyNorms({ segments, bases, documents, meanLengths }: Collection): Float64Array {
  const norms = new Float64Array(documents);
  const slope = (saturation * lengthWeights[0]) / (meanLengths[0] as number);
  const start = saturation * (1 - lengthWeights[0]);
  for (const [at, { lengths, documents: count }] of segments.entries()) {
    const base = bases[at] as number;
    for (let own = 0; own < count; own += 1)
      norms[base + own] = start + slope * (lengths[own * fieldCount] as number);
  }
  return norms;
}

/** How much a term's occurrences in all fields of a document weigh, before saturation. */
function createWeigher({ meanLengths }: Collection) {
  return (segment: Segment, document: number, packed: number): number => {
    let weight = 0;
    for (let field = 0; field < fieldCount; field += 1) {
      const times = frequencyIn(packed, field);
      if (times === 0) continue;
      const lengthWeight = lengthWeights[field] as number;
      const share =
        (segment.lengths[document * fieldCount + field] as number) / (meanLengths[field] as number);
      weight += ((fieldWeights[field] as number) * times) / (1 - lengthWeight + lengthWeight * share);
    }
    return weight;
  };
}
