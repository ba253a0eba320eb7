import type { RecallField, RecallKind, RecallProgress } from "../spec/index.ts";
import type { Segment } from "./segment.ts";
import type { Vectors } from "./vectors.ts";

/** The fields of a document, in the order in which segments hold them. */
export const recallFields = ["body", "name", "description", "tags"] as const satisfies readonly RecallField[];

/** A longer text is indexed up to here. */
export const maxFieldChars = 200_000;

/** Kinds by the number that segments hold. */
export const recallKinds: readonly RecallKind[] = ["memory", "notes", "message"];

export type { RecallDocument, RecallDocumentHead, RecallProgress, SessionProgress } from "../spec/index.ts";

export const noProgress: RecallProgress = { sessions: new Map(), memories: new Map() };

/** Where something stands on disk, and how to know that it is whole. */
export interface RecallFile {
  readonly name: string;
  readonly bytes: number;
  readonly crc: number;
}

/** A segment holds documents of one kind, so that what changes often is not mixed with what never does. */
export interface KindSegment {
  readonly kind: RecallKind;
  readonly segment: Segment;
  /** Absent while it is in memory only. */
  readonly file?: RecallFile;
}

export interface VectorPart {
  readonly vectors: Vectors;
  readonly file?: RecallFile;
}

/** Everything an index holds. Immutable: an update makes the next one and shares what did not change. */
export interface RecallContents {
  readonly segments: readonly KindSegment[];
  readonly vectors: readonly VectorPart[];
  /** Which embeddings the vectors are of. */
  readonly embeddings?: string;
  readonly progress: RecallProgress;
}

export const emptyContents: RecallContents = { segments: [], vectors: [], progress: noProgress };

/** The numbers of the ranking. Changing one changes no index: all of it is applied when a query is asked. */
export const rankingNumbers = {
  /** How soon more of the same word counts no more. */
  saturation: 1.2,
  /** How much a word counts in the body, the name, the description, the tags. */
  fieldWeights: [1, 3, 2, 1.5],
  /** How much a long field makes each of its words count less. */
  lengthWeights: [0.7, 0.3, 0.5, 0.3],
  /** How much of the score of the message before, and of the one behind, is added to a message's own. */
  neighbourShare: 0.15,
  /** New documents get up to this share on top, half of it at this age. */
  recencyShare: 0.15,
  recencyHalfLifeMs: 30 * 24 * 60 * 60 * 1000,
  /** Documents used often get up to this share on top, all of it at this many uses. */
  useShare: 0.1,
  fullUses: 31,
  /** Of rank fusion: how little the first ranks stand out. */
  fusionRank: 60,
} as const;

/** The most that newness and use can add. */
export const maxPrior = 1 + rankingNumbers.recencyShare + rankingNumbers.useShare;

/** The factor of newness and use for a score, between 1 and `maxPrior`. */
export function priorOf(ageMs: number, uses: number): number {
  const { recencyShare, recencyHalfLifeMs, useShare, fullUses } = rankingNumbers;
  const recency = 2 ** (-Math.max(0, ageMs) / recencyHalfLifeMs);
  const use = Math.min(1, Math.log2(1 + uses) / Math.log2(1 + fullUses));
  return 1 + recencyShare * recency + useShare * use;
}
