import type { RecallKind } from "../spec/index.ts";
import { noProgress, type RecallProgress } from "./recall-progress.ts";
import type { Segment } from "./segment.ts";
import type { Vectors } from "./vectors.ts";

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
