const forgetting = /claude-(?:3|instant|sonnet-4-(?:0|5|2)|opus-4-(?:0|1|2)|haiku-4)/;

/**
 * Whether the API leaves thinking of earlier turns out of a prompt: as soon as a message comes that is no result,
 * thinking before it counts nothing. Models from Opus 4.5 on keep it, by the provider's documentation.
 */
export function forgetsThinking(model: string): boolean {
  return forgetting.test(model);
}
