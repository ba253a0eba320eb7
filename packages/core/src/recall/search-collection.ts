import type { RecallKind } from "../spec/index.ts";
import type { Collection } from "./collection.ts";
import { maxPrior, priorOf, rankingNumbers } from "./ranking-numbers.ts";
import { recallKinds } from "./recall-document.ts";
import { documentKey } from "./segment.ts";
import { createTermScorer } from "./term-scores.ts";
import { findText, textAt } from "./text-table.ts";
import { createTopK } from "./top-k.ts";

export interface RankedDocument {
  /** Counted through the collection. */
  readonly document: number;
  readonly score: number;
  readonly atMs: number;
}

export interface RankingFilter {
  readonly kinds?: readonly RecallKind[];
  readonly sinceMs?: number;
  readonly exceptSession?: string;
}

export interface RankingQuery extends RankingFilter {
  readonly terms: readonly string[];
  readonly limit: number;
  readonly nowMs: number;
  /** How often a memory was used. */
  readonly usesOf?: (path: string) => number;
  /** Asked before each block of postings; once it says no, what was found so far is ranked. */
  readonly hasTime?: () => boolean;
}

export interface Ranking {
  /** Best first; equal ones the newest first. */
  readonly ranked: readonly RankedDocument[];
  readonly isPartial: boolean;
}

export interface CollectionSearch {
  rank(query: RankingQuery): Ranking;
}

const memoryKind = recallKinds.indexOf("memory");
const { neighbourShare } = rankingNumbers;
/** Under 1 by more than divisions round. */
const roundingSlack = 1 - 1e-12;
const always = () => true;

/** Keeps a number for each document between queries; one query at a time. */
export function createCollectionSearch(collection: Collection): CollectionSearch {
  const scorer = createTermScorer(collection);
  const compare = compareIn(collection);
  return {
    rank(query) {
      const { scores, touched, count, isPartial } = scorer.score(query.terms, query.hasTime ?? always);
      const { neighbours } = collection;
      const admits = createFilter(collection, query);
      const best = createTopK(query.limit, compare);
      /** What no prior can lift over the worst that is kept is not looked at. */
      let least = query.limit === 0 ? Number.POSITIVE_INFINITY : 0;
      for (let at = 0; at < count; at += 1) {
        const document = touched[at] as number;
        const earlier = neighbours.before(document);
        const later = neighbours.behind(document);
        const near =
          (earlier < 0 ? 0 : (scores[earlier] as number)) + (later < 0 ? 0 : (scores[later] as number));
        const base = (scores[document] as number) + neighbourShare * near;
        if (base < least || !admits(document)) continue;
        const { segment, document: own } = collection.segmentOf(document);
        const atMs = segment.ats[own] as number;
        const isMemory = segment.kinds[own] === memoryKind;
        const uses = isMemory && query.usesOf ? query.usesOf(textAt(segment.ids, own)) : 0;
        const score = base * priorOf(query.nowMs - atMs, uses);
        best.offer({ document, score, atMs });
        if (best.count === query.limit) least = ((best.worst?.score ?? 0) / maxPrior) * roundingSlack;
      }
      return { ranked: best.toSorted(), isPartial };
    },
  };
}

/** Best first; the order of equal ones does not depend on where in the index they stand. */
export function compareIn(collection: Collection): (a: RankedDocument, b: RankedDocument) => number {
  return (a, b) => {
    if (a.score !== b.score) return b.score - a.score;
    if (a.atMs !== b.atMs) return b.atMs - a.atMs;
    return documentKey(collection.head(a.document)) < documentKey(collection.head(b.document)) ? -1 : 1;
  };
}

export function createFilter(
  collection: Collection,
  { kinds, sinceMs, exceptSession }: RankingFilter,
): (document: number) => boolean {
  const wanted = kinds && recallKinds.map((kind) => kinds.includes(kind));
  const excepted =
    exceptSession === undefined
      ? undefined
      : new Map(collection.segments.map((one) => [one, findText(one.sessions, exceptSession)]));
  return (document) => {
    const { segment, document: own } = collection.segmentOf(document);
    if (wanted && !wanted[segment.kinds[own] as number]) return false;
    if (sinceMs !== undefined && (segment.ats[own] as number) < sinceMs) return false;
    return excepted === undefined || segment.sessionOf[own] !== excepted.get(segment);
  };
}
