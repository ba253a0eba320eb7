import type { Ledgers, NotesAuthor, ViewItem } from "../../../spec/index.ts";
import type { FoldSpan } from "./rules/index.ts";

/** A span that is to be summarised, with all that is needed for it. */
export interface SpanInput extends Omit<FoldSpan, "range"> {
  /** Those of the span alone. */
  readonly ledgers: Ledgers;
  readonly summaryTokens: number;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string;
}

export interface PrepareCommand {
  readonly act: "prepare";
  /** Who writes; where no model is to be had after all, the scribe does. */
  readonly by: NotesAuthor;
  /** Oldest first. */
  readonly spans: readonly SpanInput[];
}

/** A fold that is ready, or a span that the scribe makes one of at once. */
export type FoldToCommit =
  | {
      readonly from: string;
      readonly to: string;
      readonly items: readonly ViewItem[];
      readonly summary: string;
    }
  | { readonly span: SpanInput };

export interface CommitCommand {
  readonly act: "commit";
  readonly trigger: "level" | "blocked" | "early";
  /** Oldest first. */
  readonly folds: readonly FoldToCommit[];
  readonly reason: string;
  readonly basis: number;
  readonly tokensBefore: number;
  /** Results that the provider has deleted, and that count nothing. */
  readonly deletedResults: ReadonlySet<string>;
}

export type FoldingCommand = PrepareCommand | CommitCommand;

/** A verdict that says why nothing is done. */
export const skip = (reason: string) => ({ verdict: "skip", reason }) as const;
