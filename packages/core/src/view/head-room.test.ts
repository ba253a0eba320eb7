import { describe, expect, it } from "vitest";
import { withHeadRoom } from "./window/window.ts";
import { computeThresholds } from "./window/window-thresholds.ts";

const small = computeThresholds({ window: 32_000, maxOutput: 8_000, autoEnabled: true });

describe("a window with its system prompt and tools", () => {
  it.each([0, 1_000, 18_240])(
    "has the usual thresholds while a tenth of it is free below them: %d",
    (head) => {
      expect(small).toMatchObject({ auto: 21_440, blocking: 24_640 });
      expect(withHeadRoom(small, head)).toBe(small);
    },
  );

  it.each([
    [19_297, 21_441],
    [20_000, 22_144],
    [23_000, 24_640],
    [31_000, 24_640],
  ])("is compacted later where there is less, but not after requests are blocked: %d", (head, auto) => {
    const later = auto - small.auto;
    expect(withHeadRoom(small, head)).toEqual({
      ...small,
      auto,
      base: auto,
      warning: small.warning + later,
      error: small.error + later,
    });
  });

  it("measures percentages by the effective window where automatic compaction is off", () => {
    const off = computeThresholds({ window: 32_000, maxOutput: 8_000, autoEnabled: false });
    expect(withHeadRoom(off, 20_000)).toEqual({ ...off, auto: 22_144 });
  });
});
