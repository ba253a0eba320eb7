import type { TokenCount } from "../../spec/index.ts";
import { mediaTokens } from "./estimate-block.ts";
import type { Features } from "./features.ts";

/** Tokens of a content that no usage covers yet, and what the number rests on. */
export interface TokenEstimate extends TokenCount {
  readonly source: "calibrated" | "plain";
}

/** The plain rule on features: what `estimateContent` says of the same content. */
export function plainEstimate(features: Features): TokenEstimate {
  return { tokens: features.plain, source: "plain" };
}

/** Tokens of a content in a view without usage. Where only the plain rule is known it is padded, but for media. */
export function unmeasuredTokens(
  { tokens, source }: TokenEstimate,
  { media }: Pick<Features, "media">,
): number {
  if (source !== "plain") return tokens;
  const fixed = Math.min(tokens, Math.ceil(media * mediaTokens));
  return padEstimate(tokens - fixed) + fixed;
}

/** What a view without usage counts where only the plain rule is known, which is a third short on real sessions. */
export function padEstimate(tokens: number): number {
  return Math.ceil((tokens * 4) / 3);
}

/** The most that `padEstimate` makes no more than this of. */
export function unpadEstimate(tokens: number): number {
  return Math.floor((tokens * 3) / 4);
}
