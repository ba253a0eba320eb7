import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTruncated } from "./parse-line.ts";

describe("parseTruncated", () => {
  it.each([
    ['{"a":1,"b":"cu', { a: 1 }],
    ['{"a":{"b":[1,{"c":"\\"}]', { a: { b: [1, {}] } }],
    ["[", []],
    ['  [{"role":"user"},{"ro', [{ role: "user" }, {}]],
  ])("keeps what stands whole before the cut in %s", (text, value) => {
    expect(parseTruncated(text)).toEqual({ value });
  });

  it.each(["", "text", "12", '"[', '{"a":1]', '{"a":\n{"b":1}{"c"', '["raw\nnewline",'])(
    "refuses %j",
    (text) => {
      expect(parseTruncated(text)).toBeUndefined();
    },
  );

  it("reads a whole value with anything behind it, and says where it ends", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.string(), fc.nat(3), (value, behind, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseTruncated(text + behind)).toEqual({ value: JSON.parse(text), end: text.length });
      }),
    );
  });

  it("finds something in every beginning of a value", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        expect(parseTruncated(text.slice(0, 1 + (cut % text.length)))).toBeDefined();
      }),
    );
  });
});
