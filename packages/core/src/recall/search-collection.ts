import type { RecallKind } from "../spec/index.ts";
import type { Collection } from "./collection.ts";
import { maxFieldChars, maxPrior, priorOf, rankingNumbers, recallKinds } from "./recall-document.ts";
import { documentKey, findText, textAt } from "./segment.ts";
import { createTermScorer } from "./term-scores.ts";
import type { Tokenizer } from "./tokenizer.ts";

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

interface Ranking {
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
      /** Documents no prior can lift over the worst that is kept are not looked at. */
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

/** Keeps the best `size` of what is offered, in memory for that many and no more. */
interface TopK<Item> {
  /** How many are kept now. */
  readonly count: number;
  /** The worst that is kept: what is no better than it need not be offered once `count` is `size`. */
  readonly worst: Item | undefined;
  offer(item: Item): void;
  /** Best first. */
  toSorted(): Item[];
}

/** `compare` is as for `sort`, best first. A heap with the worst on top: each offer costs O(log size) at most. */
export function createTopK<Item>(size: number, compare: (a: Item, b: Item) => number): TopK<Item> {
  const heap: Item[] = [];
  const isWorse = (a: number, b: number) => compare(heap[a] as Item, heap[b] as Item) > 0;
  const swap = (a: number, b: number) => {
    const held = heap[a] as Item;
    heap[a] = heap[b] as Item;
    heap[b] = held;
  };

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && isWorse(left + 1, left) ? left + 1 : left;
      if (!isWorse(child, at)) return;
      swap(at, child);
      at = child;
    }
  }

  return {
    get count() {
      return heap.length;
    },
    get worst() {
      return heap[0];
    },
    offer(item) {
      if (heap.length < size) {
        heap.push(item);
        rise(heap.length - 1);
      } else if (size > 0 && compare(item, heap[0] as Item) < 0) {
        heap[0] = item;
        sink();
      }
    },
    toSorted: () => heap.toSorted(compare),
  };
}

/**
 * One ranking of several: each gives a document one part in `fusionRank` plus its rank, and the parts are added. Scores
 * of different makings need not be comparable. Best first; equal ones in the order of the first ranking that has them.
 */
export function fuseRanks<Document extends number | string>(
  rankings: readonly (readonly Document[])[],
): readonly { readonly document: Document; readonly score: number }[] {
  const scores = new Map<Document, number>();
  for (const ranking of rankings)
    for (const [rank, document] of ranking.entries())
      scores.set(document, (scores.get(document) ?? 0) + 1 / (rankingNumbers.fusionRank + rank + 1));
  return [...scores].map(([document, score]) => ({ document, score })).sort((a, b) => b.score - a.score);
}

export const snippetChars = 240;
const leadChars = 40;

/** The part of a text with the most different terms of the query, on one line; its beginning where it has none. */
export function snippetOf(text: string, queryTerms: readonly string[], tokenizer: Tokenizer): string {
  const looked = text.slice(0, maxFieldChars);
  const wanted = new Set(queryTerms);
  const found: { readonly at: number; readonly terms: readonly string[] }[] = [];
  for (const { 0: word, index } of looked.matchAll(/[^\s]+/g)) {
    const terms = tokenizer.terms(word, "document").filter((term) => wanted.has(term));
    if (terms.length > 0) found.push({ at: index, terms });
  }
  const start = bestStart(found);
  const from = start < leadChars ? 0 : wordStart(looked, start - leadChars);
  const cut = text.slice(from, from + snippetChars).toWellFormed();
  const line = cut.replaceAll(/\s+/g, " ").trim();
  return `${from > 0 ? "… " : ""}${line}${from + snippetChars < text.length ? " …" : ""}`;
}

/** Where the window with the most different terms begins. */
function bestStart(found: readonly { readonly at: number; readonly terms: readonly string[] }[]): number {
  let best = { at: 0, terms: 0 };
  for (const [first, { at }] of found.entries()) {
    const terms = new Set<string>();
    for (let next = first; next < found.length; next += 1) {
      const word = found[next] as (typeof found)[number];
      if (word.at > at + snippetChars - leadChars) break;
      for (const term of word.terms) terms.add(term);
    }
    if (terms.size > best.terms) best = { at, terms: terms.size };
  }
  return best.at;
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + leadChars).search(/\s/);
  return space < 0 ? at : at + space + 1;
}
