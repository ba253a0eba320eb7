import type { TokenCount } from "../../spec/index.ts";
import type { Features } from "./features.ts";

/** Tokens of a content that no usage covers yet, and what the number rests on. */
export interface TokenEstimate extends TokenCount {
  readonly source: "calibrated" | "plain";
}

/** The plain rule on features: what `estimateContent` says of the same content. */
export function plainEstimate(features: Features): TokenEstimate {
  return { tokens: features.plain, source: "plain" };
}

/** What a view without usage counts where only the plain rule is known, which is a third short on real sessions. */
export function padEstimate(tokens: number): number {
  return Math.ceil((tokens * 4) / 3);
}

/** The most that `padEstimate` makes no more than this of. */
export function unpadEstimate(tokens: number): number {
  return Math.floor((tokens * 3) / 4);
}
