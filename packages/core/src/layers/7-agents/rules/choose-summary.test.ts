import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../catalog/index.ts";
import { chooseSummaryModel, decideSummaryBasis, warmMs } from "./choose-summary.ts";

const catalog = createCatalog();
const pricesOf = (model: string) => catalog.prices(model).value;

describe("the model that says how far an agent is", () => {
  it.each([
    ["claude-opus-4-5", true, "claude-haiku-4-5"],
    ["claude-fable-5-1", true, "claude-haiku-4-5"],
    ["claude-haiku-4-5", true, "claude-haiku-4-5"],
    ["claude-opus-4-5", false, "claude-opus-4-5"],
    ["gpt-5.6", false, "gpt-5.6"],
    ["llama-of-the-house", false, null],
  ])("beside %s, with a key for others: %s, is %s", (own, hasAnthropicKey, chosen) => {
    expect(chooseSummaryModel({ own, hasAnthropicKey, catalog })).toBe(chosen);
  });

  it("is one that a price of the user's makes the cheapest", () => {
    const cheap = { input: 0.1, cacheWrite5m: 0.1, cacheWrite1h: 0.1, cacheRead: 0.01, output: 0.5 };
    const own = createCatalog({ prices: { "claude-sonnet-5-5": cheap, "my-llama": cheap } });
    expect(chooseSummaryModel({ own: "claude-opus-4-5", hasAnthropicKey: true, catalog: own })).toBe(
      "claude-sonnet-5-5",
    );
    expect(chooseSummaryModel({ own: "my-llama", hasAnthropicKey: false, catalog: own })).toBe("my-llama");
  });

  it("is one whose name the catalog finds again", () => {
    const names = catalog.priceRows.filter(({ id }) => /^(?:fable|opus|sonnet|haiku)-/.test(id));
    for (const { id } of names) expect(catalog.prices(`claude-${id.replace(".", "-")}`).row).toBe(id);
  });
});

describe("what it is asked about", () => {
  const scene = { newestTokens: 1_000, prefixTokens: 1_000, idleMs: 0 };
  const [fable, opus, haiku] = ["claude-fable-5-1", "claude-opus-4-5", "claude-haiku-4-5"].map(pricesOf);

  it.each([
    ["a dear model's short conversation", { own: opus, cheap: haiku }, "newest"],
    ["its own short conversation where no other is cheaper", { own: opus, cheap: opus }, "prefix"],
    ["a long conversation", { own: opus, cheap: opus, prefixTokens: 20_000 }, "newest"],
    [
      "a conversation that is read cheaply",
      { own: haiku, cheap: haiku, prefixTokens: 8_000, newestTokens: 1_500 },
      "prefix",
    ],
    ["a conversation that has left the cache", { own: opus, cheap: opus, idleMs: warmMs + 1 }, "newest"],
    ["a model whose price nobody knows", { cheap: haiku }, "newest"],
    ["another one whose price nobody knows", { own: fable }, "newest"],
  ] as const)("by price, for %s", (_, more, basis) => {
    expect(decideSummaryBasis({ ...scene, ...more } as Parameters<typeof decideSummaryBasis>[0])).toBe(basis);
  });
});
