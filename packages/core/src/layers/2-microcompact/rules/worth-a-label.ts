import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";

/** Whether a part is larger than what would stand in its place. */
export function isWorthALabel({ tokens, labelTokens }: ClearablePart): boolean {
  return tokens > 2 * labelTokens;
}
