import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLinePage, type PageRequest, type PageView } from "./line-page.ts";

function pageOf(pieces: readonly string[], request: Partial<PageRequest> = {}): PageView {
  const page = createLinePage({
    offset: 1,
    limit: 1_000,
    column: 1,
    maxChars: 100_000,
    maxLineChars: 1_000,
    ...request,
  });
  for (const piece of pieces) page.push(piece);
  return page.end();
}

const text = fc
  .array(fc.constantFrom("a", "ü", "🙂", "\n", "\r\n", "\r", " "), { maxLength: 60 })
  .map((parts) => parts.join(""));

/** The lines of a text as everybody counts them. */
function linesOf(whole: string): readonly string[] {
  const lines = whole
    .split("\n")
    .map((line, at, all) => (at < all.length - 1 ? line.replace(/\r$/, "") : line));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

describe("a page of lines", () => {
  it("is the same however the text comes in pieces", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat({ max: 80 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        (whole, cuts, offset) => {
          const positions = [0, ...cuts.sort((a, b) => a - b), whole.length];
          const pieces = positions.slice(1).map((position, at) => whole.slice(positions[at], position));
          expect(pageOf(pieces, { offset })).toEqual(pageOf([whole], { offset }));
        },
      ),
    );
  });

  it("is followed by others that together show every line once", () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 30 }),
        (whole, limit, maxChars) => {
          const seen: string[] = [];
          for (let offset = 1; offset <= linesOf(whole).length; ) {
            const view = pageOf([whole], { offset, limit, maxChars });
            seen.push(view.text);
            offset = view.lastLine + 1;
          }
          expect(seen.join("\n")).toBe(
            linesOf(whole)
              .map((line, at) => `${at + 1}\t${line}`)
              .join("\n"),
          );
        },
      ),
    );
  });

  it("shows a line whole when it is read on column by column", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 9 }), (whole, maxLineChars) => {
        const line = whole.replaceAll(/[\r\n]/g, "x");
        fc.pre(line !== "");
        let column = 1;
        let seen = "";
        for (let more: RegExpExecArray | null | undefined; more !== null; column = Number(more?.[1] ?? 0)) {
          const shown = pageOf([line], { column, maxLineChars }).text.slice(2);
          more = /… \[\d+ more characters in this line: read it again with column (\d+)\]$/.exec(shown);
          seen += more ? shown.slice(0, more.index) : shown;
        }
        expect(seen).toBe(line);
      }),
    );
  });
});
