import { describe, expect, it } from "vitest";
import type { Prices } from "../spec/index.ts";
import { createCatalog } from "./catalog.ts";

const catalog = createCatalog();

function prices(input: number, write5m: number, write1h: number, read: number, output: number): Prices {
  return { input, cacheWrite5m: write5m, cacheWrite1h: write1h, cacheRead: read, output };
}

describe("createCatalog", () => {
  it.each([
    ["claude-fable-5-1", "fable-5.1", "fable-5.1"],
    ["claude-opus-5-5-20260901", "opus-5.5", "opus-5.5"],
    ["claude-sonnet-5-5[1m]", "sonnet-5.5", "sonnet-5.5"],
    ["claude-opus-5", "opus-5", "opus-4.5"],
    ["claude-opus-4-7", "opus-4.6", "opus-4.5"],
    ["claude-opus-4-6", "opus-4.6", "opus-4.5"],
    ["claude-opus-4-5-20251101", "opus-4.5", "opus-4.5"],
    ["claude-opus-4-1-20250805", "opus-4", "opus-4"],
    ["claude-opus-4-20250514", "opus-4", "opus-4"],
    ["claude-sonnet-4-6", "sonnet-4.6", "sonnet-4"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "sonnet-4", "sonnet-4"],
    ["claude-sonnet-4-20250514", "sonnet-4", "sonnet-4"],
    ["anthropic/claude-haiku-4.5", "haiku-4.5", "haiku-4.5"],
    ["claude-3-7-sonnet-20250219", "sonnet-3.7", "sonnet-3.7"],
    ["claude-3-5-sonnet-20241022", "sonnet-3.5", "sonnet-3.7"],
    ["claude-3-5-haiku-latest", "haiku-3.5", "haiku-3.5"],
    ["databricks-claude-sonnet-4-5", "sonnet-4", "sonnet-4"],
    ["gpt-5.6", "gpt-5.6", "gpt-5.6"],
    ["gpt-5.6-2026-08-01", "gpt-5.6", "gpt-5.6"],
    ["azure/gpt-5.6-codex", "gpt-5.6", "gpt-5.6"],
    ["gpt-5.6-mini", "unknown", "unknown"],
    ["gpt-5.1-codex", "gpt-5", "unknown"],
    ["gpt-5.60", "unknown", "unknown"],
    ["gpt-4.1-mini", "gpt-4.1", "unknown"],
    ["gpt-4o-2024-08-06", "gpt-4o", "unknown"],
    ["models/gemini-3.1-pro-preview", "gemini-3.1-pro", "gemini-3.1-pro"],
    ["gemini-2.5-flash", "gemini-2.5", "unknown"],
    ["claude-opus-6", "unknown", "unknown"],
    ["claude-opus-5-6", "unknown", "unknown"],
    ["claude-sonnet-4-50", "unknown", "unknown"],
    ["qwen3-opus-4.5-distill", "unknown", "unknown"],
    ["llama3.1:8b", "unknown", "unknown"],
    ["<synthetic>", "unknown", "unknown"],
    ["", "unknown", "unknown"],
  ])("finds %s in the rows %s and %s", (model, capabilityRow, priceRow) => {
    const [capabilities, price] = [catalog.capabilities(model), catalog.prices(model)];
    expect([capabilities.row, price.row]).toEqual([capabilityRow, priceRow]);
    expect([capabilities.known, price.known]).toEqual([capabilityRow !== "unknown", priceRow !== "unknown"]);
  });

  it("finds the prices of a model once, and nobody can change them for the next who asks", () => {
    const found = catalog.prices("claude-sonnet-4-5");
    expect(catalog.prices("claude-sonnet-4-5")).toBe(found);
    expect([Object.isFrozen(found), Object.isFrozen(found.value)]).toEqual([true, true]);
    expect(found).toEqual(createCatalog().prices("claude-sonnet-4-5"));
  });

  it("finds the same for a name that it has forgotten meanwhile", () => {
    const forgetful = createCatalog();
    const before = forgetful.prices("claude-opus-5");
    for (let at = 0; at < 200; at += 1) forgetful.prices(`model-${at}`);
    expect(forgetful.prices("claude-opus-5")).toEqual(before);
  });

  it("finds every row by its own id", () => {
    const { capabilityRows, priceRows } = catalog;
    expect(capabilityRows.map(({ id }) => catalog.capabilities(id).row)).toEqual(
      capabilityRows.map(({ id }) => id),
    );
    expect(priceRows.map(({ id }) => catalog.prices(id).row)).toEqual(priceRows.map(({ id }) => id));
  });

  it("dates every row", () => {
    const dates = [...catalog.capabilityRows, ...catalog.priceRows].map(({ asOf }) => asOf);
    expect(dates.filter((asOf) => !/^20\d\d-(?:0[1-9]|1[0-2])$/.test(asOf))).toEqual([]);
  });

  it("has capabilities within the bounds that hold for all models", () => {
    for (const { id, value } of catalog.capabilityRows) {
      expect(value.maxOutput, id).toBeLessThan(value.contextWindow);
      expect(value.minCachedPrefix, id).toBeGreaterThanOrEqual(512);
      expect(value.minCachedPrefix, id).toBeLessThanOrEqual(4_096);
      expect(value.cacheEdits, id).toBe(false);
    }
  });

  it.each([
    ["claude-fable-5-1", prices(10, 12.5, 20, 0.25, 50)],
    ["claude-opus-5-5", prices(4, 5, 8, 0.2, 20)],
    ["claude-sonnet-5-5", prices(2, 2.5, 4, 0.2, 10)],
    ["claude-opus-5", prices(5, 6.25, 10, 0.5, 25)],
    ["claude-sonnet-4-5", prices(3, 3.75, 6, 0.3, 15)],
    ["claude-haiku-4-5", prices(1, 1.25, 2, 0.1, 5)],
    ["gpt-5.6", { ...prices(2, 2.5, 2.5, 0.2, 10), above: { tokens: 272_000, ...prices(4, 5, 5, 0.4, 15) } }],
    [
      "gemini-3.1-pro",
      { ...prices(2, 2, 2, 0.2, 12), above: { tokens: 200_000, ...prices(4, 4, 4, 0.4, 18) } },
    ],
  ])("knows what %s costs", (model, expected) => {
    expect(catalog.prices(model).value).toEqual(expected);
  });

  it("says where sources differ", () => {
    expect(catalog.prices("claude-sonnet-5-5").note).toContain("0.10");
  });

  it("has price rows that read from the cache at 0.1, 0.05 and 0.025 of input", () => {
    const ratios = catalog.priceRows.map(({ value }) => value.cacheRead / value.input);
    expect(ratios).toEqual(expect.arrayContaining([0.1, 0.05, 0.025]));
  });

  it("gives an unknown model safe defaults and says so", () => {
    expect(catalog.capabilities("my-model")).toEqual({
      known: false,
      row: "unknown",
      value: {
        contextWindow: 200_000,
        maxOutput: 20_000,
        prefixBoundThinking: true,
        dropsUnboundThinking: false,
        contextManagement: false,
        cacheEdits: false,
        nativeCompaction: false,
        serverCompaction: false,
        cacheMarkers: false,
        minCachedPrefix: 4_096,
        images: {
          maxBytes: 5_242_880,
          maxSidePixels: 8_000,
          maxCount: 100,
          many: { count: 20, maxSidePixels: 2_000 },
          maxRequestBytes: 32_000_000,
          maxPages: 100,
        },
      },
      assumed: [
        "contextWindow",
        "maxOutput",
        "prefixBoundThinking",
        "dropsUnboundThinking",
        "contextManagement",
        "cacheEdits",
        "nativeCompaction",
        "serverCompaction",
        "cacheMarkers",
        "minCachedPrefix",
        "images",
      ],
      overridden: [],
    });
  });
});
