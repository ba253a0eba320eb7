import { describe, expect, it } from "vitest";
import { createCatalog, pricesAt } from "./catalog.ts";

const { value: tiered } = createCatalog().prices("gpt-5.6");
const { value: flat } = createCatalog().prices("claude-opus-5-5");

describe("pricesAt", () => {
  it.each([
    [271_999, 2, 10],
    [272_000, 2, 10],
    [272_001, 4, 15],
  ])("prices a whole request of %i tokens at one tier", (tokens, input, output) => {
    expect(pricesAt(tiered, tokens)).toMatchObject({ input, output });
  });

  it("has one tier where the row has one", () => {
    expect(pricesAt(flat, 10_000_000)).toEqual(flat);
  });
});
