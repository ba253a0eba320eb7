export type TimeToLive = "5m" | "1h";

const lifeMs: Readonly<Record<TimeToLive, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** Keys that are forgotten a fixed time after their last use. */
export interface EntryTable {
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
