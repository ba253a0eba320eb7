import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock } from "../spec/index.ts";
import { isWellFormedValue, wellFormedBlock, wellFormedValue } from "./json-values.ts";

describe("wellFormedValue", () => {
  it("leaves no lone surrogate anywhere, and what has none the very same", () => {
    const anything = fc.jsonValue({ stringUnit: "binary" });
    fc.assert(
      fc.property(anything, (value) => {
        const after = wellFormedValue(value);
        expect(isWellFormedValue(after)).toBe(true);
        expect(wellFormedValue(after)).toBe(after);
        if (isWellFormedValue(value)) expect(after).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[ContentBlock, ContentBlock]>([
    [
      { type: "text", text: "a\ud800" },
      { type: "text", text: "a\ufffd" },
    ],
    [
      { type: "tool_use", id: "t", name: "Write", input: { "k\udc00": ["\ud83d"] } },
      { type: "tool_use", id: "t", name: "Write", input: { "k\ufffd": ["\ufffd"] } },
    ],
    [
      { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "\ude00" }] },
      { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "\ufffd" }] },
    ],
  ])("mends %j", (block, expected) => {
    expect(wellFormedBlock(block)).toEqual(expected);
  });

  it("does not touch thinking or what it does not know", () => {
    for (const type of ["thinking", "redacted_thinking", "hologram"]) {
      const block = { type, thinking: "\ud800", data: "\ud800" };
      expect(wellFormedBlock(block)).toBe(block);
    }
  });
});
