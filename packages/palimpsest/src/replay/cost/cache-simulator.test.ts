import { describe, expect, it } from "vitest";
import { type CacheInput, createCacheSimulator } from "./cache-simulator.ts";
import type { CacheTtl } from "./price-row.ts";

const minute = 60_000;

/** A request of one block per letter, a hundred tokens each. */
function asking(
  letters: string,
  atMs: number,
  positions: readonly number[],
  more: Partial<CacheInput> & { readonly ttl?: CacheTtl } = {},
) {
  const { ttl = "5m", ...rest } = more;
  return {
    atMs,
    model: "m",
    digestTo: (position: number) => letters.slice(0, position + 1),
    tokensTo: (position: number) => (position + 1) * 100,
    marks: positions.map((position) => ({ position, ttl })),
    totalTokens: letters.length * 100,
    minTokens: 0,
    ...rest,
  };
}

const simulator = () => createCacheSimulator({ lookBackBlocks: 20 });

describe("the cache simulator", () => {
  it.each([
    ["reads what was written and writes what is new", "abcd", minute, [1, 3], {}, [200, 200, 0]],
    ["finds a shorter prefix that was marked", "aX", minute, [0, 1], {}, [100, 100, 0]],
    ["has forgotten after the time to live", "ab", 5 * minute, [1], {}, [0, 200, 0]],
    ["remembers until then", "ab", 5 * minute - 1, [1], {}, [200, 0, 0]],
    ["looks back from a marked block", `ab${"c".repeat(19)}`, minute, [20], {}, [200, 1_900, 0]],
    ["looks back twenty blocks and no further", `ab${"c".repeat(20)}`, minute, [21], {}, [0, 2_200, 0]],
    ["does not share between models", "ab", minute, [1], { model: "n" }, [0, 200, 0]],
    ["leaves what follows the last marked block uncached", "abcd", minute, [1, 2], {}, [200, 100, 100]],
    ["counts four marked blocks only", "abXXXX", minute, [2, 3, 4, 5, 1], {}, [200, 400, 0]],
  ] as const)("%s", (_name, letters, atMs, positions, more, [read, written, uncached]) => {
    const cache = simulator();
    cache.use(asking("ab", 0, [0, 1]));
    const use = { read, written, uncached, writtenForHour: 0 };
    expect(cache.use(asking(letters, atMs, positions, more))).toEqual(use);
  });

  it("has no entry at a block that was not marked, even where the bytes are the same", () => {
    const cache = simulator();
    cache.use(asking("abc", 0, [2]));
    expect(cache.use(asking("abXd", minute, [1, 3]))).toEqual({
      read: 0,
      written: 400,
      uncached: 0,
      writtenForHour: 0,
    });
  });

  it("caches nothing below the model's minimum", () => {
    const cache = simulator();
    const small = asking("ab", 0, [1], { minTokens: 300 });
    expect(cache.use(small)).toEqual({ read: 0, written: 0, uncached: 200, writtenForHour: 0 });
    expect(cache.use(small)).toEqual({ read: 0, written: 0, uncached: 200, writtenForHour: 0 });
  });

  it("keeps alive what is read", () => {
    const cache = simulator();
    for (const atMs of [0, 4 * minute, 8 * minute]) cache.use(asking("ab", atMs, [1]));
    expect(cache.use(asking("ab", 12 * minute, [1])).read).toBe(200);
  });

  it("finds every shared prefix where entries stand at every block", () => {
    const cache = createCacheSimulator({ lookBackBlocks: 20, storesEveryBlock: true });
    cache.use(asking("abcdef", 0, [5]));
    expect(cache.use(asking("abcXYZ", minute, [5]))).toEqual({
      read: 300,
      written: 300,
      uncached: 0,
      writtenForHour: 0,
    });
  });

  it("keeps for an hour what was written for an hour, and says how much that was", () => {
    const cache = simulator();
    const written = cache.use(asking("ab", 0, [0, 1], { ttl: "1h" }));
    expect(written).toEqual({ read: 0, written: 200, uncached: 0, writtenForHour: 200 });
    expect(cache.use(asking("ab", 59 * minute, [1])).read).toBe(200);
    expect(cache.use(asking("ab", 118 * minute, [1])).read).toBe(200);
    expect(cache.use(asking("ab", 178 * minute, [1])).read).toBe(0);
  });

  it("refreshes a read for the time it was written with, whatever the reader marks", () => {
    const cache = simulator();
    cache.use(asking("ab", 0, [1]));
    expect(cache.use(asking("ab", minute, [1], { ttl: "1h" })).read).toBe(200);
    expect(cache.use(asking("ab", 6 * minute, [1], { ttl: "1h" })).read).toBe(0);
    expect(cache.use(asking("ab", 60 * minute, [1])).read).toBe(200);
  });

  it("writes for an hour up to the last mark for an hour, and the rest for five minutes", () => {
    const cache = simulator();
    const marks = [
      { position: 1, ttl: "1h" },
      { position: 3, ttl: "5m" },
    ] as const;
    const ask = (letters: string, atMs: number) => ({ ...asking(letters, atMs, []), marks });
    expect(cache.use(ask("abcd", 0))).toEqual({ read: 0, written: 400, uncached: 0, writtenForHour: 200 });
    expect(cache.use(ask("abcd", 10 * minute))).toEqual({
      read: 200,
      written: 200,
      uncached: 0,
      writtenForHour: 0,
    });
  });
});
