import type { ModelName } from "./model-name.ts";

/**
 * A request as `session.prepare` gives it, in the types that the SDKs of the Messages API take, so that it can be handed
 * on without a cast. There may be more in it than these types say (blocks and fields that they have no name for): all of
 * it is to be sent. It is frozen, though SDKs ask for types that do not say so.
 */
export type PreparedRequest = {
  readonly model: ModelName;
  readonly max_tokens: number;
  readonly messages: PreparedMessage[];
  readonly system?: PreparedText[];
  readonly tools?: PreparedTool[];
  readonly tool_choice?: PreparedToolChoice;
  readonly thinking?: PreparedThinking;
  readonly temperature?: number;
  readonly top_k?: number;
  readonly top_p?: number;
  readonly stop_sequences?: string[];
  /** For `client.beta.messages`; `client.messages` does not send them. */
  readonly betas?: string[];
};

export type PreparedMessage = {
  readonly role: "user" | "assistant";
  readonly content: PreparedBlock[];
};

type CacheMarker = { readonly type: "ephemeral"; readonly ttl?: "5m" | "1h" };
type WithCacheMarker = { readonly cache_control?: CacheMarker };

export type PreparedText = WithCacheMarker & { readonly type: "text"; readonly text: string };

type PreparedImage = WithCacheMarker & {
  readonly type: "image";
  readonly source:
    | {
        readonly type: "base64";
        readonly media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
        readonly data: string;
      }
    | { readonly type: "url"; readonly url: string };
};

type PreparedDocument = WithCacheMarker & {
  readonly type: "document";
  readonly title?: string;
  readonly source:
    | { readonly type: "base64"; readonly media_type: "application/pdf"; readonly data: string }
    | { readonly type: "url"; readonly url: string }
    | { readonly type: "text"; readonly media_type: "text/plain"; readonly data: string };
};

export type PreparedBlock =
  | PreparedText
  | PreparedImage
  | PreparedDocument
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | (WithCacheMarker & {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    })
  | (WithCacheMarker & {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content?: string | (PreparedText | PreparedImage)[];
      readonly is_error?: boolean;
    });

export type PreparedTool = WithCacheMarker & {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { readonly type: "object"; readonly [field: string]: unknown };
};

export type PreparedToolChoice =
  | { readonly type: "auto" | "any"; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: "tool"; readonly name: string; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: "none" };

export type PreparedThinking =
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "disabled" };
