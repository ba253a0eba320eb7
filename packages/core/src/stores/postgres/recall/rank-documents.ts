import { maxPrior, rankingNumbers } from "../../../recall/ranking-numbers.ts";
import { ok, type RecallQuestion, type RecallRanking, type Result } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { bestCandidates } from "./best-candidates.ts";
import { readHeads, type ScoredDocument } from "./best-documents.ts";
import { postingBytes, readPostings, readPostingsAround, type TermPostings } from "./read-postings.ts";
import { type HeldTerm, type HeldTerms, readTerms } from "./read-terms.ts";
import { memoryKind, type RecallRows, withOneRevision } from "./recall-rows.ts";
import { type Candidates, mostOf, scorePostings } from "./score-postings.ts";

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
  question: RecallQuestion,
): Promise<Result<RecallRanking>> {
  if (question.terms.length === 0 || question.limit <= 0)
    return ok({ ranked: [], isPartial: false, problems: [] });
  return withOneRevision(rows, async (run) => {
    const held = await readTerms(rows, run, question.terms);
    const { best, isPartial } = await findBest(rows, run, held, question);
    return { ranked: await readHeads(rows, run, best, question.limit), isPartial, problems: [] };
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
  question: RecallQuestion,
): Promise<Found> {
  const { terms, meanLengths } = held;
  const { maxPostings = defaultMaxPostings } = rows;
  const { goOn = () => true } = question;
  const candidates: Candidates = new Map();
  const best = async () =>
    bestCandidates(candidates, question, await readUses(rows, run, candidates, question.usesOf));
  if (terms.length === 0) return { best: [], isPartial: false };
  if (!goOn()) return { best: [], isPartial: true };
  const none = new Set<number>();
  if (sumOf(terms) <= maxPostings * easyShare) {
    const postings = await readPostings(rows, run, terms, question, maxPostings);
    const isWhole = scorePostings(postings, meanLengths, candidates, none, goOn);
    return { best: await best(), isPartial: !isWhole };
  }
  const rare = rarestOf(terms, maxPostings * rareShare);
  const frequent = terms.slice(rare.length);
  if (rare.length > 0) {
    const postings = await readPostingsAround(rows, run, rare, terms, question);
    const isWhole = scorePostings(postings, meanLengths, candidates, none, goOn);
    const found = await best();
    const most = frequent.reduce((sum, { rarity }) => sum + mostOf(rarity), 0) * mostNeighbours * maxPrior;
    const isEnough = found.length >= question.limit && found.every(({ score }) => score > most);
    if (!isWhole || isEnough) return { best: found, isPartial: !isWhole };
  }
  const isAll = sumOf(frequent) <= maxPostings;
  const share = isAll ? Number.POSITIVE_INFINITY : Math.ceil(maxPostings / frequent.length);
  const postings = await readPostings(rows, run, frequent, question, share);
  const settled = new Set(candidates.keys());
  const isWhole = scorePostings(postings, meanLengths, candidates, settled, goOn);
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
  usesOf: RecallQuestion["usesOf"],
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
