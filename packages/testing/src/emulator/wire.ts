import type { Capabilities } from "@palimpsest/core/spec";

/** A request body after JSON.parse: nothing is known of it before it was checked. */
export type WireBody = Readonly<Record<string, unknown>>;

/** One rule of the API that a request breaks. */
export interface RequestViolation {
  /** Where, as the API says it: `messages.3.content.0.tool_use_id`. */
  readonly path: string;
  /** The rule's short name, for tests: `roles-alternate`, `tool-result-missing`, … */
  readonly rule: string;
  /** The sentence the API would answer with. */
  readonly message: string;
}

/** The facts besides the body that decide whether a request is valid. */
export interface RequestContext {
  /** Names in lower case; `anthropic-beta` split at commas. */
  readonly betas: ReadonlySet<string>;
  readonly capabilities: Capabilities;
}

/** A block in the order of the prompt: tools, system, messages. */
export interface PromptBlock {
  readonly place: "tools" | "system" | "messages";
  /** `tools.2`, `system.0`, `messages.4.content.1`. */
  readonly path: string;
  readonly tokens: number;
  /** Digest of everything in front of this block's end that the cache keys on; markers are no part of it. */
  readonly key: string;
  /** Digest of this block alone, its role included; markers are no part of it. */
  readonly digest: string;
  /** Set where the request asks for a cache entry ending at this block. */
  readonly breakpoint?: "5m" | "1h";
}

/** A request as the emulator counts it. */
export interface MeasuredPrompt {
  readonly model: string;
  /** Digest of all tools, and of nothing else. */
  readonly toolsDigest: string;
  /** Digest of the whole system prompt, and of nothing else. */
  readonly systemDigest: string;
  readonly blocks: readonly PromptBlock[];
  /** All blocks and all overheads. */
  readonly tokens: number;
}

/** The simulated cache's result for one request. The four parts of the input add up to the prompt's tokens. */
export interface CacheOutcome {
  readonly inputTokens: number;
  readonly readTokens: number;
  readonly written5mTokens: number;
  readonly written1hTokens: number;
  /** Index of the last block that was read from the cache, -1 without a hit. */
  readonly hitBlock: number;
  /** Why nothing, or less than before, was read; absent on a full hit. */
  readonly missReason?: string;
}

/** Token usage as the API writes it. */
export interface WireUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly thinking_tokens: number };
  readonly server_tool_use: null;
  readonly service_tier: "standard";
  readonly inference_geo: null;
  readonly speed: "standard";
  /** Where tokens were spent besides the answer: by a compaction. */
  readonly iterations?: readonly Readonly<Record<string, unknown>>[];
}
