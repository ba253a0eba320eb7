import { describe, expect, it } from "vitest";
import { answered, called } from "../../../../../test/support/ledger-entries.ts";
import { scribeSession } from "../../../../../test/support/scribe-sessions.ts";
import { seenPaths } from "./path-names.ts";

function seenIn(...results: readonly string[]) {
  const messages = results.flatMap((text, at) => [
    called(`t${at}`, "Grep", { pattern: "x" }),
    answered(`t${at}`, text),
  ]);
  return seenPaths(scribeSession(messages).ledgers, "/work");
}

describe("seenPaths", () => {
  it("finds files in what tools give back, relative to the root", () => {
    const text =
      "/work/src/a.ts:3: import './b.js'\n./c.test.go\ndocs/d.md, (e/f.py)\n  .golangci.yml  README.md";
    expect(seenIn(text).map(({ path }) => path)).toEqual([
      "src/a.ts",
      "b.js",
      "c.test.go",
      "docs/d.md",
      "e/f.py",
      ".golangci.yml",
      "README.md",
    ]);
  });

  it("takes no folders, addresses, installed files or members of objects for files of the project", () => {
    expect(
      seenIn("src/ a/b https://example.org/index.html node_modules/x/y.js store.append(lines) e.g. 1.5"),
    ).toEqual([]);
  });

  it("puts first what was named often and lately", () => {
    const all = seenIn("src/often.ts src/once.ts", "src/often.ts", "src/often.ts src/late.ts");
    expect(all).toEqual([
      { path: "src/often.ts", count: 3, newest: 2 },
      { path: "src/late.ts", count: 1, newest: 2 },
      { path: "src/once.ts", count: 1, newest: 0 },
    ]);
  });

  it("takes time with the length of a text, not with its square", () => {
    const texts = [
      "a".repeat(2_000_000),
      "/".repeat(2_000_000),
      "a/".repeat(1_000_000),
      ".-".repeat(1_000_000),
    ];
    expect(seenIn(...texts)).toEqual([]);
  });
});
