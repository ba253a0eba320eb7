import { type CacheTtl, ttlMsOf } from "./price-row.ts";

/** A marked block: what is written up to it is kept for so long, from its last use on. */
export interface CacheMark {
  readonly position: number;
  readonly ttl: CacheTtl;
}

/** One request as the provider's prompt cache sees it. Positions count blocks, tools and system among them. */
export interface CacheInput {
  readonly atMs: number;
  /** Entries of one model are of no use to another. */
  readonly model: string;
  /** Names the bytes from the beginning to the end of the block at a position. */
  readonly digestTo: (position: number) => string;
  /** Tokens from the beginning to the end of the block at a position. */
  readonly tokensTo: (position: number) => number;
  /** In order; at most four count. Longer lifetimes stand before shorter ones. */
  readonly marks: readonly CacheMark[];
  readonly totalTokens: number;
  /** Fewer tokens than this are never cached. */
  readonly minTokens: number;
}

/** How the tokens of a request were paid. They add up to its size. */
export interface CacheUse {
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  /** Of what was written, what is kept for an hour. */
  readonly writtenForHour: number;
}

export interface CacheSimulatorOptions {
  /** How many blocks back from a marked one an entry is still found, the marked one counted. */
  readonly lookBackBlocks: number;
  /** Entries stand at every block up to the last marked one, as if it were known beforehand where to mark: a bound. */
  readonly storesEveryBlock?: boolean;
}

export interface CacheSimulator {
  use(input: CacheInput): CacheUse;
}

export const maxCountedMarks = 4;

/** Something in the cache. It lives for as long as it was written for, from its last use on. */
interface CacheEntry {
  readonly lifeMs: number;
  usedAtMs: number;
}

/**
 * A provider's prompt cache: entries stand at marked blocks, live as long as the marker that wrote them says, and are
 * found from a marked block by looking back. What is read, and every marked prefix of it, is kept alive for the time it
 * was written with. What is new up to the last marker for an hour is written for an hour, the rest for five minutes.
 */
export function createCacheSimulator(options: CacheSimulatorOptions): CacheSimulator {
  const { storesEveryBlock = false } = options;
  const lookBackBlocks = storesEveryBlock ? Number.POSITIVE_INFINITY : options.lookBackBlocks;
  const entries = new Map<string, CacheEntry>();

  return {
    use(input) {
      const { atMs, model, digestTo, tokensTo, totalTokens, minTokens } = input;
      const marks = input.marks.slice(0, maxCountedMarks);
      const keyTo = (position: number) => `${model} ${digestTo(position)}`;
      const findAlive = (position: number) => {
        const entry = entries.get(keyTo(position));
        return entry !== undefined && atMs - entry.usedAtMs < entry.lifeMs ? entry : undefined;
      };
      const positions = marks.map(({ position }) => position);
      const hit = longestHit(positions, lookBackBlocks, (position) => findAlive(position) !== undefined);
      const cacheable = marks.filter(({ position }) => tokensTo(position) >= minTokens);
      const found = hit === -1 ? undefined : findAlive(hit);
      if (found) found.usedAtMs = atMs;
      for (const { position, ttl } of storesEveryBlock ? everyBlock(cacheable) : cacheable) {
        const known = findAlive(position);
        if (known) known.usedAtMs = atMs;
        else entries.set(keyTo(position), { lifeMs: ttlMsOf[ttl], usedAtMs: atMs });
      }
      const read = hit === -1 ? 0 : tokensTo(hit);
      const writtenTo = (last: CacheMark | undefined) =>
        last === undefined ? 0 : Math.max(0, tokensTo(last.position) - read);
      const written = writtenTo(cacheable.at(-1));
      const writtenForHour = writtenTo(cacheable.findLast(({ ttl }) => ttl === "1h"));
      return { read, written, uncached: totalTokens - read - written, writtenForHour };
    },
  };
}

/** Every block up to the last marked one, with the lifetime of the next marker. */
function everyBlock(marks: readonly CacheMark[]): readonly CacheMark[] {
  let from = 0;
  return marks.flatMap(({ position: last, ttl }) => {
    const marked = Array.from({ length: Math.max(0, last + 1 - from) }, (_, at) => ({
      position: from + at,
      ttl,
    }));
    from = Math.max(from, last + 1);
    return marked;
  });
}

function longestHit(
  positions: readonly number[],
  lookBackBlocks: number,
  isCached: (position: number) => boolean,
): number {
  for (const marked of [...positions].reverse()) {
    const lowest = Math.max(0, marked - lookBackBlocks + 1);
    for (let position = marked; position >= lowest; position -= 1) if (isCached(position)) return position;
  }
  return -1;
}
