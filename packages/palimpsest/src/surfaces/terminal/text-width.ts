import { libraryOf } from "./load-library.ts";

const stringWidth = libraryOf<typeof import("string-width")["default"]>("string-width");
const sliceAnsi = libraryOf<typeof import("slice-ansi")["default"]>("slice-ansi");

const escapeCode = "\u001b";
const ellipsis = "…";
/** With the ends of colours behind them, which stay behind the ellipsis too. */
const blanksAtEnd = /\s*((?:\p{Cc}\[[\d;]*m)*)$/u;
/** One column each: most texts need no measuring. */
const plain = /^[\x20-\x7e…]*$/;

/** Columns a terminal needs for it; colours need none. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : stringWidth()(text);
}

/** As much of the text as fits into that many columns, with an ellipsis where something is missing. Colours end with it. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return columns > 0 ? firstColumns(text, columns - 1).replace(blanksAtEnd, `${ellipsis}$1`) : "";
}

/** The same from the end, for paths without colours: the ellipsis stands in front. */
export function cutTextStart(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return columns > 0 ? ellipsis + lastColumns(text, columns - 1) : "";
}

export function padText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const padding = " ".repeat(Math.max(0, columns - textWidth(text)));
  return align === "left" ? text + padding : padding + text;
}

const graphemes = new Intl.Segmenter();

/** The characters of a text as people see them. */
export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment;
}

function firstColumns(text: string, columns: number): string {
  if (plain.test(text)) return text.slice(0, columns);
  if (text.includes(escapeCode)) return firstColouredColumns(text, columns);
  let kept = "";
  let width = 0;
  for (const character of charactersOf(text)) {
    width += textWidth(character);
    if (width > columns) break;
    kept += character;
  }
  return kept;
}

/**
 * slice-ansi takes in whole a wide character that begins in the last column, and counts some scripts otherwise than
 * string-width: what it gives is measured again. Text without colours is not given to it, since it looks for the
 * characters anew at each of them: a line of 1,000 wide ones takes it ten milliseconds.
 */
function firstColouredColumns(text: string, columns: number): string {
  for (let end = columns; end > 0; end -= 1) {
    const kept = sliceAnsi()(text, 0, end);
    if (textWidth(kept) <= columns) return kept;
  }
  return "";
}

function lastColumns(text: string, columns: number): string {
  let kept = "";
  let width = 0;
  for (const character of [...charactersOf(text)].reverse()) {
    width += textWidth(character);
    if (width > columns) break;
    kept = character + kept;
  }
  return kept;
}
