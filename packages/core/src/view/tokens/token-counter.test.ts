import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Usage } from "../../spec/index.ts";
import { createCalibration } from "./calibration.ts";
import { type CountedItem, countTokens, type Estimator } from "./count-tokens.ts";
import { plainEstimate } from "./estimate.ts";
import { type Features, noFeatures } from "./features.ts";
import { createTokenCounter } from "./token-counter.ts";

const usage = (prompt: number, output: number): Usage => ({
  input: 3,
  cacheRead: prompt - 10,
  cacheCreation: 7,
  output,
});
const content = (plain: number, more: Partial<CountedItem> = {}): CountedItem => ({
  features: { ...noFeatures, letters: plain * 4, plain },
  ...more,
});
const response = (responseId: string, measured: Usage, more: Partial<CountedItem> = {}): CountedItem =>
  content(50, { responseId, usage: measured, ...more });
const calibrated: Estimator = ({ letters }) => ({ tokens: letters / 2, source: "calibrated" });

describe("the canonical count", () => {
  it.each<[string, readonly CountedItem[], number, { tokens: number; source: string }]>([
    ["is 0 for an empty view", [], 0, { tokens: 0, source: "plain" }],
    [
      "is the padded estimate where nothing was measured",
      [content(100), content(20)],
      0,
      { tokens: 160, source: "plain" },
    ],
    [
      "is what the newest response measured, with its output",
      [content(100), response("a", usage(1_000, 40)), content(9), response("b", usage(2_000, 60))],
      0,
      { tokens: 2_060, source: "usage" },
    ],
    [
      "adds estimates for what came since, and takes off what was freed",
      [response("a", usage(1_000, 40)), content(300), content(5)],
      200,
      { tokens: 1_040 + 305 - 200, source: "usage" },
    ],
    [
      "counts from a response's first entry, each block once, and the last usage holds",
      [
        content(100),
        response("a", usage(1_000, 1)),
        content(300),
        response("a", usage(1_000, 90)),
        content(20),
        response("a", usage(1_000, 90)),
      ],
      0,
      { tokens: 1_090 + 320, source: "usage" },
    ],
    [
      "takes usage that comes with a later entry of the response",
      [content(100), content(50, { responseId: "a" }), content(300), response("a", usage(1_000, 90))],
      0,
      { tokens: 1_390, source: "usage" },
    ],
    [
      "estimates a response that has no usage",
      [response("a", usage(1_000, 40)), content(10), content(70, { responseId: "b" })],
      0,
      { tokens: 1_120, source: "usage" },
    ],
    [
      "knows nothing of aborted responses",
      [response("a", usage(1_000, 40)), content(10), response("b", usage(9_000, 1), { isAborted: true })],
      0,
      { tokens: 1_050, source: "usage" },
    ],
    [
      "does not take usage that is all zero",
      [
        response("a", usage(1_000, 40)),
        content(6, { responseId: "s", usage: { ...usage(10, 0), input: 0, cacheRead: 0, cacheCreation: 0 } }),
      ],
      0,
      { tokens: 1_046, source: "usage" },
    ],
    [
      "uses nothing from before the last boundary, kept entries' usage included",
      [
        content(100),
        response("a", usage(90_000, 40)),
        content(30, { isBoundary: true }),
        response("a", usage(90_000, 40), { isKept: true }),
        content(10),
      ],
      0,
      { tokens: 120, source: "plain" },
    ],
    [
      "takes the first usage behind a boundary",
      [response("a", usage(90_000, 40)), content(30, { isBoundary: true }), response("b", usage(500, 5))],
      0,
      { tokens: 505, source: "usage" },
    ],
    [
      "takes usage without an id",
      [content(100), content(50, { usage: usage(700, 30) }), content(8)],
      0,
      { tokens: 738, source: "usage" },
    ],
    [
      "grows when a decision is undone",
      [response("a", usage(1_000, 40))],
      -500,
      { tokens: 1_540, source: "usage" },
    ],
    ["is never negative", [content(10)], 99, { tokens: 0, source: "plain" }],
  ])("%s", (_what, items, freedSince, expected) => {
    expect(countTokens(items, freedSince, plainEstimate)).toEqual(expected);
    expect(createTokenCounter(items, freedSince).count(plainEstimate)).toEqual(expected);
  });

  it("does not pad a calibrated estimate, and names it", () => {
    const items = [content(100), content(20)];
    expect(countTokens(items, 0, calibrated)).toEqual({ tokens: 240, source: "calibrated" });
    expect(createTokenCounter(items).count(calibrated)).toEqual({ tokens: 240, source: "calibrated" });
  });

  it("uses the calibration as it is when counting, also for what was added before", () => {
    const calibration = createCalibration();
    const estimate: Estimator = (features: Features) => calibration.estimate("m", features);
    const counter = createTokenCounter([content(1_000)]);
    expect(counter.count(estimate)).toEqual({ tokens: 1_334, source: "plain" });
    for (let round = 0; round < 50; round += 1) calibration.observe("m", content(1_000).features, 1_600);
    const { tokens, source } = counter.count(estimate);
    expect(source).toBe("calibrated");
    expect(Math.abs(tokens - 1_600)).toBeLessThan(20);
  });
});

