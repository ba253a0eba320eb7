import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import { textWidth } from "../../terminal/text-width.ts";
import { markdownLines } from "./markdown-lines.ts";

const look = { columns: 30, style: createStyle(false) };

describe("markdownLines", () => {
  it("draws headings, lists, quotes, code and tables", () => {
    const markdown = [
      "# Head",
      "- one **bold** item that is longer than a line",
      "2. two",
      "> said",
      "```ts",
      "const a = `1`;",
      "```",
      "| a | long |",
      "|---|---|",
      "| 1 | 2 |",
      "see [here](http://x)",
    ].join("\n");
    expect(markdownLines(markdown, look)).toEqual([
      "Head",
      "• one bold item that is longer",
      "  than a line",
      "2. two",
      "│ said",
      "  const a = `1`;",
      "a  long",
      "1  2",
      "see here (http://x)",
    ]);
  });

  it("never draws a line wider than there is room for, nor a control", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.integer({ min: 12, max: 60 }),
        (text, columns) => {
          for (const line of markdownLines(text, { ...look, columns })) {
            expect(textWidth(line)).toBeLessThanOrEqual(columns);
            expect(line).not.toMatch(/\p{Cc}/u);
          }
        },
      ),
    );
  });
});
