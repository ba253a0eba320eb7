import type { Ledgers, ViewItem } from "../../spec/index.ts";

/** What the scribe writes from. A view with a budget and an estimate is a question. */
export interface ScribeInput {
  /** What is to be summarised, since the last boundary, its summary included. */
  readonly items: readonly ViewItem[];
  readonly ledgers: Ledgers;
  /** What is written never counts more than this. */
  readonly budgetTokens: number;
  /** How many tokens a text has. */
  readonly estimate: (text: string) => number;
  /** The folder that paths are shown relative to; found out from the files where absent. */
  readonly root?: string;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}
