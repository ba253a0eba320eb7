import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { anyWidth, shownWords } from "../../../../../test/support/terminal-texts.ts";
import { createStyle } from "./style.ts";
import { breakText, wrapBehind, wrapLines, wrapSpans, wrapText } from "./wrap-text.ts";

const graphemes = new Intl.Segmenter();
const charactersOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** A line fits, or holds one character that is wider than it. */
function isWithin(line: string, columns: number): boolean {
  return stringWidth(line) <= columns || charactersOf(line).length === 1;
}

describe("wrapText", () => {
  it("breaks at spaces, and inside a word only where it is longer than a line", () => {
    expect(wrapText("a short line", 20)).toEqual(["a short line"]);
    expect(wrapText("one two three four", 9)).toEqual(["one two", "three", "four"]);
    expect(wrapText("see abcdefghijkl", 5)).toEqual(["see", "abcde", "fghij", "kl"]);
    expect(wrapText("漢字漢字", 5)).toEqual(["漢字", "漢字"]);
    expect(wrapText("", 5)).toEqual([""]);
    expect(wrapText("   ", 2)).toEqual([""]);
    expect(wrapText("a  b   c", 4)).toEqual(["a  b", "c"]);
  });

  it("leaves characters as they are: accents that stand alone, spaces of other scripts, families", () => {
    expect(wrapText("A\u030angstro\u0308m \u3000x", 8)).toEqual(["A\u030angstro\u0308m", "\u3000x"]);
    expect(wrapText("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5)).toEqual(["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]);
    expect(wrapText("漢字", 1)).toEqual(["漢", "字"]);
  });

  it("indents by the mark", () => {
    expect(wrapBehind("note: ", "one two three", 13)).toEqual(["note: one two", "      three"]);
    expect(wrapBehind("印 ", "one two", 6)).toEqual(["印 one", "   two"]);
  });

  it("loses nothing but spaces, fits, breaks no character, and leaves no blank at an end", () => {
    fc.assert(
      fc.property(shownWords, anyWidth, (text, columns) => {
        const lines = wrapText(text, columns);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        expect(lines.filter((line) => !isWithin(line, columns))).toEqual([]);
        expect(lines.filter((line) => line !== line.replace(/^ +| +$/g, ""))).toEqual([]);
        if (lines.length > 1) expect(lines).not.toContain("");
        const ends = new Set(Array.from(graphemes.segment(`${text}.`), ({ index }) => index));
        let at = 0;
        for (const line of lines) {
          at = text.indexOf(line, at) + line.length;
          expect(ends.has(at)).toBe(true);
        }
      }),
    );
  });

  it("takes no word into the next line that there was room for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 30 }),
        anyWidth,
        (words, columns) => {
          const lines = wrapText(words.join(" "), columns);
          for (const [index, line] of lines.slice(1).entries()) {
            const before = lines[index] ?? "";
            const [first = ""] = line.split(" ");
            expect(
              first.length > columns ||
                before.length + 1 + first.length > columns ||
                before.length === columns,
            ).toBe(true);
          }
        },
      ),
    );
  });
});

describe("wrapSpans", () => {
  const style = createStyle(true);

  it("breaks between words, not between colours", () => {
    const spans = [
      { text: "see ", paint: (same: string) => same },
      { text: "two words", paint: style.bold },
      { text: ", and more", paint: (same: string) => same },
    ];
    expect(wrapSpans(spans, 10)).toEqual([`see ${style.bold("two")}`, `${style.bold("words")}, and`, "more"]);
  });

  it("says what wrapText says, and every line ends what it begins", () => {
    const paints = [style.bold, style.red, (text: string) => style.bold(style.cyan(text))];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(shownWords, fc.constantFrom(...paints)), { maxLength: 5 }),
        anyWidth,
        (pieces, columns) => {
          const spans = pieces.map(([text, paint]) => ({ text, paint }));
          const lines = wrapSpans(spans, columns);
          expect(lines.map(stripVTControlCharacters)).toEqual(
            wrapText(spans.map(({ text }) => text).join(""), columns),
          );
          for (const line of lines) {
            const codes = [...line.matchAll(/\p{Cc}\[(\d+)m/gu)].map(([, code]) => Number(code));
            expect(codes.filter((code) => code === 22).length).toBe(
              codes.filter((code) => code === 1).length,
            );
            expect(codes.filter((code) => code === 39).length).toBe(
              codes.filter((code) => code === 31 || code === 36).length,
            );
          }
        },
      ),
    );
  });
});

describe("breakText", () => {
  it("keeps every character and fits", () => {
    fc.assert(
      fc.property(
        fc.oneof(shownWords, fc.string({ unit: "grapheme", maxLength: 60 })),
        anyWidth,
        (text, columns) => {
          const lines = breakText(text, columns);
          expect(lines.join("")).toBe(text);
          expect(lines.filter((line) => !isWithin(line, columns))).toEqual([]);
          expect(lines.flatMap(charactersOf)).toEqual(charactersOf(text));
        },
      ),
    );
  });

  it("breaks a character of more marks than anybody writes in no other place than others", () => {
    const tower = `a${"\u0301".repeat(5_000)}`;
    expect(breakText(tower + tower, 1)).toEqual([tower, tower]);
  });
});

describe("wrapLines", () => {
  const help =
    "Usage: palimpsest config\n\nA flag is set by its variable or under flags in a\nsettings file.\n\nOptions:\n  --set <name=value>  change a setting for this session\n";

  it("leaves a text that fits as it is", () => {
    expect(wrapLines(help, 80)).toBe(help);
  });

  it("lets paragraphs flow anew and indented lines go on below themselves, and breaks no word", () => {
    expect(wrapLines(help, 30)).toBe(
      [
        "Usage: palimpsest config",
        "",
        "A flag is set by its variable",
        "or under flags in a settings",
        "file.",
        "",
        "Options:",
        "  --set <name=value>  change",
        "    a setting for this session",
        "",
      ].join("\n"),
    );
  });
});
