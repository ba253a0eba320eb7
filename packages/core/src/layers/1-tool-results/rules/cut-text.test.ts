import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, firstLines, lastLines } from "./fit-round.ts";

const text = fc
  .array(fc.oneof(fc.constantFrom("\n", "a", "é", "漢", "🙂", "\r\n"), fc.string({ unit: "binary" })))
  .map((parts) => parts.join("").toWellFormed());
const size = fc.nat({ max: 40 });

describe("firstLines", () => {
  it("is a beginning within the bytes that never ends inside a code point", () => {
    fc.assert(
      fc.property(text, size, (whole, maxBytes) => {
        const first = firstLines(whole, maxBytes);
        expect(whole.startsWith(first)).toBe(true);
        expect(first.isWellFormed()).toBe(true);
        expect(bytesOf(first)).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });

  it("ends at a line's end, unless the first line is too long by itself", () => {
    fc.assert(
      fc.property(text, size, (whole, maxBytes) => {
        const first = firstLines(whole, maxBytes);
        const rest = whole.slice(first.length);
        if (rest !== "" && !rest.startsWith("\n")) expect(first.indexOf("\n", 1)).toBe(-1);
      }),
    );
  });

  it.each([
    ["one\ntwo\nthree", 9, "one\ntwo"],
    ["one\ntwo\nthree", 7, "one\ntwo"],
    ["one\ntwo\nthree", 6, "one"],
    ["a long line", 6, "a long"],
    ["\na long line", 6, "\na lon"],
    ["🙂🙂", 7, "🙂"],
    ["all of it", 100, "all of it"],
    ["nothing", 0, ""],
  ])("of %j in %d bytes is %j", (whole, maxBytes, expected) => {
    expect(firstLines(whole, maxBytes)).toBe(expected);
  });
});

describe("lastLines", () => {
  it("is an end within the bytes that never begins inside a code point", () => {
    fc.assert(
      fc.property(text, size, (whole, maxBytes) => {
        const last = lastLines(whole, maxBytes);
        expect(whole.endsWith(last)).toBe(true);
        expect(last.isWellFormed()).toBe(true);
        expect(bytesOf(last)).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });

  it.each([
    ["one\ntwo\nthree", 9, "two\nthree"],
    ["one\ntwo\nthree", 7, "three"],
    ["a long line", 6, "g line"],
    ["🙂🙂", 7, "🙂"],
    ["all of it", 100, "all of it"],
    ["nothing", 0, ""],
  ])("of %j in %d bytes is %j", (whole, maxBytes, expected) => {
    expect(lastLines(whole, maxBytes)).toBe(expected);
  });
});
