import type { ClearablePart } from "../../context/clearing/clearable-parts.ts";
import type { StrategyName } from "./strategy.ts";

/** What is cleared; nothing where the server does it. */
export type MicrocompactCommand =
  | { readonly parts: readonly [] }
  | {
      readonly parts: readonly ClearablePart[];
      readonly strategy: StrategyName;
      readonly trigger: "auto" | "manual";
      readonly reason: string;
      readonly basis: number;
      readonly tokensBefore: number;
    };
