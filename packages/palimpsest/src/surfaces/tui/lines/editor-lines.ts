import { breakText } from "../../cli/config/wrap-text.ts";
import { cutText, textWidth } from "../../cli/fit-text.ts";
import type { Editor } from "../state/editor.ts";
import type { Look } from "./look.ts";
import { shownText } from "./shown-text.ts";

/** Lines with a cursor in them: columns and rows from 0. */
export interface CursorLines {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
}

export interface EditorFrame {
  /** Before the first line; the others are indented as far. */
  readonly mark: string;
  readonly maxRows: number;
  /** Shown while nothing is written. */
  readonly hint?: string;
}

/** Text that is being written, as much of it around the cursor as there is room for. */
export function editorLines(
  { text, cursor }: Editor,
  { mark, maxRows, hint = "" }: EditorFrame,
  { columns, style }: Pick<Look, "columns" | "style">,
): CursorLines {
  const indent = textWidth(mark);
  // One column stays free for the cursor behind the last character.
  const width = Math.max(2, columns - indent - 1);
  const lines: string[] = [];
  let place = { x: indent, y: 0 };
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (cursor >= start && cursor <= end) place = placeIn(line, cursor - start, width, lines.length, indent);
    lines.push(...breakText(shownText(line), width));
    start = end + 1;
  }
  const from = Math.max(0, Math.min(place.y - maxRows + 1, lines.length - maxRows));
  const shown = lines
    .slice(from, from + maxRows)
    .map((line, at) => (from + at === 0 ? mark : " ".repeat(indent)) + line);
  const isEmpty = text === "" && hint !== "";
  return {
    lines: isEmpty ? [mark + style.dim(cutText(hint, width))] : shown,
    cursor: { x: place.x, y: place.y - from },
  };
}

function placeIn(line: string, offset: number, width: number, rows: number, indent: number) {
  const before = breakText(shownText(line.slice(0, offset)), width);
  const last = before.at(-1) ?? "";
  return { x: indent + textWidth(last), y: rows + before.length - 1 };
}
