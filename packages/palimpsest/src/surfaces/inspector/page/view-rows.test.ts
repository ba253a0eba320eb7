import { describe, expect, it } from "vitest";
import type { ItemText } from "../inspected.ts";
import { sampleItem } from "./session-samples.ts";
import { partHeight, partsHeight } from "./text-parts.ts";
import { type RowsState, rowHeight, toDiffRows, toViewRows, wantedTexts } from "./view-rows.ts";

const items = [
  sampleItem({ seq: 1, role: "system" }),
  sampleItem({ seq: 2 }),
  sampleItem({ seq: 2, title: "Look at a.ts" }),
  sampleItem({ seq: 3, role: "assistant", state: "cleared", hasOriginal: true }),
  sampleItem({ seq: 4, state: "summarised", covers: [1, 2] }),
];
const state = (
  opened: readonly string[] = [],
  texts: readonly (readonly [number, ItemText])[] = [],
): RowsState => ({
  items,
  opened: new Set(opened),
  texts: new Map(texts),
});
const any = () => true;

describe("toViewRows", () => {
  it("groups items by message and says which are new", () => {
    const rows = toViewRows(state(), [0, 1, 2, 3], 3, any);
    expect(rows.map((row) => (row.type === "item" ? `${row.item} ${row.change.type}` : row.type))).toEqual([
      "message",
      "0 same",
      "message",
      "1 same",
      "2 same",
      "message",
      "3 added",
    ]);
  });

  it("shows what is open as it was seen and as it was", () => {
    const rows = toViewRows(state(["3"], [[3, { shown: "[cleared]", original: "all of it" }]]), [3], 1, any);
    expect(rows.at(-1)).toEqual({
      type: "text",
      key: "3 text",
      depth: 0,
      parts: [
        { label: "As the model saw it: cleared", text: "[cleared]" },
        { label: "Original", text: "all of it" },
      ],
    });
    expect(wantedTexts(rows)).toEqual([3]);
  });

  it("shows what a summary covers below it, each to be opened", () => {
    const rows = toViewRows(state(["4", "4/2"]), [4], 0, any);
    expect(rows.map((row) => row.key)).toEqual(["message 4", "4", "4 text", "4/1", "4/2", "4/2 text"]);
    expect(rows.map((row) => ("depth" in row ? row.depth : "-"))).toEqual(["-", 0, 0, 1, 1, 1]);
  });

  it("leaves out what does not match", () => {
    const rows = toViewRows(state(), [0, 1, 2, 3], 4, ({ title }) => title.includes("a.ts"));
    expect(rows.map((row) => row.key)).toEqual(["message 2", "2"]);
  });
});

describe("toDiffRows", () => {
  const same = [0, 1, 2].map((item) => ({ type: "same", item }) as const);

  it("has long runs of unchanged items in one row", () => {
    expect(toDiffRows(state(), [...same, { type: "added", item: 3 }]).map((row) => row.key)).toEqual([
      "unchanged 0",
      "added 3",
    ]);
    expect(toDiffRows(state(["unchanged 0"]), same).map((row) => row.key)).toEqual([
      "unchanged 0",
      "0",
      "1",
      "2",
    ]);
    expect(toDiffRows(state(), same.slice(1)).map((row) => row.key)).toEqual(["1", "2"]);
  });

  it("shows both texts of what was replaced", () => {
    const change = { type: "replaced", item: 3, before: 1 } as const;
    const rows = toDiffRows(
      state(
        ["replaced 3"],
        [
          [1, { shown: "old" }],
          [3, { shown: "new" }],
        ],
      ),
      [change],
    );
    expect(rows.at(-1)).toEqual({
      type: "text",
      key: "replaced 3 text",
      depth: 0,
      parts: [
        { label: "Before", text: "old" },
        { label: "After", text: "new" },
      ],
    });
    expect(wantedTexts(rows)).toEqual([1, 3]);
  });
});

describe("rowHeight", () => {
  it("grows with the lines of a text, wrapped, and no further than a box", () => {
    const [one, two, wrapped, many, long] = [
      "a",
      "a\nb",
      "x".repeat(101),
      "a\n".repeat(99),
      "x".repeat(1e6),
    ].map((text) => partHeight(text, 100));
    expect([two! - one!, wrapped, many, long]).toEqual([18, two, one! + 17 * 18, many]);
    const parts = [{ label: "", text: "a" }];
    expect(rowHeight({ type: "text", key: "", depth: 0, parts }, 100)).toBe(partsHeight(parts, 100));
  });
});
