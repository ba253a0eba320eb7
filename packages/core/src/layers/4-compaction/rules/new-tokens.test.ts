import { describe, expect, it } from "vitest";
import type { ViewItem } from "../../../spec/index.ts";
import { newTokensSince } from "./compaction-plan.ts";

/** Items of 10 tokens each, which count how often anybody asks where they stand in the log. */
function countedItems(length: number) {
  let looks = 0;
  const block = { type: "text", text: "x".repeat(40) };
  const items = Array.from({ length }, (_, at): ViewItem => {
    return {
      role: "user",
      entry: `e${at}`,
      index: 0,
      block,
      json: JSON.stringify(block),
      get seq() {
        looks += 1;
        return at + 1;
      },
    };
  });
  return { items, looks: () => looks };
}

describe("newTokensSince", () => {
  it("counts what came behind a sequence number", () => {
    expect(newTokensSince(countedItems(8).items, 5, 1_000)).toBe(30);
  });

  it("ends once there are more than anybody asks for, however long the view is", () => {
    const looked = [100, 10_000].map((length) => {
      const { items, looks } = countedItems(length);
      const tokens = newTokensSince(items, 0, 95);
      return { tokens, looks: looks() };
    });
    expect(looked).toEqual([
      { tokens: 100, looks: 10 },
      { tokens: 100, looks: 10 },
    ]);
  });
});
