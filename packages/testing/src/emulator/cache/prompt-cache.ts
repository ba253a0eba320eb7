import type { Clock } from "@palimpsest/core/spec";
import type { CacheOutcome, MeasuredPrompt, PromptBlock } from "../wire.ts";
import { cacheMissReason, type PromptSummary } from "./cache-miss-reason.ts";

/** Positions that are tried at each breakpoint, the breakpoint itself counted. */
const lookBackBlocks = 20;
const defaultMaxEntries = 100_000;

export interface PromptCacheOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** Tokens below which nothing of this model's prompts is kept. */
  readonly minimumPrefix: (model: string) => number;
  /** More prefixes than this are never kept: the least recently used go first. Default 100,000. */
  readonly maxEntries?: number;
}

/** A request on its way. */
export interface CacheLook {
  readonly outcome: CacheOutcome;
  /** The response begins: what this request writes can be read from now on. A second call does nothing. */
  begin(): void;
}

/** The simulated prompt cache of one organization. */
export interface PromptCache {
  /**
   * The reads and writes of a request. At each breakpoint the last 20 positions are tried for an entry that an earlier
   * request left at exactly that prefix; the longest of them is read. Reading refreshes it, and the entries at this
   * request's own breakpoints in front of it, each for its own time. Everything from there to the last breakpoint over
   * the minimum is written. Without `previous` no reason is given for a miss.
   */
  look(prompt: MeasuredPrompt, model: string, previous?: PromptSummary | null): CacheLook;
  /** Index of the last block that this prompt would read now, -1 without a hit; refreshes nothing. */
  peek(prompt: MeasuredPrompt): number;
  /** Prefixes that can be read now. */
  readonly size: number;
}

/**
 * An entry lives for less than 5 minutes or 1 hour since it was last used: a request at the edge itself misses. The
 * time is the one it was written with, whatever marker reads it.
 */
export function createPromptCache(options: PromptCacheOptions): PromptCache {
  const { clock, minimumPrefix, maxEntries = defaultMaxEntries } = options;
  const table = createEntryTable(maxEntries);

  function findHit(blocks: readonly PromptBlock[], nowMs: number): number {
    let reach = blocks.length;
    return blocks.findLastIndex(({ key, breakpoint }, at) => {
      if (breakpoint) reach = at - lookBackBlocks;
      return at > reach && table.has(key, nowMs);
    });
  }

  return {
    look(prompt, model, previous) {
      const nowMs = clock.monotonic();
      const { blocks } = prompt;
      const hitBlock = findHit(blocks, nowMs);
      for (const [at, { key, breakpoint }] of blocks.entries()) {
        if (at > hitBlock) break;
        if (at === hitBlock || breakpoint) table.touch(key, nowMs);
      }
      const { writes, ...tokens } = split(prompt, hitBlock, minimumPrefix(model));
      const reason = previous === undefined ? null : cacheMissReason(previous, prompt, tokens.readTokens);
      let hasBegun = false;
      return {
        outcome: { ...tokens, hitBlock, ...(reason && { missReason: reason.type }) },
        begin() {
          if (hasBegun) return;
          hasBegun = true;
          for (const { key, breakpoint } of writes) table.put(key, breakpoint ?? "5m", clock.monotonic());
        },
      };
    },
    peek: ({ blocks }) => findHit(blocks, clock.monotonic()),
    get size() {
      return table.size(clock.monotonic());
    },
  };
}

/** Divides a prompt: read, written for an hour, written for five minutes, rest. The hour's part comes first. */
function split({ blocks, tokens }: MeasuredPrompt, hitBlock: number, minimumPrefix: number) {
  const writes: PromptBlock[] = [];
  let readTokens = 0;
  let endOf1h = 0;
  let endOf5m = 0;
  let sum = 0;
  for (const [at, block] of blocks.entries()) {
    sum += block.tokens;
    if (at === hitBlock) readTokens = endOf1h = endOf5m = sum;
    if (at <= hitBlock || !block.breakpoint || sum < minimumPrefix) continue;
    writes.push(block);
    endOf5m = sum;
    if (block.breakpoint === "1h") endOf1h = sum;
  }
  return {
    writes,
    readTokens,
    written1hTokens: endOf1h - readTokens,
    written5mTokens: endOf5m - endOf1h,
    inputTokens: tokens - endOf5m,
  };
}

type TimeToLive = "5m" | "1h";

const lifeMs: Readonly<Record<TimeToLive, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** Keys that are forgotten a fixed time after their last use. */
interface EntryTable {
  has(key: string, nowMs: number): boolean;
  /** Begins an entry's time anew; does nothing for a key that is not there. */
  touch(key: string, nowMs: number): void;
  /** Of two entries with one key the one that lives longer stays. */
  put(key: string, life: TimeToLive, nowMs: number): void;
  size(nowMs: number): number;
}

/**
 * Never holds more than `maxEntries`: the one unused for longest goes first. Times may not go back. One table for each
 * time to live keeps keys in the order of their last use, which is the order in which they expire, so that forgetting
 * costs no search.
 */
export function createEntryTable(maxEntries: number): EntryTable {
  const tables: Readonly<Record<TimeToLive, Map<string, number>>> = { "5m": new Map(), "1h": new Map() };
  const lives: readonly TimeToLive[] = ["1h", "5m"];

  function isAlive(life: TimeToLive, usedMs: number | undefined, nowMs: number): boolean {
    return usedMs !== undefined && nowMs < usedMs + lifeMs[life];
  }

  function use(life: TimeToLive, key: string, nowMs: number): void {
    tables[life].delete(key);
    tables[life].set(key, nowMs);
  }

  function forgetExpired(nowMs: number): void {
    for (const life of lives) {
      for (const [key, usedMs] of tables[life]) {
        if (isAlive(life, usedMs, nowMs)) break;
        tables[life].delete(key);
      }
    }
  }

  function forgetOldest(): void {
    const [long, short] = lives.map((life) => tables[life].entries().next().value);
    if (long && (!short || long[1] < short[1])) tables["1h"].delete(long[0]);
    else if (short) tables["5m"].delete(short[0]);
  }

  function find(key: string, nowMs: number): TimeToLive | undefined {
    return lives.find((life) => isAlive(life, tables[life].get(key), nowMs));
  }

  return {
    has: (key, nowMs) => find(key, nowMs) !== undefined,
    touch(key, nowMs) {
      const life = find(key, nowMs);
      if (life) use(life, key, nowMs);
    },
    put(key, life, nowMs) {
      const known = find(key, nowMs);
      if (known === "5m" && life === "1h") tables["5m"].delete(key);
      use(known === "1h" ? known : life, key, nowMs);
      forgetExpired(nowMs);
      while (tables["5m"].size + tables["1h"].size > maxEntries) forgetOldest();
    },
    size(nowMs) {
      forgetExpired(nowMs);
      return tables["5m"].size + tables["1h"].size;
    },
  };
}
