/** One request as the provider's prompt cache sees it. Positions count blocks, tools and system among them. */
export interface CacheInput {
  readonly atMs: number;
  /** Entries of one model are of no use to another. */
  readonly model: string;
  /** Names the bytes from the beginning to the end of the block at a position. */
  readonly digestTo: (position: number) => string;
  /** Tokens from the beginning to the end of the block at a position. */
  readonly tokensTo: (position: number) => number;
  /** Positions of the marked blocks, in order; at most four count. */
  readonly breakpoints: readonly number[];
  readonly totalTokens: number;
  /** Fewer tokens than this are never cached. */
  readonly minTokens: number;
}

/** How the tokens of a request were paid. They add up to its size. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  /** Of what was written, what a recording says was to be kept for an hour; absent: for the simulated time. */
  readonly writtenForHour?: number;
}

export interface CacheSimulatorOptions {
  readonly ttlMs: number;
  /** How many blocks back from a marked one an entry is still found, the marked one counted. */
  readonly lookBackBlocks: number;
  /** Entries stand at every block up to the last marked one, as if it were known beforehand where to mark: a bound. */
  readonly storesEveryBlock?: boolean;
}

export interface CacheSimulator {
  use(input: CacheInput): CacheUse;
}

export const maxCountedBreakpoints = 4;

/**
 * A provider's prompt cache: entries stand at marked blocks, live for their time to live from their last use on, and
 * are found from a marked block by looking back. What is read, and every marked prefix of it, is kept alive.
 */
export function createCacheSimulator(options: CacheSimulatorOptions): CacheSimulator {
  const { ttlMs, storesEveryBlock = false } = options;
  const lookBackBlocks = storesEveryBlock ? Number.POSITIVE_INFINITY : options.lookBackBlocks;
  const usedAt = new Map<string, number>();

  return {
    use(input) {
      const { atMs, model, digestTo, tokensTo, totalTokens, minTokens } = input;
      const breakpoints = input.breakpoints.slice(0, maxCountedBreakpoints);
      const keyTo = (position: number) => `${model} ${digestTo(position)}`;
      const isAlive = (key: string) => {
        const at = usedAt.get(key);
        return at !== undefined && atMs - at < ttlMs;
      };
      const hit = longestHit(breakpoints, lookBackBlocks, (position) => isAlive(keyTo(position)));
      if (hit !== -1) usedAt.set(keyTo(hit), atMs);
      const cacheable = breakpoints.filter((position) => tokensTo(position) >= minTokens);
      for (const position of storesEveryBlock ? upTo(cacheable.at(-1) ?? -1) : cacheable)
        usedAt.set(keyTo(position), atMs);
      const read = hit === -1 ? 0 : tokensTo(hit);
      const end = cacheable.at(-1);
      const written = end === undefined ? 0 : Math.max(0, tokensTo(end) - read);
      return { read, written, uncached: totalTokens - read - written };
    },
  };
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last + 1 }, (_, position) => position);
}

function longestHit(
  breakpoints: readonly number[],
  lookBackBlocks: number,
  isCached: (position: number) => boolean,
): number {
  for (const marked of [...breakpoints].reverse()) {
    const lowest = Math.max(0, marked - lookBackBlocks + 1);
    for (let position = marked; position >= lowest; position -= 1) if (isCached(position)) return position;
  }
  return -1;
}
