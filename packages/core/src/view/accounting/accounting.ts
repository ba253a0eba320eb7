import type {
  Category,
  ContentBlock,
  Message,
  MessageFlags,
  TextBlock,
  ToolDefinition,
} from "../../spec/index.ts";
import type { WindowThresholds } from "../window/window-thresholds.ts";

/** Kinds of content that tokens belong to, in the order in which requests have them, as far as there is one. */
export const categories = [
  "systemPrompt",
  "builtInTools",
  "mcpTools",
  "memoryFiles",
  "summaries",
  "humanMessages",
  "assistantMessages",
  "thinking",
  "toolRequests",
  "toolResults",
  "attachments",
  "localCommandOutput",
  "imagesAndDocuments",
  "other",
] as const satisfies readonly Category[];

export type {
  Accounting,
  Category,
  DuplicateReads,
  MetricFailure,
  NamedShare,
  Share,
} from "../../spec/index.ts";

/** The fields of an item's message that accounting needs. */
export type MessageTraits = Pick<Message, "type" | "subtype" | keyof MessageFlags>;

/** The tokens of a whole context, and of what is sent before its messages. */
export interface CountedContext {
  readonly totalTokens: number;
  readonly headTokens: number;
}

/** Everything accounting is done with, besides the items of the view. Both functions may fail: it is reported. */
export interface AccountingInput {
  /** Tokens of one block. */
  estimate(block: ContentBlock): number;
  /** The message of an entry in the view; absent for what a decision put there. */
  messageOf(entry: string): MessageTraits | undefined;
  readonly thresholds: Pick<WindowThresholds, "window" | "base">;
  /** The session's count, for the shares to add up to; absent: shares are as they were estimated. */
  readonly counted?: CountedContext;
  /** The blocks before the messages; memory files are not to be in it twice. */
  readonly system?: readonly TextBlock[];
  readonly memoryFiles?: readonly { readonly path: string; readonly text: string }[];
  readonly tools?: readonly ToolDefinition[];
  /** The names of those tools whose definitions are not sent before they are asked for. */
  readonly deferredTools?: ReadonlySet<string>;
}
