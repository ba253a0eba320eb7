import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { freedByRepair } from "./answer-repair.ts";

const item = (entry: string, text: string): ViewItem => {
  const block = { type: "text", text };
  return { role: "user", entry, seq: 1, index: 0, block, json: JSON.stringify(block) };
};
const items = [item("a", "x".repeat(100)), item("b", "x".repeat(50))];
const tokensOf = (block: ContentBlock) => String((block as { text?: unknown }).text).length;
const place = (entry: string) => ({ entry, block: 0 });

describe("freedByRepair", () => {
  it("counts what is dropped, replaced and inserted", () => {
    expect(freedByRepair(items, [{ repair: "drop-block", place: place("a"), why: "" }], tokensOf)).toBe(100);
    const block = { type: "text", text: "short" };
    expect(
      freedByRepair(items, [{ repair: "replace-block", place: place("b"), block, why: "" }], tokensOf),
    ).toBe(45);
    expect(freedByRepair(items, [{ repair: "begin-with-user", text: "four" }], tokensOf)).toBe(-4);
  });

  it("counts a block once, however many steps change it", () => {
    const block = { type: "text", text: "x".repeat(80) };
    const steps = [
      { repair: "replace-block", place: place("a"), block, why: "" },
      { repair: "to-text", place: place("a"), text: "x" },
      { repair: "order", places: [place("a"), place("b")] },
    ] as const;
    expect(freedByRepair(items, steps, tokensOf)).toBe(99);
  });

  it("passes over what is not there", () => {
    expect(freedByRepair(items, [{ repair: "drop-block", place: place("c"), why: "" }], tokensOf)).toBe(0);
  });
});
