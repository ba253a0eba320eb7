import { describe, expect, it } from "vitest";
import { estimatedTokens } from "./prompt-content.ts";
import { createSeenFile } from "./seen-files.ts";

const tokensOf = (text: string) => estimatedTokens({ type: "text", text });
const numbered = (lines: readonly string[], from = 1) =>
  lines.map((line, at) => `${String(from + at).padStart(6)}→${line}`).join("\n");
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line number ${100 + at};`);

describe("a file as a recording shows it", () => {
  it("has the size of what was written, plain and with line numbers", () => {
    const file = createSeenFile();
    file.write(lines(10).join("\n"));
    expect(file.sizes(0)).toEqual({
      plain: tokensOf(lines(10).join("\n")),
      numbered: tokensOf(numbered(lines(10))),
    });
  });

  it("is as long as searches have shown it to be while its end was not seen", () => {
    const file = createSeenFile();
    file.show(numbered(lines(10), 11), 10);
    const seen = file.sizes(0);
    expect(seen.plain).toBeCloseTo(2 * tokensOf(lines(10).join("\n")));
    expect(file.sizes(40).plain).toBeCloseTo(2 * seen.plain);
    file.show(numbered(["the end"], 21), 10);
    expect(file.sizes(40).plain).toBeLessThan(1.2 * seen.plain);
  });

  it("follows edits that it can find, once or everywhere, and leaves others", () => {
    const file = createSeenFile();
    const other = createSeenFile();
    file.show(numbered(["one", "two", "two"]), 2_000);
    file.edit("two", "three\nfour", true);
    file.edit("absent", "x", false);
    file.edit("one", "zero", false);
    other.write("zero\nthree\nfour\nthree\nfour");
    expect(file.sizes(0)).toEqual(other.sizes(0));
  });

  it("takes nothing from text without line numbers, nor from numbers beyond reason", () => {
    const file = createSeenFile();
    file.show("File does not exist.", 2_000);
    file.show("999999999→x", 2_000);
    expect(file.sizes(0)).toEqual({ plain: 0, numbered: 0 });
  });
});
