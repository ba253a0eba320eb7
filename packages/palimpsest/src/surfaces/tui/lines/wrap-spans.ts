import { breakText } from "../../cli/config/wrap-text.ts";
import { textWidth } from "../../cli/fit-text.ts";

/** A piece of a line that is painted in one way. */
export interface Span {
  readonly text: string;
  readonly paint: (text: string) => string;
}

interface Word extends Span {
  readonly isSpaced: boolean;
}

/** Painted text on lines of at most so many columns, broken at spaces where that is possible. */
export function wrapSpans(spans: readonly Span[], columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const { text, paint, isSpaced } of wordsOf(spans, columns)) {
    const wide = textWidth(text);
    const gap = isSpaced && width > 0 ? 1 : 0;
    if (width > 0 && width + gap + wide > columns) {
      lines.push(line);
      line = "";
      width = 0;
    }
    const space = isSpaced && width > 0 ? " " : "";
    line += space + paint(text);
    width += space.length + wide;
  }
  return [...lines, line];
}

function wordsOf(spans: readonly Span[], columns: number): readonly Word[] {
  const words: Word[] = [];
  let isSpaced = false;
  for (const { text, paint } of spans) {
    for (const [index, piece] of text.split(" ").entries()) {
      if (index > 0) isSpaced = true;
      if (piece === "") continue;
      for (const [at, part] of breakText(piece, columns).entries())
        words.push({ text: part, paint, isSpaced: at === 0 && isSpaced });
      isSpaced = false;
    }
  }
  return words;
}
