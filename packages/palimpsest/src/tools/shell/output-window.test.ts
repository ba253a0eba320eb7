import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputWindow } from "./output-window.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a window on output", () => {
  it("puts characters together whose bytes came in pieces, of two streams at once", () => {
    const window = createOutputWindow();
    const [first, ...rest] = bytesOf("é");
    window.add(Uint8Array.of(first as number), "stdout");
    window.add(bytesOf("!"), "stderr");
    window.add(Uint8Array.from(rest), "stdout");
    expect(window.take()).toBe("!é");
  });

  it("gives a mark for a character that never came whole", () => {
    const window = createOutputWindow();
    window.add(bytesOf("é").subarray(0, 1), "stdout");
    expect(window.take()).toBe("\ufffd");
    expect(window.take()).toBe("");
  });

  it("says the newest line that is not empty", () => {
    const window = createOutputWindow({ headChars: 4, tailChars: 20 });
    expect(window.lastLine()).toBe("");
    window.add(bytesOf("10 %\r20 %\r\n\n"), "stdout");
    expect(window.lastLine()).toBe("20 %");
  });

  it("keeps beginning and end, counts the rest, and splits no code point, however it comes", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    fc.assert(
      fc.property(
        text,
        fc.nat(30),
        fc.nat(30),
        fc.integer({ min: 1, max: 9 }),
        (whole, headChars, tailChars, step) => {
          const window = createOutputWindow({ headChars, tailChars });
          const bytes = bytesOf(whole);
          for (let at = 0; at < bytes.length; at += step) window.add(bytes.subarray(at, at + step), "stdout");
          const shown = window.take();
          expect(shown.isWellFormed()).toBe(true);
          const gap = /\n\[… (\d+) characters left out here …\]\n/.exec(shown);
          if (gap === null) {
            expect(shown).toBe(whole);
            return;
          }
          const head = shown.slice(0, gap.index);
          const tail = shown.slice(gap.index + gap[0].length);
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          expect(head.length + Number(gap[1]) + tail.length).toBe(whole.length);
          expect(head.length <= headChars && tail.length <= tailChars).toBe(true);
        },
      ),
    );
  });
});
