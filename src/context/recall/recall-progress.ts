/** How far a session's log is in the index. */
export interface SessionProgress {
  /** Where to go on reading. */
  readonly end: number;
  readonly lastSeq: number;
  readonly epoch: number;
  /** The last entry read: if it no longer stands there, the log was rewritten and is read anew. */
  readonly lastPlace: number;
  readonly lastId: string;
  /** How many messages are in the index. */
  readonly messages: number;
  /** The log's size and time when it was read: while both stay, there is nothing new. */
  readonly bytes: number;
  readonly modifiedAt: string;
}

/** What the index holds, so that an update reads only what is new. */
export interface RecallProgress {
  readonly sessions: ReadonlyMap<string, SessionProgress>;
  /** The version of each memory, by path. */
  readonly memories: ReadonlyMap<string, number>;
}

export const noProgress: RecallProgress = { sessions: new Map(), memories: new Map() };