type Step = { readonly add: CountedItem } | { readonly free: number };

const plain = fc.nat({ max: 5_000 });
const plainContent = plain.map((tokens): Step => ({ add: content(tokens) }));
const freed = fc.integer({ min: -500, max: 4_000 }).map((tokens): Step => ({ free: tokens }));
const boundary = plain.map((tokens): Step => ({ add: content(tokens, { isBoundary: true }) }));
const anyResponse = fc.record({
  responseId: fc.constantFrom("a", "b", "c", "d", undefined),
  usage: fc.option(
    fc.record({ input: fc.nat(9), cacheRead: fc.nat(9_000), cacheCreation: fc.nat(9), output: fc.nat(900) }),
    { nil: undefined },
  ),
  isAborted: fc.boolean(),
  isKept: fc.boolean(),
});
const anyItem = fc.tuple(plain, anyResponse).map(
  ([tokens, { responseId, usage: measured, isAborted, isKept }]): Step => ({
    add: content(tokens, {
      ...(responseId !== undefined && { responseId }),
      ...(measured !== undefined && { usage: measured }),
      ...(isAborted && { isAborted }),
      ...(isKept && { isKept }),
    }),
  }),
);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: anyItem },
    { weight: 3, arbitrary: plainContent },
    { weight: 2, arbitrary: freed },
    { weight: 1, arbitrary: boundary },
  ),
  { maxLength: 30 },
);

/** The batch count over the items, with what was freed since the response that counts. */
function countFromScratch(done: readonly Step[]): ReturnType<typeof countTokens> {
  const items = done.flatMap((step) => ("add" in step ? [step.add] : []));
  const freedSince = done
    .slice(startOf(done))
    .reduce((sum, step) => ("free" in step ? sum + step.free : sum), 0);
  return countTokens(items, freedSince, plainEstimate);
}

/** The step with which the counted response, or else the newest boundary, begins. */
function startOf(done: readonly Step[]): number {
  let start = 0;
  let newest: { readonly at: number; readonly id: string | undefined } | undefined;
  let seen = new Set<string>();
  for (const [at, step] of done.entries()) {
    if (!("add" in step) || step.add.isAborted) continue;
    const { responseId: id, usage: measured, isKept, isBoundary } = step.add;
    if (isBoundary) [start, newest, seen] = [at, undefined, new Set()];
    if (isKept) continue;
    const isMeasured =
      measured !== undefined && measured.input + measured.cacheRead + measured.cacheCreation > 0;
    if (id === undefined ? isMeasured : !seen.has(id)) newest = { at, id };
    if (id !== undefined) seen.add(id);
    if (isMeasured && newest !== undefined && newest.id === id) start = newest.at;
  }
  return start;
}

describe("a token counter", () => {
  it("says after every step what counting from scratch says", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const counter = createTokenCounter();
        for (const [at, step] of all.entries()) {
          if ("add" in step) counter.add(step.add);
          else counter.free(step.free);
          expect(counter.count(plainEstimate)).toEqual(countFromScratch(all.slice(0, at + 1)));
        }
      }),
      { numRuns: 500 },
    );
  });
});
