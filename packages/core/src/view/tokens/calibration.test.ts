import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCalibration, minObservations } from "./calibration.ts";
import { maxModels, rateRanges } from "./calibration-state.ts";
import { type FeatureName, type Features, featureNames, noFeatures } from "./features.ts";

type Rates = Readonly<Record<FeatureName, number>>;

const trueRates: Rates = {
  letters: 0.34,
  digits: 0.8,
  newlines: 1.6,
  spaces: 0.05,
  punctuation: 1.1,
  extraBytes: 0.6,
  opaqueBytes: 0.37,
  toolUses: 90,
  media: 1_100,
};

/** A generator of its own, so that a failure is the same everywhere. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Content with the mixtures that coding sessions have. */
function contentOf(next: () => number): Features {
  const size = 200 + 12_000 * next() ** 3;
  const code = next();
  const letters = size * (0.75 - 0.25 * code);
  return {
    ...noFeatures,
    letters,
    digits: size * 0.15 * code * next(),
    newlines: size * (0.01 + 0.03 * next()),
    spaces: size * (0.14 + 0.1 * next()),
    punctuation: size * (0.03 + 0.15 * code),
    extraBytes: next() < 0.3 ? size * 0.1 * next() : 0,
    opaqueBytes: next() < 0.3 ? 2_000 * next() : 0,
    toolUses: Math.floor(1 + 2 * next()),
    media: next() < 0.05 ? 1 : 0,
    plain: Math.ceil(size / 4),
  };
}

function tokensOf(features: Features, rates: Rates = trueRates): number {
  return featureNames.reduce((sum, name) => sum + rates[name] * features[name], 0);
}

/** The median relative error over fresh content. */
function errorOf(estimate: (features: Features) => number, rates: Rates = trueRates): number {
  const next = createNumbers(99);
  const errors = Array.from({ length: 200 }, () => {
    const features = contentOf(next);
    const tokens = tokensOf(features, rates);
    return Math.abs(estimate(features) - tokens) / tokens;
  });
  return errors.sort((one, other) => one - other)[100] ?? Number.NaN;
}

function train(
  calibration: ReturnType<typeof createCalibration>,
  rounds: number,
  observed: (tokens: number, next: () => number) => number = (tokens) => tokens,
  rates: Rates = trueRates,
  model = "m",
): void {
  const next = createNumbers(7);
  for (let round = 0; round < rounds; round += 1) {
    const features = contentOf(next);
    calibration.observe(model, features, observed(tokensOf(features, rates), next));
  }
}

