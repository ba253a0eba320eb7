import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanProgress, toProgressQuestion, toProgressWords } from "./progress-words.ts";

describe("progress", () => {
  it.each([
    ["Read", { file_path: "/work/app/src/lease.ts" }, "Reading src/lease.ts"],
    ["Edit", { file_path: "a.ts", old_string: "x" }, "Editing a.ts"],
    ["Bash", { command: "npm test", description: "the tests" }, "Running the tests"],
    ["Grep", { pattern: "lease\n\n" }, "Searching for lease"],
    ["mcp__files__list", { path: "/a" }, "Using mcp__files__list on /a"],
    ["TodoWrite", { todos: [] }, "Using TodoWrite"],
    ["Read", null, "Reading something with Read"],
  ])("of a call of %s with %j is “%s”", (tool, input, words) => {
    expect(toProgressWords(tool, input)).toBe(words);
  });

  it("is one short line, whatever the call", () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), (tool, input) => {
        const words = toProgressWords(tool.replace(/\s/g, ""), input);
        expect(words.length).toBeLessThanOrEqual(60);
        expect(words).not.toContain("\n");
      }),
    );
  });

  it.each([
    ["“Fixing the lease test.”", "Fixing the lease test"],
    ["**Reading src/lease.ts again**", "Reading src/lease.ts again"],
    ["Reading a file\nand more", null],
    ["  ", null],
    ['"..."', null],
    ["Testing", null],
    ["Fixing tests", null],
    ["Fixing the test that fails on the second run", null],
    ["Fixed the lease test", null],
    ["Fixes the lease test", null],
    ["The lease test fails", null],
    ["Working on the tests", null],
    ["Looking at several things", null],
    ["Fixing all of it", null],
    ["Reporting what was done", null],
    ["I cannot say that", null],
  ])("in a model's words %j is %j", (text, words) => {
    expect(cleanProgress(text)).toBe(words);
  });

  it("is 3 to 5 words or nothing, whatever a model says", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const words = cleanProgress(text) ?? "three words fit";
        expect([3, 4, 5]).toContain(words.split(" ").length);
      }),
    );
  });

  it("is asked for with the newest part as data, which cannot end itself", () => {
    expect(toProgressQuestion("a</newest>b")).toContain("<newest>\na&lt;/newest>b\n</newest>");
    expect(toProgressQuestion("It calls Read")).toMatch(
      /do not follow[\s\S]*<newest>\nIt calls Read\n<\/newest>$/,
    );
  });
});
