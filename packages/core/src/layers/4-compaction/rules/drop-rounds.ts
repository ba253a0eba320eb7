import type { ViewItem } from "../../../spec/index.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";

/** Rounds as a transcript is made of them, oldest first. */
export type Rounds = readonly (readonly ViewItem[])[];

/**
 * What is left once the oldest rounds are dropped that cover the gap, or a part of all where no gap is known. At least
 * one goes, and the newest always stays; `null` where there is nothing left to drop.
 */
export function dropOldestRounds(
  rounds: Rounds,
  gapTokens: number | undefined,
  dropPercent: number,
): Rounds | null {
  if (rounds.length < 2) return null;
  const most = rounds.length - 1;
  if (gapTokens === undefined)
    return rounds.slice(Math.min(most, Math.max(1, Math.ceil((rounds.length * dropPercent) / 100))));
  let dropped = 0;
  for (let tokens = 0; dropped < most && (dropped === 0 || tokens < gapTokens); dropped += 1)
    tokens += roundTokens(rounds[dropped] ?? []);
  return rounds.slice(dropped);
}

/** Rounds in parts of at most so many tokens each, in their order; a larger round is a part of its own. */
export function toChunks(rounds: Rounds, maxTokens: number): readonly Rounds[] {
  const chunks: (readonly ViewItem[])[][] = [];
  let tokens = Number.POSITIVE_INFINITY;
  for (const round of rounds) {
    const size = roundTokens(round);
    if (tokens + size > maxTokens) {
      chunks.push([]);
      tokens = 0;
    }
    chunks.at(-1)?.push(round);
    tokens += size;
  }
  return chunks;
}

function roundTokens(round: readonly ViewItem[]): number {
  return round.reduce((sum, { block }) => sum + estimateBlock(block), 0);
}
