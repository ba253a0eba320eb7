/** What a session has done and spent since it began, rewound or not: sums over its whole log. */
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
  /** What forks have spent, by their kind; absent where there was none. */
  readonly forkDollars?: Readonly<Record<string, number>>;
  /** When the log began, in milliseconds; absent before there is an entry. */
  readonly beganAtMs?: number;
  /**
   * When the newest response came: by the session's own clock where it answered a request of this process, by its entry
   * where it was read from a log. Absent before there is one.
   */
  readonly respondedAtMs?: number;
  /** The model that was asked for the newest response, whatever name it came back with. */
  readonly respondedFor?: string;
  /** The longest gap after which a response still read from the cache what the one before it had left there. */
  readonly warmGapMs?: number;
  /**
   * What that model's responses tell of its cache: it keeps what is marked, for as long as they say or as the marker does,
   * or it works by itself. Absent before they tell anything.
   */
  readonly caching?: "5m" | "1h" | "marked" | "automatic";
}
