import { blockPostings, frequencyIn } from "../../../recall/postings.ts";
import { rankingNumbers } from "../../../recall/ranking-numbers.ts";
import { type DocumentFacts, decodeFacts } from "./document-facts.ts";
import { factsAt, packedAt, postingBytes, type TermPostings } from "./read-postings.ts";

/** A document that holds a word of the query. */
export interface Candidate {
  readonly document: number;
  readonly facts: DocumentFacts;
  /** What its own words make. */
  score: number;
}

export type Candidates = Map<number, Candidate>;

const { saturation, fieldWeights, lengthWeights } = rankingNumbers;

/** The most that a term can add to a score, however often it stands in a document. */
export const mostOf = (rarity: number) => rarity * (saturation + 1);

/**
 * BM25 over fields: how often a word stands in each field is weighed by field and length before it saturates. Adds to
 * `candidates`; those that are in `settled` have all their words. False once `goOn` says so.
 */
export function scorePostings(
  postings: readonly TermPostings[],
  meanLengths: readonly number[],
  candidates: Candidates,
  settled: ReadonlySet<number>,
  goOn: () => boolean,
): boolean {
  for (const { term, bytes } of postings) {
    const most = mostOf(term.rarity);
    for (let at = 0; at < bytes.length; at += postingBytes) {
      if (at % (blockPostings * postingBytes) === 0 && !goOn()) return false;
      const document = bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
      if (settled.has(document)) continue;
      let candidate = candidates.get(document);
      if (candidate === undefined) {
        candidate = { document, facts: decodeFacts(bytes, at + factsAt), score: 0 };
        candidates.set(document, candidate);
      }
      const weight = weigh(bytes.readUInt16BE(at + packedAt), candidate.facts, meanLengths);
      candidate.score += most * (weight / (weight + saturation));
    }
  }
  return goOn();
}

/** How much a term's occurrences in all fields of a document weigh, before saturation. */
function weigh(packed: number, { lengths }: DocumentFacts, meanLengths: readonly number[]): number {
  let weight = 0;
  for (let field = 0; field < lengths.length; field += 1) {
    const times = frequencyIn(packed, field);
    if (times === 0) continue;
    const lengthWeight = lengthWeights[field] as number;
    const share = (lengths[field] as number) / (meanLengths[field] as number);
    weight += ((fieldWeights[field] as number) * times) / (1 - lengthWeight + lengthWeight * share);
  }
  return weight;
}
