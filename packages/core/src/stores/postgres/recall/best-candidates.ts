import { priorOf, rankingNumbers } from "../../../recall/ranking-numbers.ts";
import type { RecallQuestion } from "../../../spec/index.ts";
import { bestDocuments, type ScoredDocument } from "./best-documents.ts";
import { messageKind } from "./recall-rows.ts";
import type { Candidate, Candidates } from "./score-postings.ts";

const { neighbourShare } = rankingNumbers;

/**
 * As `bestDocuments`, of those that the question admits. A message has a share of the
 * scores of the one before and the one behind, admitted or not. `usesOf` is by document.
 */
export function bestCandidates(
  candidates: Candidates,
  { limit, nowMs, sinceMs }: RecallQuestion,
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
