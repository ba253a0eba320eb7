import { describe, expect, it } from "vitest";
import { parseCount, parseDuration, parseSize } from "./parse-amount.ts";

describe("amounts", () => {
  it("are read as people write them", () => {
    expect([parseDuration("30d"), parseDuration("12 H"), parseDuration("1.5h")]).toEqual([
      2_592_000_000, 43_200_000, 5_400_000,
    ]);
    expect([parseSize("5GB"), parseSize("1.5 MiB"), parseSize("10b")]).toEqual([5e9, 1_572_864, 10]);
    for (const wrong of ["", "30", "d", "30 fortnights", "-3d"]) expect(() => parseDuration(wrong)).toThrow();
    for (const wrong of ["", "5", "GB", "5XB", "-1GB"]) expect(() => parseSize(wrong)).toThrow();
    for (const wrong of ["", "0", "-1", "1.5", "many"]) expect(() => parseCount(wrong)).toThrow();
  });
});
