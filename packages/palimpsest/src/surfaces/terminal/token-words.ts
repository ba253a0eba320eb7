import type { TokenSource } from "@palimpsest/core/spec";

/** How a token count was made, in words. */
export const sourceWords: Readonly<Record<TokenSource, string>> = {
  usage: "counted by the provider",
  calibrated: "estimated from earlier responses",
  plain: "estimated",
};

/** Where the summary of a compaction comes from, by its strategy. */
export const strategyWords: Readonly<Record<string, string>> = {
  prepared: "summary prepared in the background",
  notes: "summary from the session notes",
  native: "by the API",
  prefix: "summary written by the model",
  plain: "summary written by the model",
  chunked: "summary written by the model in parts",
  scribe: "summary written without a model",
};
