import type { TokenCount } from "../../spec/index.ts";
import type { Estimator } from "./count-tokens.ts";
import { mostTokensPerEstimated } from "./doubt-usage.ts";
import { padEstimate, type TokenEstimate } from "./estimate.ts";
import { type Features, featureNames } from "./features.ts";
import { rateRanges } from "./rate-ranges.ts";

/** A prompt as the provider counted it: all of its tokens, and the features of the messages in it. */
export interface CountedPrompt {
  readonly tokens: number;
  readonly messages: Features;
}

/** System prompt and tools. */
export interface CountedHead {
  readonly features: Features;
  /** The most that their text can have; absent where nobody knows what stands there. */
  readonly mostTokens?: number;
}

/**
 * Tokens of system prompt and tools. Without a counted prompt they are estimated, padded where only the plain rule is
 * known. With one they are what its messages leave of it: by the plain rule those have between their estimate and the
 * padded one, and the head's own estimate is moved into what that leaves. The fewer messages, the less room for error.
 * What is more than the head's text can have is the messages', as far as they can have it: base64, hex and images that
 * a provider counts at a fixed price have many times their estimate.
 */
export function countHead(
  { features, mostTokens = Number.POSITIVE_INFINITY }: CountedHead,
  prompt: CountedPrompt | undefined,
  estimate: Estimator,
): TokenCount {
  const own = estimate(features);
  if (!prompt) return { tokens: padded(own), source: own.source };
  const messages = estimate(prompt.messages);
  const most = Math.max(0, prompt.tokens - messages.tokens);
  const least = Math.max(0, prompt.tokens - padded(messages));
  const left = Math.min(most, Math.max(least, padded(own)));
  const likely = Math.min(left, Math.max(mostTokens, padded(own)));
  const certain = Math.min(most, prompt.tokens - mostMessageTokens(prompt.messages));
  return { tokens: Math.max(likely, certain), source: "usage" };
}

/** Tokenizers may be twice as fine as the start rates say: the ranges leave as much room. */
const finestTokenizer = 2;
/** A provider explains tools to the model in words of its own: 250 to 550 tokens with Claude models, once. */
const toolWordsTokens = 1_000;

/** The most that the text of a system prompt and so many tools can have, with what a provider puts around it. */
export function mostHeadTokens(features: Features, tools: number): number {
  const usual = featureNames.reduce((sum, name) => sum + rateRanges[name].start * features[name], 0);
  const text = Math.ceil(finestTokenizer * Math.max(usual, features.plain));
  return text + (tools > 0 ? toolWordsTokens : 0);
}

/** No tokenizer makes more than one token of a byte; for an image a provider may count whatever it likes. */
function mostMessageTokens({ plain, opaqueBytes, toolUses, media }: Features): number {
  if (media > 0) return Number.POSITIVE_INFINITY;
  return plain * mostTokensPerEstimated + opaqueBytes + toolUses * rateRanges.toolUses.max;
}

function padded({ tokens, source }: TokenEstimate): number {
  return source === "plain" ? padEstimate(tokens) : tokens;
}
