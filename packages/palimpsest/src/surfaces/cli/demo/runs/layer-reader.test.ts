import { describe, expect, it } from "vitest";
import type { EventBody } from "../../../../../../core/src/spec/index.ts";
import { createLayerReader } from "./play-policy.ts";

const decided = (
  decision: "offload" | "clear" | "compact" | "repair",
  layer: string,
  frees: number,
  reason: string,
): EventBody => ({ type: "decision-record", decision, id: "decision_1", layer, reason, frees });

describe("the reader of layers' work", () => {
  it("tells of a result that was too large, with its size", () => {
    const read = createLayerReader();
    const offload = { type: "result-offload", toolUseId: "t", tool: "Read", limit: "tool" } as const;
    expect(read({ ...offload, bytes: 75_655, lines: 2_002 }, 4)).toBeNull();
    expect(read(decided("offload", "tool-results", 26_000, "results: 1 offloaded"), 4)).toEqual({
      request: 4,
      layer: "tool-results",
      did: "75.7 kB of Read",
      frees: 26_000,
      why: "over the limit of one result",
    });
  });

  it("tells of cleared results and inputs, and why", () => {
    const read = createLayerReader();
    const sizes = { tokensBefore: 30_115, tokensAfter: 23_395, tokensSaved: 6_720 };
    read({ type: "results-clear", trigger: "auto", strategy: "cold", results: 22, inputs: 1, ...sizes }, 7);
    expect(
      read(decided("clear", "microcompact", 6_720, "cold: the cache is cold: clearing is free"), 7),
    ).toEqual({
      request: 7,
      layer: "microcompact",
      did: "22 results and 1 input",
      frees: 6_720,
      why: "the cache is cold: clearing is free",
    });
  });

  it("tells of a compaction and of what is left after it", () => {
    const read = createLayerReader();
    const sizes = { tokensBefore: 38_088, tokensAfter: 16_966, durationMs: 0 };
    read({ type: "compaction-end", trigger: "auto", strategy: "scribe", ...sizes }, 12);
    expect(read(decided("compact", "compaction", 21_122, "pays after 2.0 requests"), 12)).toEqual({
      request: 12,
      layer: "compaction",
      did: "to 17k",
      frees: 21_122,
      why: "pays after 2.0 requests",
    });
  });

  it("tells of notes that were written, and of no others", () => {
    const read = createLayerReader();
    const end = { type: "notes-end", by: "scribe", tokens: 17_410, dollars: 0 } as const;
    read({ type: "notes-start", by: "scribe", tokens: 17_410, reason: "5 calls since the last update" }, 1);
    expect(read({ ...end, outcome: "unchanged" }, 1)).toBeNull();
    expect(read({ ...end, outcome: "written" }, 1)).toEqual({
      request: 1,
      layer: "session-notes",
      did: "",
      frees: 0,
      why: "5 calls since the last update",
    });
  });

  it("is silent about decisions that free nothing and about the engine's own", () => {
    const read = createLayerReader();
    expect(read(decided("offload", "tool-results", 0, "results: 3 whole"), 1)).toBeNull();
    expect(read(decided("repair", "engine", 10, "order"), 1)).toBeNull();
  });
});