describe("a calibration", () => {
  it("uses the plain rule, and says so, until it has seen enough of the model", () => {
    const calibration = createCalibration();
    train(calibration, minObservations - 1);
    const features = { ...noFeatures, letters: 4_000, plain: 1_000 };
    expect(calibration.estimate("m", features)).toEqual({ tokens: 1_000, source: "plain" });
    expect(calibration.rates("m")).toBeUndefined();
    train(calibration, 1);
    expect(calibration.estimate("m", features).source).toBe("calibrated");
    expect(calibration.estimate("another", features).source).toBe("plain");
  });

  it("recovers known rates", () => {
    const calibration = createCalibration();
    train(calibration, 600);
    const rates = calibration.rates("m");
    for (const name of ["letters", "digits", "punctuation", "opaqueBytes", "toolUses"] as const) {
      expect(Math.abs((rates?.[name] ?? 0) / trueRates[name] - 1)).toBeLessThan(0.1);
    }
    expect(errorOf((features) => calibration.estimate("m", features).tokens)).toBeLessThan(0.01);
  });

  it("is within a third of the plain rule’s error after 20 noisy observations", () => {
    const calibration = createCalibration();
    train(calibration, 20, (tokens, next) => tokens * (0.95 + 0.1 * next()));
    const calibrated = errorOf((features) => calibration.estimate("m", features).tokens);
    expect(calibrated).toBeLessThan(errorOf((features) => features.plain) / 3);
  });

  it("is not thrown off by compactions, cleared results and hidden additions", () => {
    const calibration = createCalibration();
    train(calibration, 300, (tokens, next) => {
      const kind = next();
      if (kind < 0.05) return -60_000 * next();
      if (kind < 0.1) return 5;
      if (kind < 0.15) return tokens + 40_000;
      return kind < 0.25 ? tokens + 1_500 : tokens;
    });
    expect(errorOf((features) => calibration.estimate("m", features).tokens)).toBeLessThan(0.03);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("learns nothing from %s tokens", (tokens) => {
    const calibration = createCalibration();
    calibration.observe("m", { ...noFeatures, letters: 400, plain: 100 }, tokens);
    calibration.observe("m", noFeatures, 100);
    expect(calibration.state()).toEqual({ version: 1, models: {} });
  });

  it("learns nothing from what cannot be the tokens of such content", () => {
    const calibration = createCalibration();
    train(calibration, 30);
    const before = calibration.state();
    const features = { ...noFeatures, letters: 4_000, plain: 1_000 };
    calibration.observe("m", features, 60_000);
    calibration.observe("m", features, 20);
    expect(calibration.state()).toEqual(before);
  });

  it("follows a model that changes", () => {
    const calibration = createCalibration();
    train(calibration, 300);
    const changed: Rates = { ...trueRates, letters: 0.25, punctuation: 0.8, digits: 0.5 };
    train(calibration, 1_500, undefined, changed);
    expect(errorOf((features) => calibration.estimate("m", features).tokens, changed)).toBeLessThan(0.02);
  });

  it("keeps every rate in its range, and estimates finite, whatever it is told", () => {
    const amount = fc.double({ min: 0, max: 1e7, noNaN: true });
    const features = fc.record(
      Object.fromEntries(Object.keys(noFeatures).map((name) => [name, amount])) as Record<
        keyof Features,
        typeof amount
      >,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(features, fc.double()), { maxLength: 40 }), features, (seen, asked) => {
        const calibration = createCalibration();
        for (const [content, tokens] of seen) calibration.observe("m", content, tokens);
        const stored = Object.values(calibration.state().models)[0];
        for (const [at, name] of featureNames.entries()) {
          const { min, max, start } = rateRanges[name];
          const rate = stored?.rates[at] ?? start;
          expect(rate).toBeGreaterThanOrEqual(min);
          expect(rate).toBeLessThanOrEqual(max);
        }
        expect(Number.isFinite(calibration.estimate("m", asked).tokens)).toBe(true);
        expect(createCalibration(calibration.state()).problem).toBeUndefined();
      }),
    );
  });

  it("takes a name with a window suffix for the same model", () => {
    const calibration = createCalibration();
    train(calibration, 30);
    expect(calibration.rates("m[1m]")).toEqual(calibration.rates("m"));
  });

  it("goes on under a new name with what another name of the model has learned most", () => {
    const learned = (name: string, rounds: number) => {
      const calibration = createCalibration();
      train(calibration, rounds, (tokens) => tokens, trueRates, name);
      return calibration.state().models;
    };
    const dated = "claude-opus-4-5-20251101";
    const models = { ...learned(dated, 30), ...learned("us.anthropic.claude-opus-4-5-20251101-v1:0", 10) };
    const calibration = createCalibration({ version: 1, models });
    expect(calibration.rates("claude-opus-4-5")).toEqual(calibration.rates(dated));
    expect(calibration.rates("claude-opus-4-1")).toBeUndefined();
    train(calibration, 1, (tokens) => tokens, trueRates, "claude-opus-4-5");
    const { observations = 0 } = models[dated] ?? {};
    expect(calibration.state().models["claude-opus-4-5"]?.observations).toBe(observations + 1);
  });

  it("forgets the least recently observed of too many models", () => {
    const calibration = createCalibration();
    const features = { ...noFeatures, letters: 4_000, plain: 1_000 };
    for (let model = 0; model < maxModels; model += 1) calibration.observe(`m${model}`, features, 1_000);
    calibration.observe("m0", features, 1_000);
    calibration.observe("new", features, 1_000);
    const models = Object.keys(calibration.state().models);
    expect(models).toHaveLength(maxModels);
    expect(models).not.toContain("m1");
    expect(models).toContain("m0");
  });
});

describe("a stored calibration", () => {
  it("goes on exactly where it stood", () => {
    const first = createCalibration();
    train(first, 40, (tokens, next) => tokens * (0.9 + 0.2 * next()));
    const second = createCalibration(JSON.parse(JSON.stringify(first.state())));
    expect(second.problem).toBeUndefined();
    train(first, 10);
    train(second, 10);
    expect(second.state()).toEqual(first.state());
    expect(JSON.stringify(second.state()).length).toBeLessThan(2_048);
  });

  it.each([
    ["null", null, "it is not a calibration"],
    ["a text", "rates", "it is not a calibration"],
    ["a list", [], "it is not a calibration"],
    ["an object without models", { version: 1 }, "it is not a calibration"],
    ["a newer version", { version: 2, models: {} }, "its version is 2, not 1"],
    ["no version", { models: {} }, "its version is undefined, not 1"],
  ])("that is %s is not used, and that is said", (_what, stored, reason) => {
    const calibration = createCalibration(stored);
    expect(calibration.problem).toBe(
      `The stored calibration is not used: ${reason}. All models start afresh.`,
    );
    expect(calibration.state()).toEqual({ version: 1, models: {} });
  });

  it("loses only the models that are damaged", () => {
    const calibration = createCalibration();
    train(calibration, 30);
    const { m } = calibration.state().models;
    if (m === undefined) throw new Error("nothing learned");
    const damaged = {
      text: "x",
      short: { ...m, rates: m.rates.slice(1) },
      wild: { ...m, rates: m.rates.map(() => 1e9) },
      square: { ...m, products: m.products.map(() => m.rates) },
      negative: { ...m, products: m.products.map((row) => row.map((sum) => -1 - sum)) },
      unfinite: { ...m, moments: m.moments.map(() => null) },
      uncounted: { ...m, observations: -1 },
      unspread: { ...m, spread: "0.1" },
    };
    const read = createCalibration({ version: 1, models: { ...damaged, m } });
    expect(Object.keys(read.state().models)).toEqual(["m"]);
    expect(read.problem).toBe(
      `The stored calibration of ${Object.keys(damaged).join(", ")} is damaged: these start afresh.`,
    );
  });

  it("of any shape is read without throwing", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.record({ version: fc.constant(1), models: fc.object() })),
        (stored) => {
          const calibration = createCalibration(stored);
          expect(calibration.estimate("m", noFeatures).tokens).toBe(0);
        },
      ),
    );
  });
});
