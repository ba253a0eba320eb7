import { blockPostings, frequencyIn, onceInBody } from "../../../recall/postings.ts";
import { maxPrior, priorOf, rankingNumbers } from "../../../recall/recall-document.ts";
import {
  ok,
  type RecallFilter,
  type RecallRanking,
  type RecallRequest,
  type Result,
} from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { bestDocuments, readHeads, type ScoredDocument } from "./best-documents.ts";
import { type HeldTerm, type HeldTerms, readTerms } from "./read-terms.ts";
import {
  type DocumentFacts,
  decodeFacts,
  factsBytes,
  filterValues,
  isChosen,
  memoryKind,
  messageKind,
  type RecallRows,
  withOneRevision,
} from "./recall-rows.ts";

const { neighbourShare } = rankingNumbers;

/**
 * As `bestDocuments`, of those that the question admits. A message has a share of the
 * scores of the one before and the one behind, admitted or not. `usesOf` is by document.
 */
function bestCandidates(
  candidates: Candidates,
  { limit, nowMs, sinceMs }: RecallRequest,
  usesOf: ReadonlyMap<number, number>,
): readonly ScoredDocument[] {
  const near = scoresAround(candidates);
  const scored: ScoredDocument[] = [];
  for (const one of candidates.values()) {
    const { atMs } = one.facts;
    if (sinceMs !== undefined && atMs < sinceMs) continue;
    const prior = priorOf(nowMs - atMs, usesOf.get(one.document) ?? 0);
    scored.push({ document: one.document, score: (one.score + neighbourShare * near(one)) * prior, atMs });
  }
  return bestDocuments(scored, limit);
}

/** The scores of the messages before and behind, together. */
function scoresAround(candidates: Candidates): (one: Candidate) => number {
  const sessions = new Map<bigint, Map<number, number>>();
  for (const { facts, score } of candidates.values()) {
    if (facts.kind !== messageKind) continue;
    const session = sessions.get(facts.session) ?? new Map<number, number>();
    sessions.set(facts.session, session.set(facts.number, score));
  }
  return ({ facts }) => {
    const session = facts.kind === messageKind ? sessions.get(facts.session) : undefined;
    return (session?.get(facts.number - 1) ?? 0) + (session?.get(facts.number + 1) ?? 0);
  };
}

export interface RankingRows extends RecallRows {
  /** So many postings are read for a query at most; of words that have more, the newest. */
  readonly maxPostings?: number;
}

const defaultMaxPostings = 40_000;
/** Up to this share of them all are read at once, without asking whether fewer would do. */
const easyShare = 1 / 5;
/** So many hold the words that count as rare: what stands around each of them is read too. */
const rareShare = 1 / 20;

/** The messages before and behind, at most. */
const mostNeighbours = 1 + 2 * rankingNumbers.neighbourShare;

interface Found {
  readonly best: readonly ScoredDocument[];
  readonly isPartial: boolean;
}

export async function rankDocuments(
  rows: RankingRows,
  request: RecallRequest,
): Promise<Result<RecallRanking>> {
  if (request.terms.length === 0 || request.limit <= 0)
    return ok({ ranked: [], isPartial: false, problems: [] });
  return withOneRevision(rows, async (run) => {
    const held = await readTerms(rows, run, request.terms);
    const { best, isPartial } = await findBest(rows, run, held, request);
    return { ranked: await readHeads(rows, run, best, request.limit), isPartial, problems: [] };
  });
}

/**
 * Documents with the rarest words are read first. The others hold only frequent words, and so do the messages around
 * them: where all of these together make less than the last of those that were found, they are not read. Where they
 * have to be, and are too many, the newest are.
 */
