import { describe, expect, it } from "vitest";
import type { Usage } from "../spec/index.ts";
import { type CacheEvidence, type CacheObservation, evidenceAfter } from "./statistics.ts";

const minute = 60_000;
const usageOf = (cacheRead: number, cacheCreation: number, more: Partial<Usage> = {}): Usage => ({
  input: 10,
  output: 10,
  cacheRead,
  cacheCreation,
  ...more,
});
const nothing = usageOf(0, 0);

describe("what usages tell of a cache", () => {
  it.each<[string, Usage, CacheEvidence["caching"], CacheEvidence["caching"]]>([
    ["nothing, by neither reads nor writes", nothing, undefined, undefined],
    ["that it works by itself, by reads alone", usageOf(900, 0), undefined, "automatic"],
    ["that it heeds markers, by writes", usageOf(0, 900), undefined, "marked"],
    ["for how long it keeps what it writes", usageOf(0, 9, { cacheCreation5m: 9 }), undefined, "5m"],
    ["that it keeps it for an hour", usageOf(0, 9, { cacheCreation1h: 9 }), undefined, "1h"],
    ["no less than before, by reads alone", usageOf(900, 0), "1h", "1h"],
    ["that it heeds markers after all", usageOf(900, 50), "automatic", "marked"],
  ])("is %s", (_what, usage, before, expected) => {
    expect(evidenceAfter({ ...(before && { caching: before }) }, { usage }).caching).toBe(expected);
  });

  const gaps: readonly [string, number | undefined, CacheObservation, number | undefined][] = [
    ["nothing without a response before it", undefined, { usage: usageOf(900, 0) }, undefined],
    [
      "a gap after which all was read",
      undefined,
      { usage: usageOf(1_000, 0), formerPromptTokens: 1_000, gapMs: 9 * minute },
      9 * minute,
    ],
    [
      "the longest of them",
      9 * minute,
      { usage: usageOf(1_000, 0), formerPromptTokens: 1_000, gapMs: minute },
      9 * minute,
    ],
    [
      "none by a head that others keep warm",
      undefined,
      { usage: usageOf(499, 501), formerPromptTokens: 1_000, gapMs: 9 * minute },
      undefined,
    ],
    [
      "none by a clock that runs backwards",
      undefined,
      { usage: usageOf(1_000, 0), formerPromptTokens: 1_000, gapMs: -9 * minute },
      undefined,
    ],
    [
      "one no longer that proved too long",
      30 * minute,
      { usage: usageOf(0, 1_000), formerPromptTokens: 1_000, gapMs: 20 * minute },
      undefined,
    ],
    [
      "one as before where a decision cost the cache at once",
      30 * minute,
      { usage: usageOf(0, 1_000), formerPromptTokens: 1_000, gapMs: minute },
      30 * minute,
    ],
    [
      "one as before where nothing was read after a longer one",
      30 * minute,
      { usage: usageOf(0, 1_000), formerPromptTokens: 1_000, gapMs: 31 * minute },
      30 * minute,
    ],
  ];
  it.each(gaps)("proves %s", (_what, before, observation, expected) => {
    const known = before === undefined ? {} : { warmGapMs: before };
    expect(evidenceAfter(known, observation).warmGapMs).toBe(expected);
  });
});
