import type {
  CompactionRecords,
  ErrorCode,
  Facts,
  Ledgers,
  Surroundings,
  Usage,
  View,
  ViewItem,
} from "../../spec/index.ts";
import {
  type BesideSummary,
  missingFromSummary,
  userMessagesPart,
  writeSummary,
} from "../../view/scribe/index.ts";
import type { Measure } from "../../view/tokens/measure.ts";
import type { CompactPlan } from "./rules/compaction-plan.ts";
import type { ReadSummary } from "./rules/read-summary.ts";

/** The scribe's input. */
interface ScribeInput {
  readonly view: View;
  /** The items that it replaces. */
  readonly items: readonly ViewItem[];
  /** Never more than this, by `measure`. */
  readonly maxTokens: number;
  readonly measure: Measure;
  /** Entries that stay in view word for word. */
  readonly kept?: ReadonlySet<string>;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

/** The content that a summary is compared with. */
interface AppendixInput {
  readonly summary: string;
  readonly ledgers: Ledgers;
  /** Whether an entry stays word for word. */
  readonly isKept: (seq: number) => boolean;
  /** What else stays in view: entries word for word, and texts that stand in the place of others. */
  readonly beside?: BesideSummary;
  readonly maxTokens: number;
  /** Of these, what the user's messages may have. */
  readonly maxUserTokens: number;
  readonly measure: Measure;
  readonly logAddress?: string | undefined;
}

interface NotesInput {
  readonly view: View;
  readonly facts: Facts;
  /** Nothing from before it is kept. */
  readonly boundarySeq: number;
  /** There is no room for more of what is kept, by the plain estimate. */
  readonly maxKeptTokens: number;
}

type NotesAnswer =
  | {
      readonly use: true;
      readonly summary: string;
      /** Everything from the item with this number on is kept word for word; absent: nothing is. */
      readonly keptFromSeq?: number;
    }
  | { readonly use: false; readonly reason: string; readonly tokensAfter?: number };

/** All that a compaction uses: what the layer was made with, and what the program around the session gives. */
export interface CompactionPorts extends Surroundings {
  readonly writeSummary: (input: ScribeInput) => string;
  readonly missingFromSummary: (input: AppendixInput) => string;
  /** Waits for notes that are being written, and says whether they can stand for the past. */
  readonly decideNotesCompaction?: (input: NotesInput, signal: AbortSignal) => Promise<NotesAnswer>;
}

/** The layer's action, with all that was known when it was decided. */
export type CompactionCommand =
  | CompactCommand
  | {
      readonly act: "prepare";
      readonly view: View;
      readonly facts: Facts;
      readonly records: CompactionRecords;
    };

export interface CompactCommand {
  readonly act: "compact";
  readonly plan: CompactPlan;
  readonly view: View;
  readonly facts: Facts;
  readonly records: CompactionRecords;
}

/** The default ports of a compaction: the scribe. */
export const defaultPorts: CompactionPorts = {
  writeSummary: ({ view, items, maxTokens, measure, kept, logAddress }) =>
    writeSummary({
      items,
      ...(kept && { kept }),
      ledgers: view.ledgers,
      budgetTokens: maxTokens,
      estimate: measure,
      logAddress,
    }),
  missingFromSummary: ({ summary, ledgers, isKept, beside, maxTokens, maxUserTokens, measure, logAddress }) =>
    missingFromSummary(summary, ledgers, {
      windowTokens: maxUserTokens / userMessagesPart,
      estimate: measure,
      isKept,
      ...(beside && { beside }),
      maxTokens,
      logAddress,
    }).text,
};

/** A model's summary with what it took, or why there is none. */
export type SummaryReply =
  | (Extract<ReadSummary, { readonly ok: true }> & {
      readonly strategy: "prefix" | "plain" | "chunked";
      readonly usage?: Usage;
      /** How much of its prompt came from the cache. */
      readonly cacheShare?: number;
    })
  | (Extract<ReadSummary, { readonly ok: false }> & { readonly code?: ErrorCode });

/** There is nobody to ask: that is no failure of a model. */
export function isNobody(asked: SummaryReply): boolean {
  return !asked.ok && asked.code === "no-model";
}

export function askNobody(): SummaryReply {
  return { ok: false, reason: "api_error", message: "There is no model to ask.", code: "no-model" };
}
