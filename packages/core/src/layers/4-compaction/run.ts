import type {
  CompactionFailure,
  ErrorCode,
  KeptSegment,
  LayerIo,
  Restorable,
  Usage,
  ViewItem,
} from "../../spec/index.ts";
import type { Measure } from "../../view/tokens/measure.ts";
import type { CompactCommand } from "./command.ts";
import type { CompactionPorts } from "./ports.ts";
import type { BoundaryParts } from "./rules/build-boundary.ts";
import type { CompactionNumbers } from "./settings.ts";

/** One compaction under way. */
export interface CompactionRun extends Omit<CompactCommand, "act"> {
  readonly io: LayerIo;
  readonly ports: CompactionPorts;
  readonly signal: AbortSignal;
  readonly numbers: CompactionNumbers;
  readonly measure: Measure;
  /** Tokens of items that stay as they are, as the session counts them. */
  readonly countOf: (items: readonly ViewItem[]) => number;
  /** Of the room: a try before had so much more, as a whole, than its parts were thought to have. */
  readonly sparedTokens?: number;
  /** The user's, and what hooks added. */
  readonly instructions?: string;
  /** What is brought back besides files, and what hooks said: asked for once, whichever rung is taken. */
  readonly background: () => Promise<Background>;
}

export interface Background {
  readonly others: Restorable;
  readonly contexts: readonly string[];
}

/** What a rung has written, and what it leaves as it is. */
export interface Written {
  readonly ok: true;
  readonly strategy: "prepared" | "notes" | "native" | "prefix" | "plain" | "chunked" | "scribe";
  readonly summary: string;
  /** The API's own block, in the place of the summary's words. */
  readonly native?: BoundaryParts["native"];
  /** What it may have, where that is not what the budget says. */
  readonly summaryTokens?: number;
  readonly basis: number;
  readonly kept?: KeptSegment;
  /** Of what stays behind or before the summary. */
  readonly keptTokens: number;
  /** What everything else may have, where a person chose what is kept. */
  readonly roomTokens?: number;
  readonly usage?: Usage;
  readonly cacheShare?: number;
}

export interface NotWritten {
  readonly ok: false;
  readonly reason: CompactionFailure | "refused";
  readonly message: string;
  readonly code?: ErrorCode;
  readonly tokensAfter?: number;
}
