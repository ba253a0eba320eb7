import { describe, expect, it } from "vitest";
import {
  addRound,
  factsOf,
  said,
  type TestLog,
  workedLog,
} from "../../../../../../test/layers/compaction-support.ts";
import { compactionNumbers, compactionNumbersOf } from "../settings.ts";
import { decideEarly, mayCompactEarly } from "./early-compaction.ts";

const settings = { economy: "thrifty", compaction: { earlyMinTokens: 0 } } as const;
const decide = (log: TestLog, tokens: number, more: Parameters<typeof factsOf>[0] = {}) =>
  decideEarly(log.view(tokens), factsOf({ settings, ...more }), log.records());
const cold = { cache: { state: "cold", ttlMs: 300_000, idleMs: 400_000 } } as const;

function compact(log: TestLog): void {
  log.add({
    kind: "decision",
    decision: {
      type: "compact",
      layer: "compaction",
      reason: "",
      frees: 0,
      basis: log.entries.length,
      trigger: "auto",
      strategy: "scribe",
      tokensBefore: 50_000,
      tokensAfter: 10_000,
      summary: { type: "user", content: "s", isCompactSummary: true },
      covers: log.entries.at(-1)?.id ?? "",
      attachments: [],
      discoveredTools: [],
    },
  });
}

describe("mayCompactEarly", () => {
  const thrifty = { economy: "thrifty" } as const;
  const may = (tokens: number, more: Parameters<typeof factsOf>[0] = {}) =>
    mayCompactEarly({ count: { tokens, source: "usage" } }, factsOf({ settings: thrifty, ...more }));
  const enough = compactionNumbers.earlyMinTokens + 1_000;

  it("is for thrifty sessions alone", () => {
    expect(may(enough)).toBe(true);
    for (const settings of [{}, { economy: "faithful" }] as const)
      expect(may(190_000, { settings })).toBe(false);
  });

  it("is for models that can recall, and not for those of other programs", () => {
    expect(may(190_000, { logAddress: "/log.jsonl" })).toBe(false);
    expect(may(190_000, { isRelayed: true })).toBe(false);
  });

  it("waits for a conversation worth it, in a small window a smaller one", () => {
    expect(may(enough - 1)).toBe(false);
    expect(may(23_399, { window: 32_000 })).toBe(false);
    expect(may(23_400, { window: 32_000 })).toBe(true);
    expect(may(14_700, { headTokens: 9_000, cache: { state: "cold", ttlMs: 1, idleMs: 2 } })).toBe(false);
    const settings = { ...thrifty, compaction: { earlyMinTokens: 5_000 } };
    expect(may(6_000, { settings })).toBe(true);
  });
});

describe("decideEarly", () => {
  it("waits until what goes is worth what it takes, and longer where fewer requests are expected", () => {
    expect(decide(workedLog(), 25_000)).toBe(null);
    expect(decide(workedLog(), 55_000)?.reason).toMatch(/^saves .* with 20 requests expected$/);
    expect(decide(workedLog(), 40_000, { expectedRequests: 3 })).toBe(null);
  });

  it("takes much less where the cache is cold, since nothing has to be written again", () => {
    expect(decide(workedLog(), 20_000, { expectedRequests: 1 })).toBe(null);
    expect(decide(workedLog(), 20_000, { expectedRequests: 1, ...cold })?.reason).toContain("cold cache");
  });

  it("does not take a session that nobody has answered for one with a cold cache", () => {
    const unanswered = { cache: { state: "cold", ttlMs: 300_000 } } as const;
    expect(decide(workedLog(), 20_000, { expectedRequests: 1, ...unanswered })).toBe(null);
  });

  it("waits for new work after a compaction while the cache is warm", () => {
    const log = workedLog();
    compact(log);
    expect(decide(log, 60_000)).toBe(null);
    expect(decide(log, 60_000, cold)).not.toBe(null);
    for (let round = 0; round < 20; round += 1) addRound(log, `new${round}`, 4_000);
    expect(decide(log, 60_000)).not.toBe(null);
  });

  it("has room for every word of the user's on top of the rest, up to their part of the window", () => {
    const total = (log: TestLog) => decide(log, 120_000)?.budget.totalTokens ?? 0;
    const talkative = workedLog();
    talkative.say(said("a b ".repeat(2_000)));
    addRound(talkative, "last");
    expect(total(talkative) - total(workedLog())).toBeGreaterThan(2_000);
    const endless = workedLog();
    endless.say(said("a b ".repeat(100_000)));
    addRound(endless, "last");
    expect(total(endless) - total(workedLog())).toBeLessThanOrEqual(20_000);
  });

  it("keeps the newest round, which no model has seen, whatever its size", () => {
    const log = workedLog();
    addRound(log, "large", 60_000);
    expect(decide(log, 120_000)?.budget.keptTokens).toBeGreaterThan(15_000);
    expect(decide(workedLog(6, 400), 120_000)?.budget.keptTokens).toBe(compactionNumbers.earlyTailTokens);
  });

  it("leaves room for the files in work", () => {
    const totalOf = (earlyFilesTokens: number) =>
      decide(workedLog(), 120_000, {
        settings: { ...settings, compaction: { earlyMinTokens: 0, earlyFilesTokens } },
      })?.budget.totalTokens ?? 0;
    expect(totalOf(9_000) - totalOf(0)).toBe(9_000);
  });

  it("shrinks its numbers in a small window", () => {
    const early = (window: number) => {
      const { earlySummaryTokens, earlyTailTokens, earlyFilesTokens, earlyNewTokens } = compactionNumbersOf(
        factsOf({ window }),
      );
      return [earlySummaryTokens, earlyTailTokens, earlyFilesTokens, earlyNewTokens];
    };
    expect(early(200_000)).toEqual([6_000, 3_000, 12_000, 18_000]);
    expect(early(50_000)).toEqual([3_000, 1_500, 6_000, 9_000]);
  });
});
