import { libraryOf } from "./load-library.ts";
import { charactersOf, textWidth } from "./text-width.ts";

const wrapAnsi = libraryOf<typeof import("wrap-ansi")["default"]>("wrap-ansi");

/**
 * Lines of at most that many columns, broken at spaces; a word that is longer is broken where the line ends. No line
 * begins or ends with a space, and nothing else is lost. A character that is wider than a line has one to itself.
 */
export function wrapText(text: string, columns: number): readonly string[] {
  return lineRanges(text, columns).map(({ start, end }) => text.slice(start, end));
}

/** The same, behind a mark: the lines after the first are indented by its width. */
export function wrapBehind(mark: string, text: string, columns: number): readonly string[] {
  const width = textWidth(mark);
  const indent = " ".repeat(width);
  const lines = wrapText(text, Math.max(1, columns - width));
  return lines.map((line, index) => (index === 0 ? mark : indent) + line);
}

/**
 * A text of many lines, such as help, without a line that is too long: paragraphs flow anew, an indented line goes on below
 * itself, two columns further in.
 */
export function wrapLines(text: string, columns: number): string {
  const paragraphs: string[][] = [];
  for (const line of text.split("\n")) {
    const before = paragraphs.at(-1);
    const isFlowing = isPlainLine(line) && before !== undefined && isPlainLine(before.at(-1) ?? "");
    if (isFlowing) before.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs.flatMap((lines) => wrapParagraph(lines, columns)).join("\n");
}

/** Part of a paragraph: neither empty, nor indented, nor a title with what belongs to it below. */
function isPlainLine(line: string): boolean {
  return line !== "" && !line.startsWith(" ") && !/:(?:\p{Cc}\[\d+m)*$/u.test(line);
}

function wrapParagraph(lines: readonly string[], columns: number): readonly string[] {
  if (lines.every((line) => textWidth(line) <= columns)) return lines;
  const text = lines.join(" ");
  const indent = /^ */.exec(text)?.[0] ?? "";
  const below = indent === "" ? "" : `${indent}  `;
  return wrapText(text, Math.max(1, columns - below.length)).map(
    (line, index) => (index === 0 ? indent : below) + line,
  );
}

/** A piece of a text that is painted in one way. */
export interface Span {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** Painted text, wrapped as if it were one text: each line ends the colours that it begins. */
export function wrapSpans(spans: readonly Span[], columns: number): readonly string[] {
  return lineRanges(joinSpans(spans), columns).map((range) => paintRange(spans, range));
}

/** Painted text on lines that are broken anywhere. */
export function breakSpans(spans: readonly Span[], columns: number): readonly string[] {
  let start = 0;
  return breakText(joinSpans(spans), columns).map((piece) => {
    const end = start + piece.length;
    const line = paintRange(spans, { start, end });
    start = end;
    return line;
  });
}

const joinSpans = (spans: readonly Span[]) => spans.map(({ text }) => text).join("");

function paintRange(spans: readonly Span[], { start, end }: Range): string {
  let at = 0;
  let line = "";
  for (const { text, paint } of spans) {
    const piece = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (piece !== "") line += paint(piece);
    at += text.length;
  }
  return line;
}

/**
 * Lines of at most that many columns, broken anywhere between two characters, with every character in them. For text
 * without colours.
 */
export function breakText(text: string, columns: number): readonly string[] {
  if (textWidth(text) <= columns) return [text];
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const character of charactersOf(text)) {
    const wide = textWidth(character);
    if (piece !== "" && width + wide > columns) {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += character;
    width += wide;
  }
  return [...pieces, piece];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Word extends Range {
  readonly width: number;
}

/**
 * Where lines begin and end. wrap-ansi decides by the widths of words alone: of the words themselves it would compose
 * accents and take off spaces of other scripts.
 */
function lineRanges(text: string, columns: number): readonly Range[] {
  const [start, end] = withoutSpaces(text);
  if (textWidth(text.slice(start, end)) <= columns) return [{ start, end }];
  const words = wordsOf(text, { start, end }, columns);
  const lines = wrapAnsi()(words.map(({ width }) => "x".repeat(width)).join(" "), columns).split("\n");
  let at = 0;
  return lines.map((line, index) => {
    while (index > 0 && words[at]?.width === 0) at += 1;
    const first = words[at];
    at += line.split(" ").length;
    return { start: first?.start ?? end, end: words[at - 1]?.end ?? end };
  });
}

function withoutSpaces(text: string): readonly [start: number, end: number] {
  let start = 0;
  let end = text.length;
  while (text[start] === " ") start += 1;
  while (end > start && text[end - 1] === " ") end -= 1;
  return [start, end];
}

/** The words of a text that neither begins nor ends with a space, too long ones in pieces. Two spaces have an empty word between them. */
function wordsOf(text: string, { start, end }: Range, columns: number): readonly Word[] {
  const words: Word[] = [];
  let at = start;
  for (const word of text.slice(start, end).split(separator)) {
    for (const part of breakText(word, columns)) {
      words.push({ start: at, end: at + part.length, width: textWidth(part) });
      at += part.length;
    }
    at += 1;
  }
  return words;
}

/** A space that an accent or a joiner stands on is no place to break. */
const separator = / (?![\p{M}\p{Cf}\p{DI}])/u;