async function findBest(
  rows: RankingRows,
  run: Run,
  held: HeldTerms,
  request: RecallRequest,
): Promise<Found> {
  const { terms, meanLengths } = held;
  const { maxPostings = defaultMaxPostings } = rows;
  const { hasTime = () => true } = request;
  const candidates: Candidates = new Map();
  const best = async () =>
    bestCandidates(candidates, request, await readUses(rows, run, candidates, request.usesOf));
  if (terms.length === 0) return { best: [], isPartial: false };
  if (!hasTime()) return { best: [], isPartial: true };
  const none = new Set<number>();
  if (sumOf(terms) <= maxPostings * easyShare) {
    const postings = await readPostings(rows, run, terms, request, maxPostings);
    const isWhole = scorePostings(postings, meanLengths, candidates, none, hasTime);
    return { best: await best(), isPartial: !isWhole };
  }
  const rare = rarestOf(terms, maxPostings * rareShare);
  const frequent = terms.slice(rare.length);
  if (rare.length > 0) {
    const postings = await readPostingsAround(rows, run, rare, terms, request);
    const isWhole = scorePostings(postings, meanLengths, candidates, none, hasTime);
    const found = await best();
    const most = frequent.reduce((sum, { rarity }) => sum + mostOf(rarity), 0) * mostNeighbours * maxPrior;
    const isEnough = found.length >= request.limit && found.every(({ score }) => score > most);
    if (!isWhole || isEnough) return { best: found, isPartial: !isWhole };
  }
  const isAll = sumOf(frequent) <= maxPostings;
  const share = isAll ? Number.POSITIVE_INFINITY : Math.ceil(maxPostings / frequent.length);
  const postings = await readPostings(rows, run, frequent, request, share);
  const settled = new Set(candidates.keys());
  const isWhole = scorePostings(postings, meanLengths, candidates, settled, hasTime);
  return { best: await best(), isPartial: !isWhole || isCut(postings, share) };
}

function isCut(postings: readonly TermPostings[], share: number): boolean {
  return postings.some(({ bytes }) => bytes.length >= share * postingBytes);
}

/** How often each memory among the candidates was used, by document. */
async function readUses(
  { database }: RecallRows,
  run: Run,
  candidates: Candidates,
  usesOf: RecallRequest["usesOf"],
): Promise<ReadonlyMap<number, number>> {
  const memories = [...candidates.values()].filter(({ facts }) => facts.kind === memoryKind);
  if (!usesOf || memories.length === 0) return new Map();
  const { rows } = await run<{ id: number; name: Buffer }>(
    `select d.id, d.name from ${database.schema}.recall_document as d where d.id = any($1::bigint[])`,
    [memories.map(({ document }) => document)],
  );
  return new Map(rows.map(({ id, name }) => [id, usesOf(name.toString("utf8"))]));
}

const sumOf = (terms: readonly HeldTerm[]) => terms.reduce((sum, { holding }) => sum + holding, 0);

/** The first of the terms, as many as have so many postings together. */
function rarestOf(terms: readonly HeldTerm[], postings: number): readonly HeldTerm[] {
  let sum = 0;
  const end = terms.findIndex(({ holding }) => {
    sum += holding;
    return sum > postings;
  });
  return end < 0 ? terms : terms.slice(0, end);
}

/** A document that holds a word of the query. */
interface Candidate {
  readonly document: number;
  readonly facts: DocumentFacts;
  /** The score of its own words. */
  score: number;
}

type Candidates = Map<number, Candidate>;

const { saturation, fieldWeights, lengthWeights } = rankingNumbers;

/** The most that a term can add to a score, however often it stands in a document. */
const mostOf = (rarity: number) => rarity * (saturation + 1);

/**
 * BM25 over fields: how often a word stands in each field is weighed by field and length before it saturates. Adds to
 * `candidates`; those that are in `settled` have all their words. False once `hasTime` says so.
 */
