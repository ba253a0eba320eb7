/** Kinds of content that tokens in the context belong to. */
export type Category =
  | "systemPrompt"
  | "builtInTools"
  | "mcpTools"
  | "memoryFiles"
  | "summaries"
  | "humanMessages"
  | "assistantMessages"
  | "thinking"
  | "toolRequests"
  | "toolResults"
  | "attachments"
  | "localCommandOutput"
  | "imagesAndDocuments"
  | "other";

export interface Share {
  readonly tokens: number;
  /** Rounded; absent where the whole is 0. */
  readonly percent?: number;
}

export interface NamedShare extends Share {
  readonly name: string;
  readonly count: number;
}

export interface DuplicateReads {
  readonly path: string;
  /** How many results of reading it are in the view as they were, more than one. */
  readonly count: number;
  /** Average tokens of all but one of them. */
  readonly tokens: number;
}

/** A value that could not be measured: it counts as zero. */
export interface MetricFailure {
  readonly metric: "estimate" | "messageOf";
  readonly message: string;
  readonly count: number;
}

/** Where the tokens of a view are. Lists have the largest first. */
export interface Accounting {
  /** The sum of the categories. */
  readonly total: number;
  readonly window: number;
  /** Percentages are of `total`, here and in the lists. */
  readonly categories: Readonly<Record<Category, Share>>;
  /** The parts of `toolRequests`, `toolResults`, `attachments` and `memoryFiles`, by tool, tool, type and path. */
  readonly requestsByTool: readonly NamedShare[];
  readonly resultsByTool: readonly NamedShare[];
  readonly attachmentsByType: readonly NamedShare[];
  readonly memoryFilesByPath: readonly NamedShare[];
  /** Definitions that are not sent before they are asked for: no part of `total`. */
  readonly deferredTools: { readonly count: number; readonly tokens: number };
  /** Room left before the buffer begins; percentages of these two are of the window. */
  readonly freeSpace: Share;
  /** Kept free for compaction; what the view takes of it is no longer reserved. */
  readonly reservedBuffer: Share;
  readonly duplicateReads: readonly DuplicateReads[];
  readonly failures: readonly MetricFailure[];
}

/** Activity and spending of a session since it began, rewound or not: sums over its whole log. */
export interface SessionStatistics {
  /** Messages of the user that are not results. */
  readonly turns: number;
  readonly toolResults: number;
  /** Responses, each counted once however many entries it has. */
  readonly responses: number;
  readonly compactions: number;
  /** Tokens of all responses together, in the API's four parts. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  readonly outputTokens: number;
  /** At the catalog's prices; what forks have spent is not in it. */
  readonly dollars: number;
  /** Spending of forks, by their kind; absent where there was none. */
  readonly forkDollars?: Readonly<Record<string, number>>;
  /** When the log began, in milliseconds; absent before there is an entry. */
  readonly beganAtMs?: number;
  /**
   * When the newest response came: by the session's own clock where it answered a request of this process, by its entry
   * where it was read from a log. Absent before there is one.
   */
  readonly respondedAtMs?: number;
  /** When its request was sent, where this process sent it; else when it came, as above. */
  readonly askedAtMs?: number;
  /** When a read has kept the cache warm since. */
  readonly keptAtMs?: number;
  /** The model that was asked for the newest response, whatever name it came back with. */
  readonly respondedFor?: string;
  /** The longest gap after which a response still read from the cache what the one before it had left there. */
  readonly warmGapMs?: number;
  /**
   * How that model's cache works, as its responses show: it keeps what is marked, for as long as they say or as the
   * marker does, or it works by itself. Absent before they tell anything.
   */
  readonly caching?: "5m" | "1h" | "marked" | "automatic";
}
