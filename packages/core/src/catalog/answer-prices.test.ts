import { describe, expect, it } from "vitest";
import { answerPrices, createCatalog } from "./catalog.ts";

const catalog = createCatalog();
const prices = (model: string) => catalog.prices(model).value;

describe("the prices of an answer", () => {
  it.each([
    ["claude-opus-4-5-20251101", "claude-opus-4-5", "claude-opus-4-5"],
    ["anthropic/claude-haiku-4.5", "openrouter/auto", "claude-haiku-4-5"],
    ["/models/some.gguf", "claude-opus-4-5", "claude-opus-4-5"],
    ["", "claude-opus-4-5", "claude-opus-4-5"],
    [undefined, "claude-opus-4-5", "claude-opus-4-5"],
    ["vendor/unknown", "openrouter/auto", "no such model"],
  ])("that names %s where %s was asked are those of %s", (answered, asked, expected) => {
    expect(answerPrices(catalog, answered, asked)).toEqual(prices(expected));
  });

  it("are those that were set for the name it comes back with", () => {
    const own = { input: 1, cacheWrite5m: 1, cacheWrite1h: 1, cacheRead: 1, output: 1 };
    const set = createCatalog({ prices: { "vendor/x": own } });
    expect(answerPrices(set, "vendor/x", "claude-opus-4-5")).toEqual(own);
  });
});
