import type { ContentBlock, TextBlock, Usage } from "./message.ts";
import type { Result } from "./result.ts";
import type { ToolDefinition } from "./tool.ts";

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

/** An image over one of these makes the whole request fail. */
export interface ImageLimits {
  /** Of one image, as base64 text. */
  readonly maxBytes: number;
  readonly maxSidePixels: number;
  readonly maxCount: number;
  /** With more than `count` images in a request, each of them has a smaller limit. */
  readonly many?: { readonly count: number; readonly maxSidePixels: number };
}

export interface Capabilities {
  /** Tokens a model takes: no prompt may have more. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Thinking is signed over everything before it: on another prefix it makes a request fail. */
  readonly prefixBoundThinking: boolean;
  /** A request may ask that such thinking is dropped instead. */
  readonly dropsUnboundThinking: boolean;
  readonly contextManagement: boolean;
  readonly cacheEdits: boolean;
  readonly nativeCompaction: boolean;
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
  /** What a whole request costs once its input, cached parts counted, has more than `tokens`. */
  readonly above?: Rates & { readonly tokens: number };
}

export type ModelEvent =
  | { readonly type: "block-start"; readonly index: number; readonly block: ContentBlock }
  | { readonly type: "block-delta"; readonly index: number; readonly delta: unknown }
  | { readonly type: "block-end"; readonly index: number }
  | {
      readonly type: "response-end";
      readonly id: string;
      readonly content: readonly ContentBlock[];
      readonly stopReason: string | null;
      readonly usage: Usage;
    };

/** A model. Failures are data: `stream` ends with an error result instead of throwing. */
export interface Model {
  readonly name: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Result<ModelEvent>>;
  count?(request: ModelRequest): Promise<Result<number>>;
  capabilities?(): Promise<Result<Capabilities>>;
}
