import type { Usage } from "../../spec/index.ts";
import type { Features } from "./features.ts";

/**
 * One element of a view as far as counting goes: an entry or a block of one, in the order of the log. Those of one
 * response share its id; tool results may stand between them, other responses may not.
 */
export interface CountedItem {
  readonly features: Features;
  readonly responseId?: string;
  readonly model?: string;
  /** Of the whole response: where its entries differ, the last one holds. All zero says nothing. */
  readonly usage?: Usage;
  /** Of a response that was aborted or failed: never sent, so that neither its usage nor its content counts. */
  readonly isAborted?: boolean;
  /**
   * A compaction stands here: nothing before it counts, and its own features are those of the summary. What it keeps
   * comes behind it, wherever it is sent.
   */
  readonly isBoundary?: boolean;
  /** From before the newest boundary and kept by it: its content counts, its usage is of another view. */
  readonly isKept?: boolean;
}

/** What was sent to the model for a response. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheCreation;
}

/** What a response measured: its prompt and its own output. Absent where it says nothing about this view. */
export function measuredTokens(item: CountedItem): number | undefined {
  if (item.usage === undefined || item.isKept === true || promptTokens(item.usage) <= 0) return undefined;
  return promptTokens(item.usage) + item.usage.output;
}
