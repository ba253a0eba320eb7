import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packages, sourceOf } from "../../scripts/bundle/entries.mjs";
import { packageAliases } from "../../scripts/bundle/package-aliases.mjs";
import { judgeReport, rowProblems } from "../../scripts/museum/judge-report.mjs";
import { root } from "./source-files.ts";

const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

/** A test as vitest's JSON reporter tells of it. */
const failed = (title: string, ...failureMessages: string[]) => ({
  title,
  status: "failed",
  failureMessages,
});
const file = (...assertionResults: object[]) => ({
  name: "/outside/a.museum.test.ts",
  status: "failed",
  message: "",
  assertionResults,
});
const frame = "    at open (file:///tmp/x/node_modules/palimpsest/dist/engine/session.js:1:2)";

interface Judged {
  readonly verdict: string;
  readonly messages: readonly string[];
}

function verdictOf(...failureMessages: string[]): readonly Judged[] {
  const testResults = [file(failed("42: it holds", ...failureMessages))];
  const tests: readonly Judged[] = judgeReport({ testResults }, [42]).tests;
  return tests.map(({ verdict, messages }) => ({ verdict, messages }));
}

describe("a test that runs against a package", () => {
  it("is evidence where it fails by what it asserts", () => {
    expect(verdictOf("AssertionError: expected 1 to be 2\n    at test.ts:6:39")).toEqual([
      { verdict: "fails", messages: ["AssertionError: expected 1 to be 2"] },
    ]);
    expect(verdictOf("AssertionError [ERR_ASSERTION]: 1 == 2")).toMatchObject([{ verdict: "fails" }]);
    expect(verdictOf('Error: promise resolved "1" instead of rejecting\n    at x')).toMatchObject([
      { verdict: "fails" },
    ]);
  });

  it("is evidence where the package throws its own error, and nobody else does", () => {
    expect(verdictOf(`PalimpsestError: It is buried.\n${frame}`)).toEqual([
      { verdict: "throws", messages: ["PalimpsestError: It is buried."] },
    ]);
    expect(verdictOf("PalimpsestError: The emulator is closed.\n    at src/testing/a.ts:1:2")).toMatchObject([
      { verdict: "breaks" },
    ]);
  });

  it("is none where an export is missing or the time is over", () => {
    expect(verdictOf(`TypeError: openThing is not a function\n${frame}`)).toMatchObject([
      { verdict: "breaks" },
    ]);
    expect(verdictOf("Error: Test timed out in 300000ms.")).toMatchObject([{ verdict: "breaks" }]);
    expect(verdictOf("AssertionError: expected 1 to be 2", "TypeError: x is not a function")).toMatchObject([
      { verdict: "breaks" },
    ]);
  });

  it("is judged by what failed inside a property", () => {
    const property = (cause: string) =>
      `Error: Property failed after 1 tests\n{ seed: 1, path: "0" }\nCounterexample: [0]\nShrunk 1 time(s)\nGot ${cause}\n\nHint: Enable verbose mode`;
    expect(verdictOf(property("AssertionError: expected +0 to be -1"))).toEqual([
      { verdict: "fails", messages: ["AssertionError: expected +0 to be -1"] },
    ]);
    expect(verdictOf(property('error: promise rejected "io" instead of resolving'))).toMatchObject([
      { verdict: "fails" },
    ]);
    expect(verdictOf(property("TypeError: x is not a function"))).toMatchObject([{ verdict: "breaks" }]);
    expect(verdictOf("Error: Property failed after 1 tests\nCounterexample: [0]")).toMatchObject([
      { verdict: "breaks" },
    ]);
  });
});

describe("a row that is compared with a package", () => {
  const evidence = failed("42: it holds", "AssertionError: expected 1 to be 2");
  const passed = { title: "42: it holds too", status: "passed", failureMessages: [] };
  const skipped = { title: "museum 42: it waits", status: "skipped", failureMessages: [] };
  const problemsOf = (...tests: object[]) =>
    rowProblems(42, judgeReport({ testResults: [file(...tests)] }, [42]));

  it("is shown to fail where each of its tests is evidence, whatever the tests of other rows do", () => {
    expect(problemsOf(evidence, { ...passed, title: "43: another" })).toEqual([]);
  });

  it("is not shown where a test passes, breaks or does not run, or where there is none", () => {
    expect(problemsOf()).toEqual(["row 42 has no test that could be run"]);
    expect(problemsOf(evidence, passed, skipped, failed("42: it runs", "TypeError: no\n    at x"))).toEqual([
      "“42: it holds too” passes there",
      "“museum 42: it waits” did not run there",
      "“42: it runs” fails for a reason that is not the package's: TypeError: no",
    ]);
  });

  it("is not shown by a file that cannot be collected, which is told", () => {
    const uncollected = { ...file(), message: "Cannot find module 'palimpsest/nothing'\nRequire stack:" };
    expect(judgeReport({ testResults: [uncollected] }, [42])).toEqual({
      tests: [],
      uncollected: [{ path: uncollected.name, message: "Cannot find module 'palimpsest/nothing'" }],
    });
  });
});

describe("the package's own name in tests", () => {
  it("leads to what its exports name, and only that", () => {
    const exports = { ".": { default: "./dist/index.js" }, "./a/b.c": "./dist/x/index.js" };
    const [main, sub] = packageAliases({ name: "thing", exports }, (target: string) => `/there/${target}`);
    expect(main?.replacement).toBe("/there/./dist/index.js");
    expect(sub?.replacement).toBe("/there/./dist/x/index.js");
    const names = ["thing", "thing/a/b.c", "thing/a/bxc", "thing/a", "something"];
    expect(names.filter((name) => main?.find.test(name))).toEqual(["thing"]);
    expect(names.filter((name) => sub?.find.test(name))).toEqual(["thing/a/b.c"]);
  });

  it("means the source, for types as well", () => {
    const sources = packages.flatMap((folder) => {
      const { name, exports } = readJson(`packages/${folder}/package.json`);
      const targets = Object.entries<string | { default: string }>(exports);
      return targets.flatMap(([subpath, target]) =>
        typeof target === "string"
          ? []
          : [
              [
                `${name}${subpath.slice(1)}`,
                `packages/${folder}/${sourceOf(folder, target.default).slice(2)}`,
              ],
            ],
      );
    });
    expect(sources.filter(([, path = ""]) => !existsSync(join(root, path)))).toEqual([]);
    expect(readJson("tsconfig.json").compilerOptions.paths).toEqual(
      Object.fromEntries(sources.map(([name = "", path = ""]) => [name, [`./${path}`]])),
    );
  });
});
