import type { ModelName } from "./model-name.ts";
import type { FileStamp } from "./tool.ts";

/** Content blocks in the Anthropic shape. Blocks may carry more fields than listed; all of them are kept. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** Opaque: never re-serialised, trimmed, redacted or reordered. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
}

/** Opaque, as `ThinkingBlock`. */
export interface RedactedThinkingBlock {
  readonly type: "redacted_thinking";
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
}

export type MediaSource =
  | { readonly type: "base64"; readonly media_type: string; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "file"; readonly file_id: string }
  | { readonly type: "text"; readonly media_type: string; readonly data: string }
  /** A document made of blocks. */
  | { readonly type: "content"; readonly content: string | readonly ContentBlock[] };

export interface ImageBlock {
  readonly type: "image";
  readonly source: MediaSource;
}

export interface DocumentBlock {
  readonly type: "document";
  readonly source: MediaSource;
  readonly title?: string;
}

/** A block this version has no name for: it is kept as it came, and sent where the API may take it. */
export interface UnknownBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type KnownBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock;

export type ContentBlock = KnownBlock | UnknownBlock;

/** Narrows a block by its type; an unknown block never equals a known one. */
export function isBlock<Type extends KnownBlock["type"]>(
  block: ContentBlock,
  type: Type,
): block is Extract<KnownBlock, { readonly type: Type }> {
  return block.type === type;
}

export type MessageType = "user" | "assistant" | "system" | "attachment" | "progress";

/** Token usage of one response, in the API's own four parts. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
  /** How `cacheCreation` splits by time to live, where the API says. */
  readonly cacheCreation5m?: number;
  readonly cacheCreation1h?: number;
}

export interface MessageFlags {
  /** Sent, never shown, not the user's word. */
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  /** Sent, shown only in the transcript view. */
  readonly isVisibleInTranscriptOnly?: boolean;
  /** With the model `<synthetic>`: a locally made error, never sent. */
  readonly isApiErrorMessage?: boolean;
  /** A sub-agent's line inside its parent's transcript (imported logs): never part of the main view. */
  readonly isSidechain?: boolean;
  /** The response was cut off by an abort or a failure: kept, never rendered. */
  readonly isAborted?: boolean;
}

export interface Message extends MessageFlags {
  readonly type: MessageType;
  readonly content: string | readonly ContentBlock[];
  /** The API's message id: several entries with one id are one response. */
  readonly responseId?: string;
  readonly model?: string;
  readonly stopReason?: string | null;
  readonly usage?: Usage;
  /** The provider's report, as it came, where it cannot be believed; `usage` is all zero then. */
  readonly reportedUsage?: unknown;
  /** `attachment`: what is attached (file, todos, plan, …). `system`: which notice. */
  readonly subtype?: string;
  /** `attachment`: the id of the message it belongs to, where it has one. */
  readonly attachedTo?: string;
  /** Digest of the prefix an assistant message was produced on (prefix-bound thinking). */
  readonly prefixDigest?: string;
  /** Digest up to the older marker of that request, where an edit had put it further back than to the request before. */
  readonly markedDigest?: string;
  /** By the ids of calls in the content, what their server called them: ids that calls of earlier answers have. Never sent. */
  readonly givenIds?: Readonly<Record<string, string>>;
  /** The files that the tools whose results these are have read or written. Never sent. */
  readonly files?: readonly (FileStamp & { readonly toolUseId: string })[];
  /** The API's report of its edits to the context of this response. */
  readonly contextManagement?: { readonly applied_edits?: readonly unknown[] };
}

/** Input of `session.add`: a role instead of a type, the rest as in `Message`. */
export interface MessageInput extends Omit<Partial<Message>, "type" | "content" | "usage" | "model"> {
  readonly role: "user" | "assistant";
  /** Blocks may be of the types of an SDK, which have no name for every field. */
  readonly content: string | readonly (ContentBlock | SdkBlock)[];
  /** Ours, or the response's own as it came: of the Messages API, of chat completions or of the Responses API. */
  readonly usage?: Usage | object | null | undefined;
  /** The API's message id. */
  readonly id?: string;
  readonly model?: ModelName;
  /** Milliseconds since the epoch or an ISO time; the clock's time when absent. */
  readonly at?: number | string;
}

/** A content block in the types of an SDK. */
export interface SdkBlock {
  readonly type: string;
}

/** A response as an SDK of the Messages API gives it: `session.add(await client.messages.create(request))`. */
export interface SdkAnswer {
  readonly role: "assistant";
  readonly id: string;
  readonly model: string;
  readonly content: readonly SdkBlock[];
  readonly stop_reason: string | null;
  readonly usage: object;
  readonly context_management?: { readonly applied_edits: readonly object[] } | null;
}
