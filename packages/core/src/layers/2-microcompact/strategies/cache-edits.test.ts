import { describe, expect, it } from "vitest";
import type { Facts, View, ViewItem } from "../../../spec/index.ts";
import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";
import { chooseStrategy } from "../decide.ts";
import { type MicrocompactNumbers, microcompactNumbers, numbersOf } from "../settings.ts";
import { clearByCacheEdits } from "./cache-edits.ts";

const newest = { role: "user", entry: "newest", index: 2 } as ViewItem;

interface Input {
  readonly results: number;
  /** How many of them were part of an answered request. */
  readonly sent?: number;
  readonly spared?: readonly string[];
  readonly last?: ViewItem;
  readonly facts?: object;
  readonly numbers?: Partial<MicrocompactNumbers>;
}

const warm = {
  source: "main",
  cache: { state: "warm", ttlMs: 300_000, idleMs: 10 },
  capabilities: { cacheEdits: true },
  statistics: { cacheReadTokens: 0, cacheCreationTokens: 100 },
  settings: { flags: { "clear-cache-edits": true, "clear-cold": true, "prefix-guard": true } },
};

function choose({ results, sent = results, spared = [], last = newest, facts, numbers }: Input) {
  const part = (_: unknown, position: number) =>
    ({ part: "result", toolUseId: `t${position + 1}`, position }) as ClearablePart;
  return clearByCacheEdits.choose({
    view: { items: [last], sentItems: sent, sparedResults: new Set(spared) } as unknown as View,
    parts: Array.from({ length: results }, part),
    facts: { ...warm, ...facts } as unknown as Facts,
    numbers: { ...microcompactNumbers, ...numbers },
    unseenFrom: results,
  });
}

/** Results deleted; the choice where nothing is. */
function chosen(input: Input) {
  const choice = choose(input);
  return choice.choice === "edit" ? choice.parts.map(({ toolUseId }) => toolUseId) : choice;
}

const firstOnes = (count: number) => Array.from({ length: count }, (_, index) => `t${index + 1}`);

describe("clearing by cache edits", () => {
  it.each([
    [25, { choice: "nothing", reason: "25 results are not over 25" }],
    [26, firstOnes(16)],
    [40, firstOnes(30)],
  ])("of %d results deletes all but the newest ten, and nothing up to 25", (results, expected) => {
    expect(chosen({ results })).toEqual(expected);
  });

  it("stands behind the newest block", () => {
    expect(choose({ results: 26 })).toMatchObject({ behind: { entry: "newest", block: 2 } });
  });

  it("goes by the numbers that were set", () => {
    expect(chosen({ results: 3, numbers: { cacheEditTrigger: 2, cacheEditKeep: 0 } })).toEqual(firstOnes(3));
    expect(chosen({ results: 3, numbers: { cacheEditTrigger: 2, cacheEditKeep: 9 } })).toMatchObject({
      choice: "nothing",
    });
  });

  it("leaves what no answered request had, since it is not cached", () => {
    expect(chosen({ results: 40, sent: 5 })).toEqual(firstOnes(5));
    expect(chosen({ results: 40, sent: 0 })).toMatchObject({
      reason: "the old results are not cached yet",
    });
  });

  it("neither counts nor deletes what an undone edit had deleted", () => {
    expect(chosen({ results: 30, spared: firstOnes(5) })).toMatchObject({ choice: "nothing" });
    expect(chosen({ results: 31, spared: firstOnes(5) })).toEqual(firstOnes(21).slice(5));
  });

  it.each<[string, Omit<Input, "results">]>([
    ["the cache is cold", { facts: { cache: { state: "cold", ttlMs: 300_000, idleMs: 300_000 } } }],
    ["nothing is cached", { facts: { statistics: { cacheReadTokens: 0, cacheCreationTokens: 0 } } }],
    [
      "the cache state is unknown, since the prefix guard is off",
      { facts: { settings: { flags: { ...warm.settings.flags, "prefix-guard": false } } } },
    ],
    ["the newest message is not the user's", { last: { ...newest, role: "assistant" } }],
  ])("does nothing where %s", (reason, input) => {
    expect(chosen({ results: 40, ...input })).toEqual({ choice: "nothing", reason });
  });
});

describe("the choice of cache edits", () => {
  const nameWith = (changed: object) => {
    const facts = { ...warm, ...changed } as unknown as Facts;
    return chooseStrategy({ facts, numbers: numbersOf(facts), withoutCacheEdits: false }).name;
  };
  const withFlags = (flags: object) => ({ settings: { flags: { ...warm.settings.flags, ...flags } } });

  it("takes the flag and the capability, and a cache that is warm", () => {
    expect(nameWith({})).toBe("cache-edits");
    expect(nameWith(withFlags({ "clear-cache-edits": false }))).toBe("economic");
    expect(nameWith({ capabilities: { cacheEdits: false } })).toBe("economic");
    expect(nameWith({ source: "agent" })).toBe("economic");
    expect(nameWith({ cache: { state: "cold", ttlMs: 1, idleMs: 1 } })).toBe("cold");
    expect(nameWith({ cache: { state: "cold", idleMs: 1, isOtherModel: true } })).toBe("cold");
    expect(nameWith(withFlags({ "clear-threshold": true }))).toBe("cache-edits");
  });

  it("is none for a request whose cache edits were taken back", () => {
    const facts = warm as unknown as Facts;
    const moment = { facts, numbers: numbersOf(facts), withoutCacheEdits: true };
    expect(chooseStrategy(moment).name).toBe("economic");
  });
});
