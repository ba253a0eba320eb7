/** Time, handed in. Nothing reads the machine's clock by itself, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. Does not keep a process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Names for things, handed in. */
export interface Ids {
  /** A new id that begins with `prefix` and an underscore; unique, and safe as a file name. */
  next(prefix: string): string;
}
