/** Positions that are tried at each breakpoint, the breakpoint itself counted. */
export const lookBackBlocks = 20;
/** Of more prefixes only the newest are remembered. */
const maxEntries = 256;

/** A prefix that a request left in the provider's cache. */
export interface CacheEntry {
  /** Of its last block, over tools, system and messages. */
  readonly position: number;
  readonly digest: string;
  /** What the provider said it has, once it said so, and by which cache edits it was counted. */
  readonly tokens?: number;
  readonly edits?: string;
  readonly usedAtMs: number;
}

/** A prompt as far as its prefixes go. */
export interface PromptPrefixes {
  /** Positions of its breakpoints, ascending. */
  readonly marks: readonly number[];
  /** Names its cache edits, empty without any: they take out of what a prefix counts, and not out of what it is. */
  readonly edits: string;
  /** Digest of everything up to and including the block at a position; `null` where none is kept. */
  digestAt(position: number): string | null;
}

/** What is known of the provider's cache from what was sent. */
export interface CacheEntries {
  /**
   * The longest prefix of the prompt that can be read, by the provider's own rule, where entries live for so long; `null`
   * without one.
   */
  find(prompt: PromptPrefixes, nowMs: number, lifeMs: number): CacheEntry | null;
  /** The prefix of the prompt of which the provider said that it has so many tokens; `null` without one. */
  findBySize(prompt: PromptPrefixes, tokens: number): CacheEntry | null;
  /** Takes in that prefixes can be read from now on, or were read just now. */
  put(entries: readonly CacheEntry[]): void;
}

/** How many tokens an entry has in a prompt; absent where that was not said. */
export function sizeIn({ edits }: PromptPrefixes, entry: CacheEntry | null): number | undefined {
  return entry && (entry.edits ?? "") === edits ? entry.tokens : undefined;
}

export function createCacheEntries(): CacheEntries {
  let entries: readonly CacheEntry[] = [];

  function longest(prompt: PromptPrefixes, isAlive: (entry: CacheEntry) => boolean): CacheEntry | null {
    const inReach = ({ position }: CacheEntry) =>
      prompt.marks.some((mark) => position <= mark && mark - position < lookBackBlocks);
    let found: CacheEntry | null = null;
    for (const entry of entries) {
      if (entry.position <= (found?.position ?? -1) || !isAlive(entry) || !inReach(entry)) continue;
      if (prompt.digestAt(entry.position) === entry.digest) found = entry;
    }
    return found;
  }

  return {
    find: (prompt, nowMs, lifeMs) => longest(prompt, ({ usedAtMs }) => nowMs - usedAtMs < lifeMs),
    findBySize: (prompt, tokens) => longest(prompt, (entry) => sizeIn(prompt, entry) === tokens),
    put(more) {
      const digests = new Set(more.map(({ digest }) => digest));
      entries = [...entries.filter(({ digest }) => !digests.has(digest)), ...more].slice(-maxEntries);
    },
  };
}
