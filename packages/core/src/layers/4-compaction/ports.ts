import type { Facts, Ledgers, Surroundings, View, ViewItem } from "../../spec/index.ts";
import type { Measure } from "../../view/tokens/measure.ts";

/** What the scribe is asked for. */
export interface ScribeInput {
  readonly view: View;
  /** What it is to stand in the place of. */
  readonly items: readonly ViewItem[];
  /** Never more than this, by `measure`. */
  readonly maxTokens: number;
  readonly measure: Measure;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

/** What a summary is compared with. */
export interface AppendixInput {
  readonly summary: string;
  readonly ledgers: Ledgers;
  /** What the user said before the newest boundary counts only where it must never be lost. */
  readonly sinceSeq: number;
  /** What stays word for word. */
  readonly isKept: (seq: number) => boolean;
  readonly maxTokens: number;
  /** Of these, what the user's messages may have. */
  readonly maxUserTokens: number;
  readonly measure: Measure;
  readonly logAddress?: string | undefined;
}

export interface NotesInput {
  readonly view: View;
  readonly facts: Facts;
  /** Nothing from before it is kept. */
  readonly boundarySeq: number;
  /** There is no room for more of what is kept, by the plain estimate. */
  readonly maxKeptTokens: number;
}

export type NotesAnswer =
  | {
      readonly use: true;
      readonly summary: string;
      /** Everything from the item with this number on is kept word for word; absent: nothing is. */
      readonly keptFromSeq?: number;
    }
  | { readonly use: false; readonly reason: string; readonly tokensAfter?: number };

/** All that a compaction uses: what the layer was made with, and what the program around the session gives. */
export interface CompactionPorts extends Surroundings {
  readonly writeSummary: (question: ScribeInput) => string;
  readonly missingFromSummary: (question: AppendixInput) => string;
  /** Waits for notes that are being written, and says whether they can stand for the past. */
  readonly decideNotesCompaction?: (question: NotesInput, signal: AbortSignal) => Promise<NotesAnswer>;
}
