import { describe, expect, it } from "vitest";
import { nothingApplied, readAppliedEdits } from "./applied-edits.ts";

const cleared = (uses: number, tokens: number) => ({
  type: "clear_tool_uses_20250919",
  cleared_tool_uses: uses,
  cleared_input_tokens: tokens,
});
const thinking = { type: "clear_thinking_20251015", cleared_thinking_turns: 2, cleared_input_tokens: 90 };

describe("readAppliedEdits", () => {
  it("says what was left out, and names it by how much that is", () => {
    expect(readAppliedEdits([thinking, cleared(5, 30_000)])).toEqual({
      key: "clear_thinking_20251015 2, clear_tool_uses_20250919 5",
      words:
        "the API cleared the thinking of 2 turns, 90 tokens, the API cleared 5 tool results, 30000 tokens",
    });
    expect(readAppliedEdits([{ type: "compact_20300101" }])).toEqual({
      key: "compact_20300101 0",
      words: "the API applied compact_20300101",
    });
  });

  it.each([
    [[]],
    [[cleared(0, 0)]],
    [[{ type: "cache_edits", deleted_tool_uses: 3, cleared_input_tokens: 900 }]],
    [undefined],
    ["clear_tool_uses_20250919"],
    [[null, 7, {}, { type: 1 }]],
  ])("has nothing to say of %j", (edits) => {
    expect(readAppliedEdits(edits)).toEqual(nothingApplied);
  });
});
