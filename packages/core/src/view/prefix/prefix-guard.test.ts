import { describe, expect, it } from "vitest";
import { createCatalog } from "../../catalog/index.ts";
import type { Usage } from "../../spec/index.ts";
import { readAppliedEdits } from "./applied-edits.ts";
import { type CacheLife, createPrefixGuard, type GuardedPrompt } from "./prefix-guard.ts";

const minute = 60_000;
const prices = createCatalog().prices("claude-opus-4-5").value;
const marked: CacheLife = { believedMs: 5 * minute, sureMs: 5 * minute, isKnown: true };
const unknown: CacheLife = { believedMs: 60 * minute, sureMs: 5 * minute, isKnown: false };
const proven: CacheLife = { believedMs: 30 * minute, sureMs: 5 * minute, isKnown: true };

/** One block more with every request. */
const prompt = (blocks: number, life: CacheLife): GuardedPrompt => ({
  model: "m",
  toolsDigest: "t",
  systemDigest: "s",
  messagesDigest: "f",
  headBlocks: 0,
  marks: [blocks - 1],
  edits: "",
  life,
  decisions: [],
  minCachedTokens: 0,
  digestAt: (position) => `${position}`,
  tokensAt: (position) => 1_000 * (position + 1),
});

const written: Usage = { input: 0, output: 1, cacheRead: 0, cacheCreation: 1_000 };
const extended: Usage = { input: 0, output: 1, cacheRead: 1_000, cacheCreation: 1_000 };
const rewritten: Usage = { input: 0, output: 1, cacheRead: 0, cacheCreation: 2_000 };

/** The cache judgement of a request that comes so long after the first one. */
function secondRequest(life: CacheLife, idleMs: number, usage: Usage) {
  const guard = createPrefixGuard();
  guard.announce(prompt(1, life), 0);
  guard.judge(written, 0, prices);
  const announced = guard.announce(prompt(2, life), idleMs);
  return { announced, judged: guard.judge(usage, idleMs, prices) };
}

describe("the prefix guard after a pause", () => {
  it("announces that the time to live has passed, and believes what is read all the same", () => {
    const { announced, judged } = secondRequest(marked, 6 * minute, extended);
    expect(announced).toMatchObject({
      kind: "expected-break",
      reason: "ttl_expired",
      why: "Nothing is read from the cache: the last use was 360 s ago, and the cache keeps 300 s.",
    });
    expect(judged).toMatchObject({ kind: "hit", firstBlock: 1 });
  });

  it.each([
    ["unknown", unknown],
    ["proven only by an earlier gap", proven],
  ])("announces a hit where the time to live is %s, and is not surprised by less", (_what, life) => {
    const { announced, judged } = secondRequest(life, 6 * minute, rewritten);
    expect(announced.kind).toBe("hit");
    expect(judged).toMatchObject({
      kind: "expected-break",
      reason: "ttl_expired",
      why: "Nothing is read from the cache: the last use was 360 s ago, longer than the provider is known to keep anything.",
    });
  });

  it.each([marked, unknown, proven])("is surprised where nothing is left within five minutes", (life) => {
    const { announced, judged } = secondRequest(life, 4 * minute, rewritten);
    expect(announced.kind).toBe("hit");
    expect(judged).toMatchObject({ kind: "unexpected-break", reason: "unavailable" });
  });
});

describe("the prefix guard where the API clears by itself", () => {
  const applied = (uses: number) =>
    readAppliedEdits([
      { type: "clear_tool_uses_20250919", cleared_tool_uses: uses, cleared_input_tokens: uses * 100 },
    ]);

  /** Judgements of requests that all miss the cache, with what the API says it cleared of each. */
  function judgeMisses(clearings: readonly number[]) {
    const guard = createPrefixGuard();
    return clearings.map((uses, index) => {
      guard.announce(prompt(index + 1, marked), 0);
      const judged = guard.judge(
        { ...written, cacheCreation: 1_000 * (index + 1) },
        0,
        prices,
        applied(uses),
      );
      return [judged?.kind, judged?.reason];
    });
  }

  it("expects less where something else was cleared than before, or nothing any more", () => {
    expect(judgeMisses([0, 5, 6, 0])).toEqual([
      ["expected-break", "unavailable"],
      ["expected-break", "messages_changed"],
      ["expected-break", "messages_changed"],
      ["expected-break", "messages_changed"],
    ]);
  });

  it("says what was cleared", () => {
    const guard = createPrefixGuard();
    guard.announce(prompt(1, marked), 0);
    guard.judge(written, 0, prices);
    guard.announce(prompt(2, marked), 0);
    expect(guard.judge(rewritten, 0, prices, applied(5))?.why).toBe(
      "Nothing is read from the cache: cache-edit (the API cleared 5 tool results, 500 tokens).",
    );
  });

  it("is surprised where the same was cleared as before, in an earlier run of the session too", () => {
    expect(judgeMisses([0, 5, 5]).at(-1)).toEqual(["unexpected-break", "unavailable"]);
    const guard = createPrefixGuard();
    const { model, toolsDigest, systemDigest, messagesDigest } = prompt(1, marked);
    const keys = { model, toolsDigest, systemDigest, messagesDigest };
    guard.recall({ position: 0, digest: "0", tokens: 1_000, edits: "", usedAtMs: 0 }, keys, applied(5));
    guard.announce(prompt(2, marked), 0);
    expect(guard.judge(rewritten, 0, prices, applied(5))?.kind).toBe("unexpected-break");
  });
});
