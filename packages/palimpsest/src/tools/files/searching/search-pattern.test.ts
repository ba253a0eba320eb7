import { describe, expect, it } from "vitest";
import { readPattern } from "./search-pattern.ts";

function matches(pattern: string, text: string, options: { i?: boolean; multiline?: boolean } = {}): boolean {
  const read = readPattern(pattern, {
    isCaseInsensitive: options.i ?? false,
    isMultiline: options.multiline ?? false,
  });
  if (!read.ok) throw read.error;
  const { source, flags } = read.value.javascript;
  return new RegExp(source, flags).test(text);
}

describe("patterns", () => {
  it.each([
    ["foo.*bar", "a foo and bar", true],
    ["^foo$", "foo", true],
    ["^foo$", "foo\r", true],
    ["^f..$", "fo\r", false],
    ["\\bfür\\b", "ist für alle", true],
    ["\\bfür\\b", "dafür", false],
    ["\\Bür", "für", true],
    ["\\w+", "é", true],
    ["^\\W$", "é", false],
    ["\\d", "٣", true],
    ["[^\\W\\d]", "7", false],
    ["[[:upper:]_]", "aB", true],
    ["[]x]", "]", true],
    ["[^]x]", "]", false],
    ["[a-]", "-", true],
    ["interface{}", "interface{}", true],
    ["a{2}b", "aab", true],
    ["x{", "x{", true],
    ["{3}", "{3}", true],
    ["a/b\\/c", "a/b/c", true],
    ['"x\\"', '"x"', true],
    ["(?i)FOO", "foo", true],
    ["(?P<name>a|b)+c", "abc", true],
    ["(?:a)(b)", "ab", true],
    ["a.c", "a🙂c", true],
    ["\\x41\\u{42}\\u0043", "ABC", true],
    ["\\p{Greek}\\p{Lu}\\PL", "αA1", true],
    ["a+?b*", "ab", true],
    ["&&", "a && b", true],
    ["]}", "]}", true],
  ] as const)("%s on %j: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it("match across lines only when asked to", () => {
    expect(matches("a.b", "a\nb", { multiline: true })).toBe(true);
    expect(matches("a\\nb$", "x\na\nb\r\nc", { multiline: true })).toBe(true);
    expect(matches("^b", "a\nb", { multiline: true })).toBe(true);
    expect(() => matches("a\\nb", "a\nb")).toThrow(/names a line end/);
    expect(() => matches("a\nb", "a\nb")).toThrow(/names a line end/);
    expect(() => matches("[\n]", "a\nb")).toThrow(/names a line end/);
  });

  it("ignore case by Unicode", () => {
    expect(matches("STRAẞE", "straße", { i: true })).toBe(true);
    expect(matches("[^Ä]", "ä", { i: true })).toBe(false);
  });

  it.each([
    ["", /it is empty/],
    ["x".repeat(2_001), /too long/],
    ["(a", /a \( is not closed/],
    ["a)", /a \) closes nothing/],
    ["[a", /a \[ is not closed/],
    ["*a", /\* repeats nothing/],
    ["a**", /\* repeats nothing/],
    ["(+)", /repeats nothing/],
    ["a{1001}", /too often/],
    ["a(?=b)", /\(\?=b is not supported: there is no look-around/],
    ["(?<!a)b", /not supported/],
    ["a(?i)b", /not supported/],
    ["(a)\\1", /refers back to a group/],
    ["\\Aa", /\\A is not known/],
    ["\\q", /\\q is not known/],
    ["a\\", /ends with a backslash/],
    ["\\xZZ", /code is wrong/],
    ["\\u{D800}", /code is wrong/],
    ["\\p{Nonsense}", /no known property/],
    ["[z-a]", /range in a class is wrong/],
    ["[a-\\d]", /range in a class is wrong/],
    ["[\\b]", /stands in a class/],
    ["[a[b]]", /class stands in a class/],
    ["[\\p{L}--]", /class stands in a class/],
  ])("refuse %j with what to do", (pattern, message) => {
    const read = readPattern(pattern, { isCaseInsensitive: false, isMultiline: false });
    expect(read.ok ? "" : read.error.message).toMatch(message);
    expect(read.ok ? "" : read.error.fix).toMatch(/\w/);
  });
});
