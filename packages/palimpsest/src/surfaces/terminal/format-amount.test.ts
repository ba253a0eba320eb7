import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatBytes,
  formatCents,
  formatDollars,
  formatDuration,
  formatNumber,
  formatSeconds,
  formatTokens,
} from "./format-amount.ts";

describe("amounts and times", () => {
  it("are short and say their unit", () => {
    expect([0, 999, 1000, 1_250_000, 99_600_000, 5e9].map(formatBytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "1.3 MB",
      "100 MB",
      "5.0 GB",
    ]);
    expect([formatNumber(1, "entry", "entries"), formatNumber(1234, "line")]).toEqual([
      "1 entry",
      "1,234 lines",
    ]);
    expect([-5, 59_000, 61_000, 7_200_000, 40 * 86_400_000].map(formatAge)).toEqual([
      "now",
      "now",
      "1 min ago",
      "2 h ago",
      "1 mo ago",
    ]);
    expect([0, 65_000, 9_480_000, 3 * 86_400_000].map(formatDuration)).toEqual([
      "0 s",
      "1 min",
      "2 h 38 min",
      "3 d",
    ]);
    expect([0, 1_500, 9_949, 12_345].map(formatSeconds)).toEqual(["0.0 s", "1.5 s", "9.9 s", "12 s"]);
    expect([0.01234, 9.5, 12.345].map(formatDollars)).toEqual(["$0.0123", "$9.5000", "$12.35"]);
    expect([0.01234, 9.5].map(formatCents)).toEqual(["$0.01", "$9.50"]);
    expect([0, 999, 38_400].map(formatTokens)).toEqual(["0", "999", "38k"]);
  });
});
