import type { TokenCount } from "../../spec/index.ts";
import type { Estimator } from "./count-tokens.ts";
import { padEstimate, type TokenEstimate } from "./estimate.ts";
import type { Features } from "./features.ts";

/** A prompt as the provider counted it: all of its tokens, and the features of the messages in it. */
export interface CountedPrompt {
  readonly tokens: number;
  readonly messages: Features;
}

/**
 * Tokens of system prompt and tools. Without a counted prompt they are estimated, padded where only the plain rule is
 * known. With one they are what its messages leave of it: by the plain rule those have between their estimate and the
 * padded one, and the head's own estimate is moved into what that leaves. The fewer messages, the less room for error.
 */
export function countHead(
  head: Features,
  prompt: CountedPrompt | undefined,
  estimate: Estimator,
): TokenCount {
  const own = estimate(head);
  if (!prompt) return { tokens: padded(own), source: own.source };
  const messages = estimate(prompt.messages);
  const most = Math.max(0, prompt.tokens - messages.tokens);
  const least = Math.max(0, prompt.tokens - padded(messages));
  return { tokens: Math.min(most, Math.max(least, padded(own))), source: "usage" };
}

function padded({ tokens, source }: TokenEstimate): number {
  return source === "plain" ? padEstimate(tokens) : tokens;
}
