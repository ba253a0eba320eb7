import { describe, expect, it } from "vitest";
import { formatDollars, formatName, formatShare, formatTime, formatTokens } from "./text-parts.ts";

describe("formats", () => {
  it("shortens tokens", () => {
    expect(
      [0, 999, 1000, 12_345, 99_949, 99_950, 184_400, 999_499, 999_500, 1_050_000].map(formatTokens),
    ).toEqual(["0", "999", "1.0k", "12.3k", "99.9k", "100k", "184k", "999k", "1.00M", "1.05M"]);
  });

  it("gives small dollars more places, and unknown ones a dash", () => {
    expect([0, 0.00123, 0.9, 12.345, null].map(formatDollars)).toEqual([
      "$0",
      "$0.0012",
      "$0.9000",
      "$12.35",
      "–",
    ]);
  });

  it("says shares, also of nothing", () => {
    expect([formatShare(1, 3), formatShare(1, 900), formatShare(0, 5), formatShare(1, 0)]).toEqual([
      "33 %",
      "<1 %",
      "0 %",
      "–",
    ]);
  });

  it("says names as words", () => {
    expect(["toolResults", "mcpTools", "other"].map(formatName)).toEqual([
      "Tool results",
      "MCP tools",
      "Other",
    ]);
  });

  it("says times of the place, and a dash for what is none", () => {
    expect(formatTime(new Date(2026, 10, 6, 4, 5).getTime())).toBe("2026-11-06 04:05");
    expect(formatTime("never")).toBe("–");
  });
});
