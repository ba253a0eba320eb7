import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "./line-diff.ts";

const texts = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 })
  .map((lines) => lines.join("\n"));
const only = (changes: ReturnType<typeof diffLines>, left: string) =>
  changes.filter(({ type }) => type !== left).map(({ text }) => text);

describe("diffLines", () => {
  it("shows what went before what came", () => {
    expect(diffLines("one\ntwo\nthree\n", "one\n2\nthree\nfour\n")).toEqual([
      { type: "same", text: "one" },
      { type: "removed", text: "two" },
      { type: "added", text: "2" },
      { type: "same", text: "three" },
      { type: "added", text: "four" },
    ]);
  });

  it("holds both texts", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const changes = diffLines(before, after);
        expect(only(changes, "added").join("\n")).toBe(before);
        expect(only(changes, "removed").join("\n")).toBe(after);
      }),
    );
  });

  it("changes nothing between equal texts, and finds a line that was put in", () => {
    fc.assert(
      fc.property(texts, fc.nat(14), (text, position) => {
        const lines = text === "" ? [] : text.split("\n");
        expect(diffLines(text, text).every(({ type }) => type === "same")).toBe(true);
        const grown = lines.toSpliced(position, 0, "new").join("\n");
        expect(diffLines(text, grown).filter(({ type }) => type !== "same")).toEqual([
          { type: "added", text: "new" },
        ]);
      }),
    );
  });

  it("takes huge texts without comparing each line with each", () => {
    const many = (word: string) => Array.from({ length: 30_000 }, (_, line) => `${word} ${line}`).join("\n");
    const changes = diffLines(many("old"), many("new"));
    expect([changes.length, changes[0]?.type, changes.at(-1)?.type]).toEqual([60_000, "removed", "added"]);
  });
});
