import type { ClearablePart } from "../../context/clearing/clearable-parts.ts";
import type { StrategyName } from "./strategy.ts";

/** What the layer does. */
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
  | {
      readonly parts: readonly ClearablePart[];
      readonly strategy: StrategyName;
      readonly trigger: "auto" | "manual";
      readonly reason: string;
      readonly basis: number;
      readonly tokensBefore: number;
    };
