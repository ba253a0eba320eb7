import { describe, expect, expectTypeOf, it } from "vitest";
import { amount, count, none, scaledTokens, text, toggle, word } from "./declare.ts";
import { defaultsOf, readValues } from "./read-values.ts";
import type { SettingsOf, ValuesOf } from "./setting.ts";

const shape = {
  keep: count(3, "how many stay", { least: 1 }),
  most: count(none, "how many there may be"),
  dollars: amount(2.5, "what it may cost"),
  tokens: scaledTokens(1_001, "how long it is", "up"),
  cut: scaledTokens(1_001, "how long it is", "down"),
  isOn: toggle(true, "whether it is on"),
  how: word(["fast", "slow"], "fast", "how it is done"),
  prompt: text("what is said"),
};

describe("readValues", () => {
  it("fills in defaults, and leaves out what has none", () => {
    const usual = { keep: 3, dollars: 2.5, tokens: 1_001, cut: 1_001, isOn: true, how: "fast" };
    expect(defaultsOf(shape)).toEqual(usual);
    expect(readValues(shape, { keep: 5, most: 9, isOn: false, how: "slow", prompt: "Say it." })).toEqual({
      ...usual,
      keep: 5,
      most: 9,
      isOn: false,
      how: "slow",
      prompt: "Say it.",
    });
  });

  it("passes over what does not fit, whatever it is", () => {
    const given = { keep: 0, most: -1, dollars: Number.NaN, tokens: "9", isOn: 1, how: "other", prompt: " " };
    expect(readValues(shape, given)).toEqual(defaultsOf(shape));
    for (const odd of [null, 3, "keep", []]) expect(readValues(shape, odd)).toEqual(defaultsOf(shape));
  });

  it("scales the counts that say so, rounded as they say", () => {
    expect(readValues(shape, { tokens: 501 }, 0.5)).toMatchObject({ keep: 3, tokens: 251, cut: 500 });
  });

  it("has the types that were declared", () => {
    expectTypeOf<SettingsOf<typeof shape>["keep"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<SettingsOf<typeof shape>["how"]>().toEqualTypeOf<"fast" | "slow" | undefined>();
    expectTypeOf<ValuesOf<typeof shape>["keep"]>().toEqualTypeOf<number>();
    expectTypeOf<ValuesOf<typeof shape>["most"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ValuesOf<typeof shape>["prompt"]>().toEqualTypeOf<string | undefined>();
  });
});
