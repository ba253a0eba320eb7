/** Models that the catalog knows by these names; dated ones and those of other providers are known too. */
export type KnownModelName =
  | "claude-fable-5-1"
  | "claude-opus-5-5"
  | "claude-opus-5"
  | "claude-opus-4-6"
  | "claude-opus-4-5"
  | "claude-opus-4"
  | "claude-sonnet-5-5"
  | "claude-sonnet-4-6"
  | "claude-sonnet-4-5"
  | "claude-sonnet-4"
  | "claude-haiku-4-5"
  | "claude-3-7-sonnet"
  | "claude-3-5-sonnet"
  | "claude-3-5-haiku"
  | "gpt-5.6"
  | "gpt-5"
  | "gpt-4.1"
  | "gpt-4o"
  | "gemini-3.1-pro"
  | "gemini-2.5-pro";

/** A model's name: one that an editor offers, or any other. */
export type ModelName = KnownModelName | (string & {});
