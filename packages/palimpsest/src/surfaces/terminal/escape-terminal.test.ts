import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nastyText } from "../../../../../test/support/entries.ts";
import { createHarmlessStream, escapeTerminal, toHarmlessText, toJson } from "./escape-terminal.ts";

describe("escapeTerminal", () => {
  it("shows controls, direction changes and invisible marks instead of sending them", () => {
    expect(escapeTerminal("a\u001b[31mb\u0007\u009b1m\u007f")).toBe("a␛[31mb␇\\x9b1m␡");
    expect(escapeTerminal("safe\u202egpj.exe\u2066 \u{e0041}")).toBe("safe\\u202egpj.exe\\u2066 \\u{e0041}");
    expect(escapeTerminal("two\nlines\tand\r\nmore")).toBe("two lines and more");
    expect(escapeTerminal("half \ud800 a pair")).toBe("half \\ud800 a pair");
  });

  it("leaves what people write: scripts, emoji, joiners", () => {
    for (const text of ["日本語", "नमस्ते", "می‌خواهم", "👩‍👩‍👧", "naïve café"])
      expect(escapeTerminal(text)).toBe(text);
  });

  it("never lets a control through", () => {
    fc.assert(fc.property(nastyText, (text) => !/[\p{Cc}\u202e\u2028]/u.test(escapeTerminal(text))));
  });
});

describe("toJson", () => {
  it("is the same value, and nothing in it can move a cursor", () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const json = toJson({ text });
        expect(JSON.parse(json)).toEqual({ text });
        expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
      }),
    );
  });
});

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
