import { describe, expect, it } from "vitest";
import { decideTop, describeChart, markedRequests, stackColumns } from "./chart-options.ts";
import { sampleSession } from "./session-samples.ts";

describe("stackColumns", () => {
  it("puts categories on top of each other and leaves empty ones out", () => {
    const { requests } = sampleSession(2);
    const byCategory = [
      [1, 0, 10],
      [2, 0, 20],
    ];
    expect(stackColumns({ ...requests, byCategory })).toEqual({
      categories: [0, 2],
      tops: [Float64Array.of(1, 2), Float64Array.of(11, 22)],
    });
  });
});

describe("decideTop", () => {
  it("leaves out a window far above the tokens", () => {
    expect(decideTop(100, [150, 200, 1000])).toEqual({ top: 216, shown: [150, 200] });
  });

  it("has a height where there is nothing", () => {
    expect(decideTop(0, [])).toEqual({ top: 1.08, shown: [] });
  });
});

describe("describeChart", () => {
  it("says in words what the chart shows", () => {
    const session = sampleSession(3, {
      window: { tokens: 200, thresholds: [] },
      marks: [{ request: 1, seq: 2, kind: "compaction", text: "", freed: 3 }],
    });
    expect(describeChart(session, String)).toBe(
      "Context over 3 requests: 10 tokens at first, 30 at last, at most 30 of a window of 200; " +
        "1 compaction, 0 cache breaks.",
    );
    expect(describeChart(sampleSession(0), String)).toBe("No request yet.");
  });
});

describe("markedRequests", () => {
  it("has each request with a mark or a break once, in order", () => {
    const session = sampleSession(5);
    const breaks = session.requests.breaks.map((_, request) =>
      request === 3 ? { kind: "cold" as const, reason: "", tokens: 1 } : null,
    );
    const mark = { seq: 1, kind: "fold" as const, text: "", freed: 0 };
    expect(
      markedRequests({
        ...session,
        requests: { ...session.requests, breaks },
        marks: [
          { ...mark, request: 3 },
          { ...mark, request: 1 },
        ],
      }),
    ).toEqual([1, 3]);
  });
});
