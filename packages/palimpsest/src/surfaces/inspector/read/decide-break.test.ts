import { describe, expect, it } from "vitest";
import { readAppliedEdits } from "../../../../../core/src/view/prefix/applied-edits.ts";
import { decideBreak, type RequestFacts } from "./decide-break.ts";

const applied = (uses: number) =>
  readAppliedEdits([
    { type: "clear_tool_uses_20250919", cleared_tool_uses: uses, cleared_input_tokens: uses * 100 },
  ]);

const facts = (cacheRead: number, uses: number): RequestFacts => ({
  model: "m",
  sentMs: 0,
  endMs: 0,
  usage: { input: 0, output: 1, cacheRead, cacheCreation: 1_000 },
  applied: applied(uses),
});

const input = { decisions: [], hasNewHead: false };

describe("decideBreak where the API clears by itself", () => {
  it("is announced by what the API says it cleared", () => {
    expect(decideBreak({ former: facts(4_000, 0), now: facts(2_000, 5), ...input })).toEqual({
      kind: "announced",
      reason: "The API cleared 5 tool results, 500 tokens.",
      tokens: 3_000,
    });
    expect(decideBreak({ former: facts(4_000, 5), now: facts(2_000, 0), ...input })).toMatchObject({
      kind: "announced",
      reason: "The API no longer clears anything.",
    });
  });

  it("is unexplained where the same was cleared before", () => {
    expect(decideBreak({ former: facts(4_000, 5), now: facts(2_000, 5), ...input })?.kind).toBe(
      "unexplained",
    );
  });
});
