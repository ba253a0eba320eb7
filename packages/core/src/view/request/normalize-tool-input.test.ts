import { describe, expect, it } from "vitest";
import { normalizeToolInput } from "./normalize-tool-input.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer" },
    ratio: { type: "number" },
    all: { type: "boolean" },
    names: { type: "array" },
    range: { type: "object" },
    either: { type: ["string", "number"] },
  },
};

describe("normalizeToolInput", () => {
  it.each([
    [{ limit: "20" }, { limit: 20 }],
    [{ ratio: "0.5" }, { ratio: 0.5 }],
    [{ all: "true" }, { all: true }],
    [{ names: '["a","b"]' }, { names: ["a", "b"] }],
    [{ range: '{"from":1}' }, { range: { from: 1 } }],
    ['{"path":"a.ts","limit":"3"}', { path: "a.ts", limit: 3 }],
  ])("reads %j as %j", (input, expected) => {
    expect(normalizeToolInput(input, schema)).toEqual(expected);
  });

  it.each([
    [{ path: "20" }],
    [{ limit: "twenty" }],
    [{ limit: "2.5" }],
    [{ all: "yes" }],
    [{ either: "3" }],
    [{ names: '{"a":1}' }],
    [{ unknown: "3" }],
    [{ limit: 3 }],
    [{ ratio: "12345678901234567890" }],
    [{ ratio: "1e999" }],
    ["no object"],
    [["a"]],
    [null],
  ])("leaves %j the very same", (input) => {
    expect(normalizeToolInput(input, schema)).toBe(input);
  });

  it("does nothing where no schema is known", () => {
    const input = { limit: "20" };
    for (const none of [undefined, null, {}, { properties: 3 }])
      expect(normalizeToolInput(input, none)).toBe(input);
  });

  it("is not deceived by names that every object has", () => {
    const input = { constructor: "3", toString: "true" };
    expect(normalizeToolInput(input, schema)).toBe(input);
  });

  it("is settled after once", () => {
    const once = normalizeToolInput('{"limit":"3","names":"[\\"4\\"]"}', schema);
    expect(normalizeToolInput(once, schema)).toBe(once);
  });
});
