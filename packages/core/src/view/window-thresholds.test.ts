import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeThresholds, type ThresholdInput } from "./window/window-thresholds.ts";

function compute(window: number, more: Partial<ThresholdInput> = {}) {
  return computeThresholds({ window, maxOutput: 64_000, autoEnabled: true, ...more });
}

describe("computeThresholds", () => {
  it.each([
    // window, effective, auto, warning, blocking
    [8_000, 6_400, 5_360, 3_760, 6_160],
    [8_192, 6_554, 5_489, 3_851, 6_308],
    [32_000, 25_600, 21_440, 15_040, 24_640],
    [32_768, 26_215, 21_955, 15_401, 25_232],
    [64_000, 51_200, 42_880, 30_080, 49_280],
    [99_999, 80_000, 67_000, 47_000, 77_000],
    [100_000, 80_000, 67_000, 47_000, 77_000],
    [100_001, 80_001, 67_001, 47_001, 77_001],
    [128_000, 108_000, 95_000, 75_000, 105_000],
    [200_000, 180_000, 167_000, 147_000, 177_000],
    [272_000, 252_000, 239_000, 219_000, 249_000],
    [1_000_000, 980_000, 967_000, 947_000, 977_000],
  ])(
    "in a window of %i is effective %i, auto %i, warning %i, blocking %i",
    (window, effective, auto, warning, blocking) => {
      expect(compute(window)).toEqual({
        window,
        effective,
        autoEnabled: true,
        auto,
        base: auto,
        warning,
        error: warning,
        blocking,
        warnings: [],
      });
    },
  );

  it.each([
    [0, 200_000],
    [4_096, 195_904],
    [19_999, 180_001],
    [20_000, 180_000],
    [20_001, 180_000],
  ])("keeps min(max output, 20,000) free for a summary: %i", (maxOutput, effective) => {
    expect(compute(200_000, { maxOutput }).effective).toBe(effective);
  });

  it("keeps no more than the model's max output free in a small window either", () => {
    expect(compute(8_000, { maxOutput: 1_599 }).effective).toBe(6_401);
    expect(compute(8_000, { maxOutput: 1_601 }).effective).toBe(6_400);
  });

  it("rests on the effective window while automatic compaction is off", () => {
    expect(compute(200_000, { autoEnabled: false })).toMatchObject({
      autoEnabled: false,
      base: 180_000,
      warning: 160_000,
      error: 160_000,
      blocking: 177_000,
    });
  });

  it("has numbers that can be set one by one", () => {
    const numbers = {
      summaryReserveTokens: 10_000,
      autoBufferTokens: 5_000,
      warningBufferTokens: 30_000,
      errorBufferTokens: 15_000,
      blockingBufferTokens: 1_000,
    };
    expect(compute(200_000, { numbers })).toMatchObject({
      effective: 190_000,
      auto: 185_000,
      warning: 155_000,
      error: 170_000,
      blocking: 189_000,
    });
    expect(compute(50_000, { numbers: { scaleBelowTokens: 50_000 } }).effective).toBe(30_000);
  });

  describe("with a percentage", () => {
    const variable = "PALIMPSEST_AUTOCOMPACT_PCT";

    it.each([
      ["50", 90_000],
      ["33.3", 59_940],
      ["29", 52_200],
      ["0.01", 18],
      ["92.7", 166_860],
      ["92.8", 167_000],
      ["100", 167_000],
      [" 80 ", 144_000],
    ])("begins at %s percent of the effective window, never later than usual", (value, auto) => {
      expect(compute(200_000, { environment: { [variable]: value } })).toMatchObject({
        auto,
        base: auto,
        warnings: [],
      });
    });

    it.each(["0", "0.0", "-5", "100.01", "101", "50%", "half", "NaN", "Infinity"])(
      "is ignored with a warning when it is %s",
      (value) => {
        expect(compute(200_000, { environment: { [variable]: value } })).toMatchObject({
          auto: 167_000,
          warnings: [
            {
              setting: variable,
              value,
              message: `${variable} is ignored: "${value}" is not a number over 0 and up to 100.`,
            },
          ],
        });
      },
    );

    it("has its base on the effective window all the same while automatic compaction is off", () => {
      const thresholds = compute(200_000, { autoEnabled: false, environment: { [variable]: "50" } });
      expect(thresholds).toMatchObject({ auto: 90_000, base: 180_000, warning: 160_000 });
    });

    it("has no negative threshold when the base is smaller than the buffer", () => {
      expect(compute(200_000, { environment: { [variable]: "1" } })).toMatchObject({
        auto: 1_800,
        warning: 0,
      });
    });
  });

  describe("with a smaller window", () => {
    const variable = "PALIMPSEST_AUTOCOMPACT_WINDOW";

    it("has the thresholds of that window", () => {
      const { warnings, ...small } = compute(50_000);
      expect(compute(200_000, { environment: { [variable]: "50000" } })).toEqual({ ...small, warnings });
    });

    it.each(["200000", "200001", "1000000"])("is never larger than the model's: %s", (value) => {
      expect(compute(200_000, { environment: { [variable]: value } })).toEqual(compute(200_000));
    });

    it.each(["0", "-1", "50k", "1.5"])("ignores %s with a warning", (value) => {
      const { window, warnings } = compute(200_000, { environment: { [variable]: value } });
      expect(window).toBe(200_000);
      expect(warnings.map(({ setting }) => setting)).toEqual([variable]);
    });
  });

  describe("with a blocking limit", () => {
    const variable = "PALIMPSEST_BLOCKING_LIMIT";

    it.each([
      ["1", 1],
      ["150000", 150_000],
      ["300000", 300_000],
    ])("blocks at %s tokens", (value, blocking) => {
      expect(compute(200_000, { environment: { [variable]: value } })).toMatchObject({
        blocking,
        warnings: [],
      });
    });

    it("does not scale it in a small window", () => {
      expect(compute(8_000, { environment: { [variable]: "5000" } }).blocking).toBe(5_000);
    });

    it.each(["0", "-1", "1.5", "many"])("ignores %s with a warning", (value) => {
      const { blocking, warnings } = compute(200_000, { environment: { [variable]: value } });
      expect(blocking).toBe(177_000);
      expect(warnings.map(({ setting }) => setting)).toEqual([variable]);
    });
  });

  describe.each([
    ["autoCompactPercent", "PALIMPSEST_AUTOCOMPACT_PCT", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "auto", 18_000],
    ["autoCompactWindow", "PALIMPSEST_AUTOCOMPACT_WINDOW", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "window", 10],
    ["blockingLimit", "PALIMPSEST_BLOCKING_LIMIT", "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE", "blocking", 10],
  ] as const)("%s", (name, own, alias, threshold, atTen) => {
    const times = atTen / 10;

    it("comes from the option, the own name, the alias, the settings, in this order", () => {
      const input = {
        options: { [name]: 10 },
        environment: { [own]: "20", [alias]: "30" },
        settings: { [name]: 40 },
      };
      const value = (more: Partial<ThresholdInput>) => compute(200_000, more)[threshold];
      expect(value(input)).toBe(10 * times);
      expect(value({ ...input, options: {} })).toBe(20 * times);
      expect(value({ environment: { [alias]: "30" }, settings: { [name]: 40 } })).toBe(30 * times);
      expect(value({ settings: { [name]: 40 } })).toBe(40 * times);
    });

    it("passes over what is wrong, with a warning for each", () => {
      const thresholds = compute(200_000, {
        options: { [name]: Number.NaN },
        environment: { [own]: "none", [alias]: "30" },
        settings: { [name]: -1 },
      });
      expect(thresholds[threshold]).toBe(30 * times);
      expect(thresholds.warnings.map(({ setting }) => setting)).toEqual([`options.${name}`, own]);
    });
  });

  const questions = fc.record({
    window: fc.oneof(fc.integer({ min: 1_000, max: 200_000 }), fc.integer({ min: 1_000, max: 10_000_000 })),
    maxOutput: fc.integer({ min: 0, max: 300_000 }),
    autoEnabled: fc.boolean(),
    environment: fc.record({
      PALIMPSEST_AUTOCOMPACT_PCT: fc.option(fc.double({ min: 0, max: 120, noNaN: true }).map(String), {
        nil: undefined,
      }),
      PALIMPSEST_AUTOCOMPACT_WINDOW: fc.option(fc.integer({ min: 1_000, max: 1_000_000 }).map(String), {
        nil: undefined,
      }),
    }),
  });

  it("has whole thresholds in order, none negative, for any window from 1,000 up", () => {
    fc.assert(
      fc.property(questions, (input) => {
        const { window, effective, auto, base, warning, error, blocking } = computeThresholds(input);
        const all = [0, warning, base, effective, window];
        expect(all).toEqual([...all].sort((a, b) => a - b));
        expect([auto, blocking, effective]).toEqual([auto, blocking, effective].sort((a, b) => a - b));
        expect(error).toBe(warning);
        expect(auto).toBeLessThan(effective);
        expect(blocking).toBeLessThan(effective);
        expect([...all, auto, error, blocking].every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  it("never has a lower threshold in a larger window", () => {
    fc.assert(
      fc.property(questions, fc.oneof(fc.nat(9), fc.nat(50_000)), (input, more) => {
        const environment = {};
        const small = computeThresholds({ ...input, environment });
        const large = computeThresholds({ ...input, environment, window: input.window + more });
        for (const name of ["window", "effective", "auto", "base", "warning", "error", "blocking"] as const) {
          expect(large[name], name).toBeGreaterThanOrEqual(small[name]);
        }
      }),
    );
  });
});
