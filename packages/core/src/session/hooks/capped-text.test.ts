import { describe, expect, it } from "vitest";
import { createCappedText } from "./run-command.ts";

describe("createCappedText", () => {
  it("keeps what fits, of chunks of any size, and nothing of the buffers they came in", () => {
    const text = createCappedText(10);
    const buffer = Buffer.from("abcdef");
    text.add(buffer);
    buffer.fill("x");
    expect({ text: text.text(), isCut: text.isCut() }).toEqual({ text: "abcdef", isCut: false });
    for (let count = 0; count < 1000; count += 1) text.add(Buffer.from("ghijkl"));
    expect({ text: text.text(), isCut: text.isCut() }).toEqual({ text: "abcdefghij", isCut: true });
  });

  it("is not cut by exactly as much as fits", () => {
    const text = createCappedText(3);
    text.add(Buffer.from("abc"));
    text.add(Buffer.from(""));
    expect({ text: text.text(), isCut: text.isCut() }).toEqual({ text: "abc", isCut: false });
  });

  it("reads a character that was cut apart, and half of one", () => {
    const text = createCappedText(5);
    for (const byte of Buffer.from("é€é")) text.add(Uint8Array.of(byte));
    expect(text.text()).toBe("é€");
    const half = createCappedText(4);
    half.add(Buffer.from("é€"));
    expect(half.text()).toBe("é\ufffd");
  });
});
