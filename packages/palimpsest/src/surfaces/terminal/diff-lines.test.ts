import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiffRow, diffLines } from "./diff-lines.ts";

const texts = fc
  .array(fc.constantFrom("a", "b c d", "b c e", "d", "  b c", "日本 x"), { maxLength: 14 })
  .map((lines) => lines.join("\n"));
const only = (rows: readonly DiffRow[], left: DiffRow["kind"]) =>
  rows.filter(({ kind }) => kind !== left).map(({ text }) => text);

describe("diffLines", () => {
  it("shows what went before what came", () => {
    expect(diffLines("one\ntwo\nthree\n", "one\n2\nthree\nfour\n")).toEqual([
      { kind: "kept", before: 1, after: 1, text: "one" },
      { kind: "removed", before: 2, text: "two" },
      { kind: "added", after: 2, text: "2" },
      { kind: "kept", before: 3, after: 3, text: "three" },
      { kind: "added", after: 4, text: "four" },
    ]);
  });

  it("says which words of a line changed, where the line is still the same one", () => {
    const [removed, added] = diffLines("the old price is 5\n", "the new price is 5\n");
    const rest = { text: " price is 5", isChanged: false };
    expect([removed, added]).toEqual([
      {
        ...{ kind: "removed", before: 1, text: "the old price is 5" },
        words: [{ text: "the ", isChanged: false }, { text: "old", isChanged: true }, rest],
      },
      {
        ...{ kind: "added", after: 1, text: "the new price is 5" },
        words: [{ text: "the ", isChanged: false }, { text: "new", isChanged: true }, rest],
      },
    ]);
    expect(diffLines("one thing", "another matter").every((row) => !("words" in row))).toBe(true);
    const long = "word ".repeat(300);
    expect(diffLines(`${long}a`, `${long}b`).every((row) => !("words" in row))).toBe(true);
  });

  it("numbers the lines of both texts, and its words are the lines", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const rows = diffLines(before, after);
        for (const row of rows) {
          if (row.kind !== "added") expect(before.split("\n")[row.before - 1]).toBe(row.text);
          if (row.kind !== "removed") expect(after.split("\n")[row.after - 1]).toBe(row.text);
          if (row.kind !== "kept" && row.words)
            expect(row.words.map(({ text }) => text).join("")).toBe(row.text);
        }
      }),
    );
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
        expect(diffLines(text, text).every(({ kind }) => kind === "kept")).toBe(true);
        const grown = lines.toSpliced(position, 0, "new").join("\n");
        expect(diffLines(text, grown).filter(({ kind }) => kind !== "kept")).toEqual([
          { kind: "added", after: Math.min(position, lines.length) + 1, text: "new" },
        ]);
      }),
    );
  });

  it("takes huge texts without comparing each line with each", () => {
    const many = (word: string) => Array.from({ length: 30_000 }, (_, line) => `${word} ${line}`).join("\n");
    const changes = diffLines(many("old"), many("new"));
    expect([changes.length, changes[0]?.kind, changes.at(-1)?.kind]).toEqual([60_000, "removed", "added"]);
  });
});
