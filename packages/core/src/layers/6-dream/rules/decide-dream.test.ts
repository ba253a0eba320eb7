import { describe, expect, it } from "vitest";
import { dreamNumbers, dreamNumbersOf } from "../settings.ts";
import { type DreamFacts, decideDream } from "./decide-dream.ts";

const dayMs = dreamNumbers.minGapMs;
const nowMs = Date.UTC(2026, 0, 5);
const facts = (more: Partial<DreamFacts> = {}): DreamFacts => ({
  nowMs,
  numbers: dreamNumbers,
  isEnabled: true,
  isFork: false,
  hasMemory: true,
  ...more,
});

describe("decideDream", () => {
  it.each<[Partial<DreamFacts>, unknown]>([
    [{ isEnabled: false }, { step: "skip", reason: "switched-off" }],
    [{ isFork: true }, { step: "skip", reason: "in-a-fork" }],
    [{ hasMemory: false }, { step: "skip", reason: "no-memory" }],
    [{}, { step: "look-at-lock" }],
    [{ isByHand: true }, { step: "take-lock" }],
    [{ lastConsolidatedMs: nowMs - dayMs + 1 }, { step: "skip", reason: "too-soon" }],
    [{ lastConsolidatedMs: nowMs - dayMs }, { step: "scan-sessions", sinceMs: nowMs - dayMs }],
    [{ lastConsolidatedMs: null }, { step: "scan-sessions", sinceMs: 0 }],
    [{ lastConsolidatedMs: nowMs + dayMs - 1 }, { step: "skip", reason: "too-soon" }],
    [{ lastConsolidatedMs: nowMs + dayMs }, { step: "scan-sessions", sinceMs: 0 }],
    [
      { lastConsolidatedMs: null, sinceScanMs: 599_999 },
      { step: "skip", reason: "scanned-lately" },
    ],
    [
      { lastConsolidatedMs: null, sinceScanMs: 600_000 },
      { step: "scan-sessions", sinceMs: 0 },
    ],
    [
      { lastConsolidatedMs: null, touchedSessions: 4 },
      { step: "skip", reason: "too-few-sessions" },
    ],
    [{ lastConsolidatedMs: null, touchedSessions: 5, sinceScanMs: 0 }, { step: "take-lock" }],
  ])("%j", (known, expected) => {
    expect(decideDream(facts(known))).toEqual(expected);
  });
});

describe("dreamNumbersOf", () => {
  it("takes what was set, and passes over what is no count", () => {
    const dream: object = { minGapMs: 1, minSessions: -1, scanGapMs: "x", nearPercent: 1.5, other: 3 };
    expect(dreamNumbersOf({ dream })).toEqual({ ...dreamNumbers, minGapMs: 1 });
    expect(dreamNumbersOf({})).toEqual(dreamNumbers);
  });
});
