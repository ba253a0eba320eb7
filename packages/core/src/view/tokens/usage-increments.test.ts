import { describe, expect, it } from "vitest";
import { createUsageIncrements } from "./calibration.ts";
import type { CountedItem } from "./count-tokens.ts";
import { noFeatures } from "./features.ts";

const content = (plain: number, more: Partial<CountedItem> = {}): CountedItem => ({
  features: { ...noFeatures, plain },
  ...more,
});
const response = (responseId: string, prompt: number, more: Partial<CountedItem> = {}): CountedItem =>
  content(10, {
    responseId,
    model: "m",
    usage: { input: 2, cacheRead: prompt - 3, cacheCreation: 1, output: 5 },
    ...more,
  });

/** Each increment as model, what was added by the plain rule, and tokens; `restart` stands for a decision. */
function incrementsOf(
  ...items: readonly (CountedItem | "restart")[]
): readonly (readonly [string, number, number])[] {
  const increments = createUsageIncrements();
  return items.flatMap((item) => {
    if (item === "restart") {
      increments.restart();
      return [];
    }
    const increment = increments.add(item);
    return increment === undefined
      ? []
      : [[increment.model, increment.features.plain, increment.tokens] as const];
  });
}

describe("usage increments", () => {
  it("cover a response's own content and what followed it", () => {
    expect(
      incrementsOf(
        content(500),
        response("a", 1_000),
        content(300),
        response("b", 1_400),
        response("c", 1_420),
      ),
    ).toEqual([
      ["m", 310, 400],
      ["m", 10, 20],
    ]);
  });

  it("count a response once, with results between its entries", () => {
    expect(
      incrementsOf(
        response("a", 1_000),
        content(300),
        response("a", 1_000),
        content(200),
        response("b", 1_700),
        response("b", 1_700),
      ),
    ).toEqual([["m", 520, 700]]);
  });

  it("wait for usage that comes with a later entry", () => {
    expect(
      incrementsOf(
        response("a", 1_000),
        content(7, { responseId: "b", model: "m" }),
        content(1),
        response("b", 1_100),
      ),
    ).toEqual([["m", 10, 100]]);
  });

  it("take locally made answers as content and leave aborted responses out", () => {
    const made = { input: 0, cacheRead: 0, cacheCreation: 0, output: 0 };
    expect(
      incrementsOf(
        response("a", 1_000),
        response("made", 3, { usage: made, model: "<synthetic>" }),
        response("x", 9_000, { isAborted: true }),
        response("b", 1_100),
      ),
    ).toEqual([["m", 20, 100]]);
  });

  it("are given when the prompt shrank", () => {
    expect(incrementsOf(response("a", 1_000), response("b", 400))).toEqual([["m", 10, -600]]);
  });

  it.each<[string, readonly (CountedItem | "restart")[]]>([
    ["another model", [response("a", 1_000), response("b", 1_100, { model: "n" })]],
    ["a decision", [response("a", 1_000), "restart", response("b", 1_100)]],
    ["a boundary", [response("a", 1_000), content(9, { isBoundary: true }), response("b", 1_100)]],
    [
      "a response without usage",
      [response("a", 1_000), content(5, { responseId: "x" }), response("b", 1_100)],
    ],
    ["kept usage", [response("a", 1_000, { isKept: true }), response("b", 1_100)]],
  ])("are not taken across %s", (_what, items) => {
    expect(incrementsOf(...items)).toEqual([]);
    expect(
      incrementsOf(...items, response("c", 1_150, { model: "n" }), response("d", 1_160, { model: "n" })).at(
        -1,
      ),
    ).toEqual(["n", 10, 10]);
  });
});