function scorePostings(
  postings: readonly TermPostings[],
  meanLengths: readonly number[],
  candidates: Candidates,
  settled: ReadonlySet<number>,
  hasTime: () => boolean,
): boolean {
  for (const { term, bytes } of postings) {
    const most = mostOf(term.rarity);
    for (let at = 0; at < bytes.length; at += postingBytes) {
      if (at % (blockPostings * postingBytes) === 0 && !hasTime()) return false;
      const document = bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
      if (settled.has(document)) continue;
      let candidate = candidates.get(document);
      if (candidate === undefined) {
        candidate = { document, facts: decodeFacts(bytes, at + factsAt), score: 0 };
        candidates.set(document, candidate);
      }
      const weight = termWeight(bytes.readUInt16BE(at + packedAt), candidate.facts, meanLengths);
      candidate.score += most * (weight / (weight + saturation));
    }
  }
  return hasTime();
}

/** How much a term's occurrences in all fields of a document weigh, before saturation. */
function termWeight(packed: number, { lengths }: DocumentFacts, meanLengths: readonly number[]): number {
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

/** A term's postings as bytes behind one another: the document's id, how often it holds the term, its facts. */
interface TermPostings {
  readonly term: HeldTerm;
  readonly bytes: Buffer;
}

const packedAt = 8;
const factsAt = 10;
const postingBytes = factsAt + factsBytes;

/** Of `recall_document as d` that holds `t.id`. Rows of many columns take the driver longer than all else. */
const posting = `int8send(d.id) || int2send(coalesce(d.often[array_position(d.often_terms, t.id)], ${onceInBody}::smallint))
  || d.facts`;

interface PostingsRow {
  readonly id: number;
  readonly postings: Buffer;
}

const inOrder = (terms: readonly HeldTerm[], rows: readonly PostingsRow[]): readonly TermPostings[] => {
  const found = new Map(rows.map(({ id, postings }) => [id, postings]));
  return terms.flatMap((term) => {
    const bytes = found.get(term.id);
    return bytes ? [{ term, bytes }] : [];
  });
};

/** The postings of these terms, of each the newest so many. */
async function readPostings(
  { database, project }: RecallRows,
  run: Run,
  terms: readonly HeldTerm[],
  filter: RecallFilter,
  limitPerTerm: number,
): Promise<readonly TermPostings[]> {
  const isLimited = terms.some(({ holding }) => holding > limitPerTerm);
  const { rows } = await run<PostingsRow>(
    `select t.id, string_agg(p.posting, '') as postings
     from unnest($2::bigint[]) as t (id) cross join lateral (
       select ${posting} as posting from ${database.schema}.recall_document as d
       where d.project = $1 and d.terms @> array[t.id] and ${isChosen(3)}
       ${isLimited ? `order by d.id desc limit ${limitPerTerm}` : ""}) as p
     group by t.id`,
    [project, terms.map(({ id }) => id), ...filterValues(filter)],
  );
  return inOrder(terms, rows);
}

/**
 * The postings of all the terms in documents that hold one of the first, and in the messages up to two before and
 * behind them.
 */
async function readPostingsAround(
  { database, project }: RecallRows,
  run: Run,
  first: readonly HeldTerm[],
  terms: readonly HeldTerm[],
  filter: RecallFilter,
): Promise<readonly TermPostings[]> {
  const { schema } = database;
  const { rows } = await run<PostingsRow>(
    `with held as materialized (
       select d.id, d.kind, d.session, d.number from ${schema}.recall_document as d
       where d.project = $1 and d.terms && $2::bigint[] and ${isChosen(4)}),
     around as materialized (
       select id from held union
       select n.id from held join ${schema}.recall_document as n
         on n.project = $1 and n.session = held.session and n.number between held.number - 2 and held.number + 2
       where held.kind = ${messageKind} and n.kind = ${messageKind})
     select t.id, string_agg(${posting}, '') as postings
     from around join ${schema}.recall_document as d on d.id = around.id
     join unnest($3::bigint[]) as t (id) on t.id = any(d.terms)
     group by t.id`,
    [project, first.map(({ id }) => id), terms.map(({ id }) => id), ...filterValues(filter)],
  );
  return inOrder(terms, rows);
}
