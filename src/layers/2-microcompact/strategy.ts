import type { ClearablePart } from "../../context/clearing/clearable-parts.ts";
import type { BlockPlace, Facts, RequestPatch, View } from "../../spec/index.ts";
import type { MicrocompactNumbers } from "./numbers.ts";

export type StrategyName = "cold" | "server" | "cache-edits" | "threshold" | "economic";

/** What a strategy decides on. */
export interface ClearingContext {
  readonly view: View;
  readonly facts: Facts;
  readonly numbers: MicrocompactNumbers;
  /** What stands in the view and could be cleared, oldest first. */
  readonly parts: readonly ClearablePart[];
  /** A person asked for it: down to so many tokens of results where that is given. */
  readonly byHand?: { readonly targetTokens?: number };
}

export type ClearingChoice =
  | { readonly choice: "nothing"; readonly reason: string }
  | { readonly choice: "clear"; readonly parts: readonly ClearablePart[]; readonly reason: string }
  /** The server deletes results from the prefix it has cached: every request from now on says so at this place. */
  | {
      readonly choice: "edit";
      readonly parts: readonly ClearablePart[];
      readonly behind: BlockPlace;
      readonly reason: string;
    }
  /** The server clears: the request asks for it. */
  | { readonly choice: "ask"; readonly request: RequestPatch; readonly reason: string };

/** One way to choose what is cleared, and when. Pure. */
export type Strategy = (context: ClearingContext) => ClearingChoice;

export const nothing = (reason: string): ClearingChoice => ({ choice: "nothing", reason });

export function resultsIn(parts: readonly ClearablePart[]): readonly ClearablePart[] {
  return parts.filter(({ part }) => part === "result");
}

export function sumTokens(parts: readonly ClearablePart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** What clearing parts takes out, labels subtracted. */
export function freedBy(parts: readonly ClearablePart[]): number {
  return parts.reduce((sum, { tokens, labelTokens }) => sum + tokens - labelTokens, 0);
}
