import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { fromHistoryName, isTreePart, maxTreePathBytes, toHistoryName, toTreePath } from "./tree-path.ts";

describe("toTreePath", () => {
  it.each([
    "a.md",
    "a b.md",
    "C# notes.md",
    "it's (new), v2!.md",
    "世界/日本語.md",
    "Größe – «x».md",
    "🎉.md",
    "_x",
  ])("takes %s", (path) => {
    expect(must(toTreePath(path))).toBe(path);
  });

  it.each([
    "a.md~",
    "#a.md#",
    "-rf",
    " a",
    "a ",
    "a.",
    "~a",
    "a\u00a0b",
    "a\u200d",
    "a\u2028b",
    "a:b",
    "a?b",
    "\u0301a",
  ])("refuses %j", (path) => {
    expect(refused(toTreePath(path))).toBe("invalid-path");
  });

  it("measures in bytes", () => {
    expect(toTreePath("é".repeat(maxTreePathBytes / 2)).ok).toBe(true);
    expect(toTreePath(`${"é".repeat(maxTreePathBytes / 2)}a`).ok).toBe(false);
  });

  it("gives every path a history of its own, and finds the path again", () => {
    const part = fc.string({ unit: "binary", maxLength: 20 }).filter(isTreePart);
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(path, (given) => {
        const normal = toTreePath(given);
        if (!normal.ok) return;
        const name = toHistoryName(normal.value);
        expect(name).not.toContain("/");
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(fromHistoryName(name)).toBe(normal.value);
      }),
    );
  });

  it("never leads out of its folder, whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", ".", "/", "\\", "%", "2", "e", "\0", "~") }),
        (given) => {
          const path = toTreePath(given);
          if (!path.ok) return;
          const resolved = new URL(`file:///root/${encodeURI(path.value)}`).pathname;
          expect(decodeURI(resolved)).toBe(`/root/${path.value}`);
        },
      ),
    );
  });
});
