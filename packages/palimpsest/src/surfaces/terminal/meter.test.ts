import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meter, progressBar } from "./meter.ts";

describe("the meter", () => {
  const scale = { columns: 10, tokens: 400_000, windowTokens: 200_000 };

  it("fills up to the tokens and marks the window", () => {
    expect(meter(0, scale)).toBe("·····┊····");
    expect(meter(1, scale)).toBe("█····┊····");
    expect(meter(120_000, scale)).toBe("███··┊····");
    expect(meter(400_000, scale)).toBe("█████┊████");
    expect(meter(900_000, scale)).toBe("█████┊████");
  });

  it("has always the same width and one mark", () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.integer({ min: 1, max: 200 }),
        fc.nat(2_000_000),
        (tokens, columns, window) => {
          const bar = meter(tokens, { columns, tokens: 1_000_000, windowTokens: window });
          expect([...bar]).toHaveLength(columns);
          expect(bar.split("┊")).toHaveLength(2);
        },
      ),
    );
  });
});

describe("progressBar", () => {
  it("fills as work is done, and never past its end", () => {
    expect(progressBar("replaying", 0, 4)).toBe(`replaying ${"░".repeat(24)} 0/4`);
    expect(progressBar("replaying", 1, 4)).toBe(`replaying ${"█".repeat(6)}${"░".repeat(18)} 1/4`);
    expect(progressBar("replaying", 9, 4)).toBe(`replaying ${"█".repeat(24)} 9/4`);
    expect(progressBar("reading", 0, 0)).toBe(`reading ${"█".repeat(24)} 0/0`);
  });
});
