import { describe, expect, it } from "vitest";
import { mayForwardFirst, mayForwardUnread } from "./choose-request.ts";

describe("what may be sent before its session is looked at", () => {
  const facts = { kind: "first", bytes: 10_000, window: 200_000, isBound: false } as const;

  it.each([
    [facts, true],
    [{ ...facts, kind: "branch" }, true],
    [{ ...facts, kind: "continue" }, false],
    [{ ...facts, isBound: true }, false],
    [{ ...facts, bytes: 45_001 }, false],
    [{ ...facts, window: 9_999 }, false],
    [{ kind: "first", bytes: 7_999, isBound: false }, true],
    [{ kind: "first", bytes: 8_000, isBound: false }, false],
  ] as const)("%j: %s", (given, expected) => {
    expect(mayForwardFirst(given)).toBe(expected);
  });
});

describe("what may be sent before it is read", () => {
  const facts = {
    bytes: 101_000,
    formerBytes: 100_000,
    bytesBehindResponse: 900,
    countedTokens: 25_000,
    autoTokens: 160_000,
    idleMs: 1_000,
  };

  it.each([
    ["a little that is new", {}, true],
    ["more than a result may have", { bytes: 145_001 }, false],
    ["much behind the response", { bytesBehindResponse: 45_001 }, false],
    ["history that was taken out", { bytes: 98_999 }, false],
    ["a window that could be reached", { countedTokens: 159_500 }, false],
    ["a window that cannot be reached", { countedTokens: 159_499 }, true],
    ["a small request", { bytes: 65_535, formerBytes: 65_000 }, false],
    ["nothing that was counted", { countedTokens: 0 }, false],
    ["a cache that may be cold", { idleMs: 240_000 }, false],
  ])("%s", (_name, more, expected) => {
    expect(mayForwardUnread({ ...facts, ...more })).toBe(expected);
  });
});
