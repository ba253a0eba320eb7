import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../spec/index.ts";
import { createCatalog } from "./catalog.ts";
import type { CatalogOverrides } from "./check-overrides.ts";

function refusal(overrides: unknown): { path: string | undefined; fix: string | undefined; message: string } {
  try {
    createCatalog(overrides as CatalogOverrides);
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== "invalid-input") throw error;
    return { path: error.path, fix: error.fix, message: error.message };
  }
  throw new Error("nothing was refused");
}

describe("catalog overrides", () => {
  it("lay fields over a built-in row and say which", () => {
    const plain = createCatalog().capabilities("claude-opus-5-5");
    const catalog = createCatalog({
      capabilities: {
        "claude-opus-5-5": { cacheEdits: true, contextWindow: 400_000, images: { maxCount: 7 } },
      },
    });
    expect(catalog.capabilities("us.anthropic.claude-opus-5-5-20260901-v1:0")).toEqual({
      ...plain,
      value: {
        ...plain.value,
        cacheEdits: true,
        contextWindow: 400_000,
        images: { ...plain.value.images, maxCount: 7 },
      },
      assumed: plain.assumed.filter((field) => field !== "contextWindow" && field !== "images"),
      overridden: ["cacheEdits", "contextWindow", "images"],
    });
    expect(catalog.capabilities("claude-sonnet-5-5")).toEqual(
      createCatalog().capabilities("claude-sonnet-5-5"),
    );
  });

  it("make a model known once they give its window", () => {
    const catalog = createCatalog({
      capabilities: { "llama3:8b": { contextWindow: 8_192 }, "llama3:70b": { maxOutput: 4_096 } },
    });
    expect(catalog.capabilities("llama3:8b")).toMatchObject({ known: true, value: { contextWindow: 8_192 } });
    expect(catalog.capabilities("llama3:70b")).toMatchObject({
      known: false,
      value: { contextWindow: 200_000, maxOutput: 4_096 },
    });
  });

  it("make prices known once they give all five", () => {
    const free = { input: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheRead: 0, output: 0 };
    const { output, ...four } = free;
    const catalog = createCatalog({ prices: { "local/*": free, other: four } });
    expect(catalog.prices("local/anything")).toMatchObject({ known: true, value: free });
    expect(catalog.prices("other")).toMatchObject({ known: false, value: { ...free, output: 25 } });
    expect(output).toBe(0);
  });

  it("take a second price tier away with null, and keep it otherwise", () => {
    const { above, ...rates } = createCatalog().prices("gpt-5.6").value;
    const without = createCatalog({ prices: { "gpt-5.6": { above: null } } });
    expect(without.prices("gpt-5.6").value).toEqual(rates);
    const cheaper = createCatalog({ prices: { "gpt-5.6": { input: 1 } } });
    expect(cheaper.prices("gpt-5.6").value).toEqual({ ...rates, input: 1, above });
  });

  it("prefer the exact name to another spelling of it, and both to a star", () => {
    const catalog = createCatalog({
      capabilities: {
        "*": { contextWindow: 1_000 },
        "claude-opus-4-5": { contextWindow: 2_000 },
        "claude-opus-4-5-20251101": { contextWindow: 3_000 },
        "claude-*": { contextWindow: 4_000 },
      },
    });
    const window = (model: string) => catalog.capabilities(model).value.contextWindow;
    expect(window("claude-opus-4-5-20251101")).toBe(3_000);
    expect(window("anthropic/claude-opus-4.5")).toBe(2_000);
    expect(window("claude-haiku-4-5")).toBe(1_000);
  });

  it("read a star as anything and a dot as a dot", () => {
    const catalog = createCatalog({ capabilities: { "qwen3.5-*": { contextWindow: 40_000 } } });
    expect(catalog.capabilities("Qwen3.5-32b[1m]").known).toBe(true);
    expect(catalog.capabilities("qwen3x5-32b").known).toBe(false);
  });

  it("treat undefined as not given", () => {
    const catalog = createCatalog({
      capabilities: { "claude-opus-5-5": { contextWindow: undefined } },
      prices: { "claude-opus-5-5": { input: undefined, above: undefined } },
    });
    expect(catalog.capabilities("claude-opus-5-5")).toEqual(createCatalog().capabilities("claude-opus-5-5"));
    expect(catalog.prices("claude-opus-5-5")).toEqual(createCatalog().prices("claude-opus-5-5"));
  });

  it("add wordings before the built-in ones", () => {
    const pattern = "prompt of {actual} beats my {limit}|prompt is too long";
    const catalog = createCatalog({ overflowWordings: [{ id: "mine", servers: ["mine"], pattern }] });
    expect(catalog.isOverflow({ status: 400, message: "Prompt of 9,000 beats my 8,000" })).toEqual({
      overflow: true,
      wording: "mine",
      limitTokens: 8_000,
      actualTokens: 9_000,
      excessTokens: 1_000,
    });
    expect(catalog.isOverflow({ status: 400, message: "prompt is too long" })).toMatchObject({
      wording: "mine",
    });
  });

  it.each([
    ["text", "catalog", "Give an object."],
    [{ price: {} }, "catalog.price", "Use one of: capabilities, prices, overflowWordings."],
    [{ prices: [] }, "catalog.prices", "Give an object."],
    [{ prices: { "": {} } }, "catalog.prices", "Name a model, or use *."],
    [
      { capabilities: { "gpt-x": { contextWindow: "200k" } } },
      'catalog.capabilities["gpt-x"].contextWindow',
      "Give a whole number over 0, such as 200000.",
    ],
    [
      { capabilities: { m: { contextWindow: 0 } } },
      'catalog.capabilities["m"].contextWindow',
      "Give a whole number over 0, such as 200000.",
    ],
    [
      { capabilities: { m: { maxOutput: 1.5 } } },
      'catalog.capabilities["m"].maxOutput',
      "Give a whole number over 0, such as 200000.",
    ],
    [
      { capabilities: { m: { cacheEdits: 1 } } },
      'catalog.capabilities["m"].cacheEdits',
      "Give true or false.",
    ],
    [
      { capabilities: { m: { minCachedPrefix: -1 } } },
      'catalog.capabilities["m"].minCachedPrefix',
      "Give a whole number, 0 or more.",
    ],
    [
      { capabilities: { m: { images: { maxSize: 1 } } } },
      'catalog.capabilities["m"].images.maxSize',
      "Use one of: maxBytes, maxSidePixels, maxCount, many, maxRequestBytes, maxPages.",
    ],
    [
      { capabilities: { m: { images: { many: { count: 20 } } } } },
      'catalog.capabilities["m"].images.many',
      "Give count, maxSidePixels.",
    ],
    [
      { prices: { m: { input: -0.1 } } },
      'catalog.prices["m"].input',
      "Give dollars per million tokens, 0 or more, such as 2.5.",
    ],
    [
      { prices: { m: { input: Number.NaN } } },
      'catalog.prices["m"].input',
      "Give dollars per million tokens, 0 or more, such as 2.5.",
    ],
    [
      { prices: { m: { above: { tokens: 5 } } } },
      'catalog.prices["m"].above',
      "Give tokens, input, cacheWrite5m, cacheWrite1h, cacheRead, output.",
    ],
    [
      { prices: { m: { toString: 1 } } },
      'catalog.prices["m"].toString',
      "Use one of: input, cacheWrite5m, cacheWrite1h, cacheRead, output, above.",
    ],
    [{ overflowWordings: {} }, "catalog.overflowWordings", "Give a list."],
    [{ overflowWordings: [{ id: "a" }] }, "catalog.overflowWordings[0]", "Give id, servers, pattern."],
    [
      { overflowWordings: [{ id: "a", servers: [], pattern: "(" }] },
      "catalog.overflowWordings[0].pattern",
      "Escape the special characters with a backslash.",
    ],
  ])("refuse %j, naming %s", (overrides, path, fix) => {
    const refused = refusal(overrides);
    expect({ path: refused.path, fix: refused.fix }).toEqual({ path, fix });
    expect(refused.message).toContain(path);
    expect(refused.message).toContain(fix);
  });
});
