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
  /** When the log began and when the newest response came, in milliseconds; absent before there is one. */
  readonly beganAtMs?: number;
  readonly respondedAtMs?: number;
  /** The model of the newest response. */
  readonly respondedBy?: string;
}
