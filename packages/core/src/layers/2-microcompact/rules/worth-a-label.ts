import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";

/** Fewer tokens than this are not worth what reading them back would cost. */
const minSavedTokens = 100;

/** Whether a part is so much larger than what would stand in its place. */
export function isWorthALabel({
  tokens,
  labelTokens,
}: Pick<ClearablePart, "tokens" | "labelTokens">): boolean {
  return tokens - labelTokens >= minSavedTokens;
}
