import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { estimateContent, mediaTokensIn, padEstimate } from "./index.ts";

/**
 * Tokens of something that no usage covers yet, never too few: the plain rule padded, or what the session counts where
 * that is more. The parts of a text together never measure less than the whole.
 */
export type Measure = (content: string | readonly ContentBlock[]) => number;

export function createMeasure(tokensOf?: (block: ContentBlock) => number): Measure {
  return (content) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const counted = tokensOf ? blocks.reduce((sum, block) => sum + tokensOf(block), 0) : 0;
    const media = blocks.reduce((sum, block) => sum + mediaTokensIn(block), 0);
    return Math.max(padEstimate(estimateContent(blocks) - media) + media, Math.ceil(counted));
  };
}

/** Tokens of items where nobody has learned how many there are to a character. */
export function countPlainly(items: readonly ViewItem[]): number {
  return measureItems(items, createMeasure());
}

/** Tokens of items together. */
export function measureItems(items: readonly ViewItem[], measure: Measure): number {
  return items.reduce((sum, { block }) => sum + measure([block]), 0);
}
