import { describe, expect, it } from "vitest";
import type { Tool } from "../../spec/index.ts";
import { limitsOf, toolResultNumbers } from "./settings.ts";

const tool = (name: string, traits: Partial<Tool> = {}): Tool => ({ name, input_schema: {}, ...traits });
const declared = (value: unknown): Partial<Tool> => ({ _meta: { "anthropic/maxResultSizeChars": value } });
const limit = (traits: Partial<Tool>, settings: Record<string, unknown> = {}) =>
  limitsOf({ settings, tools: [tool("T", traits)] }).maxCharsOf("T");

describe("the limit of a tool", () => {
  it.each<[Partial<Tool>, number]>([
    [{}, 50_000],
    [{ maxResultChars: 100 }, 100],
    [{ maxResultChars: Number.POSITIVE_INFINITY }, Number.POSITIVE_INFINITY],
    [{ maxResultChars: Number.NaN }, 50_000],
    [{ maxResultChars: -1 }, 50_000],
    [declared(120_000), 120_000],
    [declared(500_000), 500_000],
    [declared(500_001), 500_000],
    [declared("120000"), 50_000],
    [{ ...declared(120_000), maxResultChars: 7 }, 7],
  ])("of %j is %d", (traits, expected) => {
    expect(limit(traits)).toBe(expected);
  });

  it("is what a flag says for its name, whatever the tool says", () => {
    const settings = { flags: { "tool-result-limits": { T: 30 } } };
    expect(limit({ maxResultChars: Number.POSITIVE_INFINITY }, settings)).toBe(30);
    expect(limitsOf({ settings, tools: [] }).maxCharsOf("T")).toBe(30);
    expect(limitsOf({ settings, tools: [] }).maxCharsOf("constructor")).toBe(50_000);
  });

  it("is the usual one for a tool that nobody knows", () => {
    expect(limitsOf({ settings: {}, tools: [] }).maxCharsOf("T")).toBe(50_000);
    expect(limitsOf({ settings: {}, tools: [] }).maxCharsOf(undefined)).toBe(50_000);
  });
});

describe("a tool that pages its own output", () => {
  it("has no limit, declared without one or not at all, but what a flag or the program says", () => {
    const limitOfRead = (tools: readonly Tool[], flags = {}) =>
      limitsOf({ settings: { flags }, tools }).maxCharsOf("Read");
    expect(limitOfRead([])).toBe(Number.POSITIVE_INFINITY);
    expect(limitOfRead([tool("Read")])).toBe(Number.POSITIVE_INFINITY);
    expect(limitOfRead([tool("Read", { maxResultChars: 100 })])).toBe(100);
    expect(limitOfRead([], { "tool-result-limits": { Read: 30 } })).toBe(30);
  });
});

describe("the numbers", () => {
  it("are those that were set, and the usual ones where nothing usable was", () => {
    const set = {
      defaultMaxChars: 10,
      roundMaxChars: 20,
      previewBytes: -1,
      tailBytes: Number.POSITIVE_INFINITY,
    };
    const { maxCharsOf, hasReadReferences, ...numbers } = limitsOf({
      settings: { toolResults: set },
      tools: [],
    });
    expect(numbers).toEqual({ ...toolResultNumbers, defaultMaxChars: 10, roundMaxChars: 20 });
    expect(maxCharsOf("T")).toBe(10);
    expect(hasReadReferences).toBe(false);
  });
});
