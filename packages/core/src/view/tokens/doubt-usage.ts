import type { Usage } from "../../spec/index.ts";
import { promptTokens } from "./counted-item.ts";

export interface DoubtedUsage {
  readonly usage: Usage;
  /** Of what was asked, by our own count without any usage. */
  readonly promptEstimate: number;
  /** Of what was answered. */
  readonly answerEstimate: number;
  readonly windowTokens: number;
  /** The provider has left out parts of what it was sent, by its own word. */
  readonly isEdited: boolean;
}

/** The plain rule has 4 bytes a token, and no tokenizer makes more than one token of a byte. */
export const mostTokensPerEstimated = 4;
/** No text that people or programs write has more than 200 bytes a token. */
const leastShare = 50;
/** Below this many tokens an estimate says too little about the least there can be. */
const smallEstimate = 10_000;

/**
 * Why a usage cannot be of this request and this answer, as a sentence; `null` where it can. What nobody sees here
 * (prompts of the provider's own, hidden thinking) may fill a window, and no more. A prompt of no tokens says nothing.
 */
export function doubtUsage(doubted: DoubtedUsage): string | null {
  const { usage, promptEstimate, answerEstimate, windowTokens, isEdited } = doubted;
  const prompt = promptTokens(usage);
  const isOver = (tokens: number, estimate: number) =>
    tokens > estimate * mostTokensPerEstimated + windowTokens;
  if (isOver(prompt, promptEstimate))
    return `${prompt} tokens are reported for a prompt of about ${promptEstimate}.`;
  if (isOver(usage.output, answerEstimate))
    return `${usage.output} tokens are reported for an answer of about ${answerEstimate}.`;
  const isUnder = prompt > 0 && promptEstimate >= smallEstimate && prompt * leastShare < promptEstimate;
  return isUnder && !isEdited
    ? `${prompt} tokens are reported for a prompt of about ${promptEstimate}.`
    : null;
}
