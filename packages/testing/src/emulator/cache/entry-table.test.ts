import { describe, expect, it } from "vitest";
import { createEntryTable } from "./prompt-cache.ts";

const minute = 60_000;

describe("createEntryTable", () => {
  it("forgets an entry exactly when its time since the last use is over", () => {
    const table = createEntryTable(10);
    table.put("short", "5m", 0);
    table.put("long", "1h", 0);
    expect(table.has("short", 5 * minute - 1)).toBe(true);
    expect(table.has("short", 5 * minute)).toBe(false);
    expect(table.has("long", 60 * minute - 1)).toBe(true);
    table.touch("long", 60 * minute - 1);
    expect(table.has("long", 120 * minute - 2)).toBe(true);
    expect(table.size(120 * minute - 1)).toBe(0);
  });

  it("does not revive what is forgotten", () => {
    const table = createEntryTable(10);
    table.put("a", "5m", 0);
    table.touch("a", 5 * minute);
    table.touch("b", 5 * minute);
    expect(table.size(5 * minute)).toBe(0);
  });

  it("keeps the longer of two lives", () => {
    const table = createEntryTable(10);
    table.put("a", "5m", 0);
    table.put("a", "1h", 0);
    table.put("a", "5m", 0);
    expect(table.has("a", 59 * minute)).toBe(true);
    expect(table.size(0)).toBe(1);
  });

  it("lets the least recently used go when there are too many", () => {
    const table = createEntryTable(2);
    table.put("a", "1h", 0);
    table.put("b", "5m", 1);
    table.touch("a", 2);
    table.put("c", "5m", 3);
    expect(["a", "b", "c"].filter((key) => table.has(key, 3))).toEqual(["a", "c"]);
    table.put("d", "5m", 4);
    expect(["a", "b", "c", "d"].filter((key) => table.has(key, 4))).toEqual(["c", "d"]);
  });
});
