import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { firstOutsideRow, museumRows, outside, readRows } from "../../scripts/docs/museum-table.mjs";
import { importsOf, root, sourceFiles } from "./source-files.ts";

/** What a test from outside may import besides helpers that obey the same rule. */
const isPublic = (from: string) => /^(?:palimpsest(?:\/.+)?|node:.+|vitest|fast-check)$/.test(from);

/** Files from which a test from outside may take helpers. */
const mayHelp = (path: string) => /^test\/(?:museum|support)\//.test(path);

/** What is wrong with the imports of some files and of all the helpers that they reach. */
function wrongImports(files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  const seen = new Set(files.map(({ path }) => path));
  const waiting = [...files];
  const wrong: string[] = [];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    const { path, text } = file;
    if (/["'`](?:\.\.\/)+(?:packages|src|dist)\//.test(text)) wrong.push(`${path} names a file of a package`);
    for (const from of importsOf(text).filter((one) => !isPublic(one))) {
      const target = posix.join(posix.dirname(path), from);
      if (!from.startsWith(".") || !mayHelp(target) || !existsSync(join(root, target))) {
        wrong.push(`${path} imports ${from}`);
      } else if (!seen.has(target)) {
        seen.add(target);
        waiting.push({ path: target, text: readFileSync(join(root, target), "utf8") });
      }
    }
  }
  return wrong;
}

describe("the museum", () => {
  it("has a fixture and a test for every failure, and the page says which", () => {
    const rows = museumRows();
    expect(rows.length).toBeGreaterThanOrEqual(firstOutsideRow - 1);
    expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("tests what was found from outside through what the package gives its users", () => {
    expect(wrongImports(sourceFiles(outside))).toEqual([]);
  });

  it("sees an import of the source, direct or through a helper", () => {
    const path = `${outside}/example.museum.test.ts`;
    const text = [
      'import { openSession } from "palimpsest";',
      'import { createEmulator } from "palimpsest/testing";',
      'import { project } from "../../../packages/core/src/view/projection/project.ts";',
      'import { runCli } from "../../support/cli.ts";',
      'import pg from "pg";',
    ].join("\n");
    expect(wrongImports([{ path, text }])).toEqual(
      expect.arrayContaining([
        `${path} names a file of a package`,
        `${path} imports ../../../packages/core/src/view/projection/project.ts`,
        `${path} imports pg`,
        "test/support/cli.ts imports ../../packages/core/src/log/large-values.ts",
      ]),
    );
  });
});

describe("a row that was found from outside", () => {
  const path = `${outside}/example.museum.test.ts`;
  const title = "no test can prove that";
  const test = { path, text: `it("90: ${title}", () => read("90-example.json"));` };
  const row = { number: 90, elsewhere: "It fails.", here: "It does not.", shown: `\`${path}\`: ${title}` };
  const problemsOf = (...args: Parameters<typeof museumRows>) =>
    museumRows(...args)
      .filter(({ number }) => number >= firstOutsideRow)
      .flatMap(({ problems }) => problems);

  it("needs no row before it, but is on the page, with a fixture that a test reads", () => {
    expect(problemsOf([row], [test], ["90-example.json"])).toEqual([]);
    expect(problemsOf([], [], [])).toEqual([]);
    expect(problemsOf([], [test], ["90-example.json"])).toEqual(["docs/museum.md has no row 90"]);
    expect(problemsOf([{ ...row, shown: "" }], [], [])).toEqual([
      "row 90 has no fixture test/museum/fixtures/90-…",
      `no test of ${outside} is named "90: …"`,
    ]);
  });

  it("is tested from outside", () => {
    const inside = { ...test, path: "test/museum/log.museum.test.ts" };
    const shown = `\`${inside.path}\`: ${title}`;
    expect(problemsOf([{ ...row, shown }], [inside], ["90-example.json"])).toEqual([
      `no test of ${outside} is named "90: …"`,
      `row 90 is tested in ${inside.path}: its tests belong into ${outside}`,
    ]);
  });

  it("is read from the page before its last column is made", () => {
    expect(readRows("| 90 | It fails. | It does not. | |")).toEqual([{ ...row, shown: "" }]);
  });
});
