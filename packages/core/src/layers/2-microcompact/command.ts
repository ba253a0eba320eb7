import type { BlockLocation } from "../../spec/index.ts";
import type { ClearablePart } from "../../view/clearing/clearable-parts.ts";
import type { FormerThinking } from "../../view/thinking/former-thinking.ts";

/** The layer's decision. */
export type MicrocompactCommand =
  /** The request asks the API to clear: nothing is done here. */
  | { readonly asks: true }
  /** The API has cleared: it is recorded. */
  | {
      readonly applied: unknown;
      readonly toolUseIds: readonly string[];
      readonly reason: string;
      readonly basis: number;
    }
  | ClearCommand;

/** Results and inputs are replaced by labels or, where there is a place for a cache edit, are deleted by it. */
export interface ClearCommand {
  readonly parts: readonly ClearablePart[];
  /** Deleted before by cache edits that end with this: labels stand for them from now on. */
  readonly deleted: readonly ClearablePart[];
  readonly behind?: BlockLocation;
  /** Leaves the view as well. */
  readonly thinking?: FormerThinking;
  /** The name of the one that chose. */
  readonly strategy: string;
  readonly trigger: "auto" | "manual";
  readonly reason: string;
  readonly basis: number;
  readonly tokensBefore: number;
}
