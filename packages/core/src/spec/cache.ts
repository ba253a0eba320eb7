import type { ContentBlock, TextBlock, Usage } from "./message.ts";
import type { Result } from "./result.ts";
import type { ToolDefinition } from "./tool.ts";

/** Why a prefix was not found in the cache, in the API's own words. */
export type CacheBreakReason =
  | "model_changed"
  | "tools_changed"
  | "system_changed"
  | "messages_changed"
  | "ttl_expired"
  | "unavailable";

/**
 * What a request finds in the provider's prompt cache. `hit`: all that the request before left there. `expected-break`:
 * less, and it was known before the request was sent. `unexpected-break`: less, and nothing explains it.
 */
export type CacheKind = "hit" | "expected-break" | "unexpected-break";

export interface CacheJudgement {
  readonly kind: CacheKind;
  /** Absent for a hit. */
  readonly reason?: CacheBreakReason;
  /** The first block that is not read from the cache, counted over tools, system and messages. */
  readonly firstBlock: number;
  /** One line for a person. */
  readonly why: string;
  /** The cost of reading again what could have been read; 0 for a hit, and before the response is there. */
  readonly dollars: number;
}

export interface RequestMessage {
  readonly role: "user" | "assistant" | "system";
  readonly content: readonly ContentBlock[];
}

/** A request in the Anthropic shape, as it is sent. */
export interface ModelRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly TextBlock[];
  readonly tools?: readonly ToolDefinition[];
  readonly tool_choice?: unknown;
  readonly thinking?: unknown;
  readonly messages: readonly RequestMessage[];
  readonly betas?: readonly string[];
  readonly [field: string]: unknown;
}

/** Fields a layer adds to the next request. */
export type RequestPatch = Readonly<Record<string, unknown>>;

/** An image over one of these makes the whole request fail, as do images and documents that are over them together. */
export interface ImageLimits {
  /** Of one image, as base64 text. */
  readonly maxBytes: number;
  readonly maxSidePixels: number;
  readonly maxCount: number;
  /** With more than `count` images in a request, each of them has a smaller limit. */
  readonly many?: { readonly count: number; readonly maxSidePixels: number };
  /** Of a whole request, everything in it counted, in bytes of JSON; absent: nobody names a limit. */
  readonly maxRequestBytes?: number;
  /** Of all PDF documents of a request together; absent: nobody names a limit. */
  readonly maxPages?: number;
}

export interface Capabilities {
  /** Tokens a model takes: no prompt may have more. */
  readonly contextWindow: number;
  /** It takes 1,000,000 tokens where the 1M beta asks for it: its name may have the suffix `[1m]` then. */
  readonly longWindow?: boolean;
  readonly maxOutput: number;
  /** Thinking is signed over everything before it: on another prefix it makes a request fail. */
  readonly prefixBoundThinking: boolean;
  /** A request may ask that such thinking is dropped instead. */
  readonly dropsUnboundThinking: boolean;
  readonly contextManagement: boolean;
  readonly cacheEdits: boolean;
  /** A request may ask for a compaction of itself, and gets a signed block alone. */
  readonly nativeCompaction: boolean;
  /** The API compacts on the way to an answer, as an edit of context management. */
  readonly serverCompaction: boolean;
  /** The API keeps what is marked, for as long as the marker says; else it caches by itself, or nobody knows. */
  readonly cacheMarkers: boolean;
  /** Fewer tokens than this are never cached. */
  readonly minCachedPrefix: number;
  readonly images: ImageLimits;
}

/** Dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  readonly output: number;
}

export interface Prices extends Rates {
  /** The price of a whole request once its input, cached parts counted, has more than `tokens`. */
  readonly above?: Rates & { readonly tokens: number };
}

/** A piece of a block, as it comes. */
export type BlockDelta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "signature"; readonly signature: string }
  /** A piece of the JSON of a call's input. */
  | { readonly type: "input"; readonly json: string }
  /** Anything else, as the provider sent it. */
  | { readonly type: "other"; readonly delta: unknown };

/** A call whose input ended before it was whole, or is no JSON: it is no part of the response's content. */
export interface BrokenCall {
  readonly toolUseId: string;
  readonly name: string;
  readonly json: string;
}

/** A whole response. */
export interface ModelResponse {
  readonly id: string;
  /** The model that answered. */
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly brokenCalls?: readonly BrokenCall[];
  readonly stopReason: string | null;
  /** The provider's reason for stopping, such as the reason of a refusal. */
  readonly stopDetails?: string;
  readonly usage: Usage;
  /** The provider's report, as it came, where it is no usage; `usage` is all zero then. */
  readonly reportedUsage?: unknown;
  /** The usage paid for, where it is more than `usage`: steps besides the answer, such as a compaction, are counted. */
  readonly billed?: Usage;
  readonly contextManagement?: { readonly applied_edits?: readonly unknown[] };
}

export type ModelEvent =
  | { readonly type: "response-start"; readonly id: string; readonly model: string }
  | { readonly type: "block-start"; readonly index: number; readonly block: ContentBlock }
  | { readonly type: "block-delta"; readonly index: number; readonly delta: BlockDelta }
  /** The block is whole; a broken call has none. */
  | { readonly type: "block-end"; readonly index: number; readonly block?: ContentBlock }
  /** The last event of a response that came whole. */
  | ({ readonly type: "response-end" } & ModelResponse);

/**
 * A model. Failures are data: `stream` ends with an error result instead of throwing, and never gives anything behind
 * it. A stream that ends without `response-end` or an error does not occur. The signal ends it with `aborted`.
 */
export interface Model {
  readonly name: string;
  /** Beta headers that it sends by itself, besides those of a request: blocks that need one of them are sent back. */
  readonly betas?: readonly string[];
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Result<ModelEvent>>;
  /** Tokens of a request by the provider's own count. */
  count?(request: ModelRequest, signal?: AbortSignal): Promise<Result<number>>;
  /** The provider's statements about the model, if any. */
  capabilities?(signal?: AbortSignal): Promise<Result<Partial<Capabilities>>>;
  /**
   * Another model at the same address, asked with the same key; `undefined` where the name says that somebody else
   * serves it.
   */
  sibling?(name: string): Model | undefined;
}
