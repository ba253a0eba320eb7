import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../spec/index.ts";
import { cacheEditsBlock, deletedResults, refusedEdits, tokensLeft } from "./cache-edits.ts";

const item = (entry: string, block: ContentBlock, more: object = {}): ViewItem => ({
  role: "user",
  entry,
  seq: 1,
  index: 0,
  block,
  json: JSON.stringify(block),
  ...more,
});
const result = (id: string) => item(`message of ${id}`, { type: "tool_result", tool_use_id: id });
const edit = (name: string, ...ids: string[]) => item(name, cacheEditsBlock(ids), { decision: name });

const items = [result("a"), result("b"), edit("one", "a"), result("c"), edit("two", "b", "c")];

describe("cache edits that the provider would refuse", () => {
  it.each<[number, number, readonly string[]]>([
    [0, 5, []],
    [0, 4, ["two"]],
    [0, 2, ["one", "two"]],
    [1, 2, ["two"]],
    [3, 3, ["two"]],
    [4, 3, []],
    [4, 0, []],
    [-3, 0, ["one", "two"]],
  ])("with %d items read and %d answered are %j", (readItems, answeredItems, expected) => {
    expect(refusedEdits({ items, readItems, answeredItems }).map(({ entry }) => entry)).toEqual(expected);
  });

  it("are those that name what does not stand before them any more", () => {
    const left = [result("a"), edit("one", "a", "gone")];
    expect(refusedEdits({ items: left, readItems: 2, answeredItems: 0 })).toHaveLength(1);
  });
});

describe("what cache edits delete", () => {
  it("counts nothing, and neither do they", () => {
    const tokens = tokensLeft(items, () => 7);
    expect(items.map(({ block }) => tokens(block))).toEqual([0, 0, 0, 0, 0]);
    expect(tokens(result("d").block)).toBe(7);
  });

  it("is not what a block of the caller's own names", () => {
    const own = item("message", cacheEditsBlock(["a"]));
    expect([...deletedResults([result("a"), own])]).toEqual([]);
  });
});
