import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TreeVersion } from "../spec/index.ts";
import { mergeTexts } from "./merge-memories.ts";
import { blameLines, diffLines, unifiedDiff } from "./unified-diff.ts";

const labels = { before: "old", after: "new" };
const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
const text = (list: readonly string[]) => list.map((line) => `${line}\n`).join("");

/** As many lines as the longest common subsequence has, by the textbook table. */
function commonCount(a: readonly string[], b: readonly string[]): number {
  let row = Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [index, other] of b.entries()) {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("diffLines", () => {
  it("makes one text the other, with as few lines as possible", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = diffLines(before, after);
        const made = [...changes]
          .reverse()
          .reduce<readonly string[]>(
            (now, { from, fromEnd, to, toEnd }) =>
              now.toSpliced(from, fromEnd - from, ...after.slice(to, toEnd)),
            before,
          );
        expect(made).toEqual(after);
        const removed = changes.reduce((sum, { from, fromEnd }) => sum + fromEnd - from, 0);
        expect(before.length - removed).toBe(commonCount(before, after));
      }),
      { numRuns: 500 },
    );
  });

  it("takes two large texts that have nothing in common as replaced", () => {
    const [old, fresh] = ["a", "b"].map((word) =>
      Array.from({ length: 20_000 }, (_, index) => `${word}${index}`),
    );
    expect(diffLines(old ?? [], fresh ?? [])).toEqual([{ from: 0, fromEnd: 20_000, to: 0, toEnd: 20_000 }]);
  });
});

describe("unifiedDiff", () => {
  it("shows three lines around each change", () => {
    const before = text(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"]);
    const after = before.replace("2\n", "two\n").replace("13\n", "").replace("14\n", "14\n15\n");
    expect(unifiedDiff(before, after, labels)).toEqual({
      text: "--- old\n+++ new\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -10,5 +10,5 @@\n 10\n 11\n 12\n-13\n 14\n+15\n",
      added: 2,
      removed: 2,
    });
    expect(unifiedDiff("", "a\n", labels).text).toBe("--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n");
    expect(unifiedDiff("a\n", "a\n", labels)).toEqual({ text: "", added: 0, removed: 0 });
  });
});

describe("blameLines", () => {
  const version = (number: number) => ({ path: "a.md", version: number }) as TreeVersion;

  it("names the version that brought each line", () => {
    const history = [["a", "b"], ["a", "x", "b"], [], ["a", "b"], ["a", "b", "c"]].map((list, index) => ({
      version: version(index + 1),
      text: text(list),
    }));
    expect(blameLines(history.slice(0, 2)).map(({ line, version }) => `${version.version} ${line}`)).toEqual([
      "1 a",
      "2 x",
      "1 b",
    ]);
    expect(blameLines(history).map(({ line, version }) => `${version.version} ${line}`)).toEqual([
      "4 a",
      "4 b",
      "5 c",
    ]);
  });

  it("has the newest text's lines, each from a version that has it", () => {
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 5 }), (texts) => {
        const blamed = blameLines(
          texts.map((list, index) => ({ version: version(index + 1), text: text(list) })),
        );
        expect(blamed.map(({ line }) => line)).toEqual(texts.at(-1));
        for (const { line, version } of blamed) expect(texts[version.version - 1]).toContain(line);
      }),
    );
  });
});

describe("mergeTexts", () => {
  const base = text(["1", "2", "3", "4", "5"]);

  it("takes changes in different places together, and none in the same place", () => {
    expect(mergeTexts(base, base.replace("1\n", "one\n"), base.replace("5\n", ""))).toBe(
      text(["one", "2", "3", "4"]),
    );
    expect(mergeTexts(base, base.replace("3\n", "a\n"), base.replace("3\n", "b\n"))).toBeNull();
    expect(mergeTexts(base, base.replace("3\n", "a\n"), base.replace("4\n", "b\n"))).toBeNull();
    expect([
      mergeTexts(base, base, "x\n"),
      mergeTexts(base, "x\n", base),
      mergeTexts(base, "y\n", "y\n"),
    ]).toEqual(["x\n", "x\n", "y\n"]);
  });
});
