import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHarmlessStream, toHarmlessText } from "./tool-line.ts";

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\r",
      "\n",
      "\t",
      "\u001b",
      "[31m",
      "\u009b",
      "\ud83d",
      "\ude00",
      "\u202e",
      "\u200d",
      "\u2028",
    ),
    fc.string({ unit: "binary", maxLength: 2 }),
  ),
});

describe("text of several lines for a terminal", () => {
  it("keeps lines and tabs, and shows what would move the cursor", () => {
    const text = "a\tb\r\nc\rd\u001b[2J\u007f\u0085\u009b \u202eabc\u2028 👩‍💻";
    expect(toHarmlessText(text, "screen")).toBe("a\tb\nc␍d␛[2J␡\\x85\\x9b \\u202eabc\\u2028 👩‍💻");
    expect(toHarmlessText(text, "pipe")).toBe("a\tb\nc␍d␛[2J␡\\x85\\x9b \u202eabc\u2028 👩‍💻");
  });

  it("has no control in it, and says the same in pieces as in one", () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
        const stream = createHarmlessStream("screen");
        const positions = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b),
          text.length,
        ];
        const pieces = positions.slice(1).map((end, index) => text.slice(positions[index], end));
        const shown = pieces.map(stream.push).join("") + stream.end();
        expect(shown).toBe(toHarmlessText(text, "screen"));
        expect(shown).not.toMatch(/(?![\n\t])\p{Cc}|\u202e|\p{Cs}/u);
      }),
    );
  });
});
