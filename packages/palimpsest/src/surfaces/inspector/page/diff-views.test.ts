import { describe, expect, it } from "vitest";
import { diffViews, sumChanges } from "./diff-views.ts";
import { sampleItem } from "./session-samples.ts";

const items = [
  sampleItem({ origin: "1.0", tokens: 5 }),
  sampleItem({ origin: "2.0", tokens: 100 }),
  sampleItem({ origin: "3.0", tokens: 7 }),
  sampleItem({ origin: "2.0", tokens: 3, state: "cleared" }),
  sampleItem({ origin: "9.0", tokens: 20, state: "summarised", covers: [0, 2] }),
  sampleItem({ origin: "4.0", tokens: 1 }),
];

describe("diffViews", () => {
  it("finds nothing between equal views", () => {
    expect(diffViews(items, [0, 1], [0, 1])).toEqual([
      { type: "same", item: 0 },
      { type: "same", item: 1 },
    ]);
  });

  it("knows a cleared result as the one it was", () => {
    expect(diffViews(items, [0, 1, 2], [0, 3, 2, 5])).toEqual([
      { type: "same", item: 0 },
      { type: "replaced", item: 3, before: 1 },
      { type: "same", item: 2 },
      { type: "added", item: 5 },
    ]);
  });

  it("says which summary stands for what went, and where it was", () => {
    expect(diffViews(items, [0, 1, 2, 5], [4, 1, 5])).toEqual([
      { type: "removed", item: 0, into: 4 },
      { type: "added", item: 4 },
      { type: "same", item: 1 },
      { type: "removed", item: 2, into: 4 },
      { type: "same", item: 5 },
    ]);
  });

  it("counts items and tokens both ways", () => {
    expect(sumChanges(items, diffViews(items, [0, 1], [3, 5]))).toEqual({
      added: 1,
      removed: 1,
      replaced: 1,
      tokensAdded: 4,
      tokensRemoved: 105,
    });
  });
});
