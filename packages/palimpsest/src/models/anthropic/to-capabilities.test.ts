import { describe, expect, it } from "vitest";
import { toCapabilities } from "./anthropic-options.ts";

describe("toCapabilities", () => {
  it("says nothing of what it is not told, and nothing of nonsense", () => {
    expect(toCapabilities({ max_input_tokens: 200_000 })).toEqual({ contextWindow: 200_000 });
    const odd = {
      max_input_tokens: 0,
      max_tokens: "8000",
      capabilities: { compaction: null, context_management: [] },
    };
    for (const model of [odd, null, undefined, "model", { capabilities: null }]) {
      expect(toCapabilities(model)).toEqual({});
    }
  });

  it("tells compaction as an edit from compaction on demand", () => {
    const context_management = { supported: true, compact_20260112: { supported: true } };
    expect(toCapabilities({ capabilities: { compaction: null, context_management } })).toEqual({
      contextManagement: true,
      serverCompaction: true,
    });
  });
});
