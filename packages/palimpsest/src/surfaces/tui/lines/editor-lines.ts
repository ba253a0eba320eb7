import { firstChars } from "@palimpsest/core/internal";
import { escapeTerminal, shownText } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import { cutText, textWidth } from "../../terminal/text-width.ts";
import { breakText } from "../../terminal/wrap-text.ts";
import type { ScreenSize } from "../state/chat-state.ts";
import type { Editor } from "../state/editor.ts";
import type { Pager, TranscriptItem } from "../state/pager.ts";
import type { Look } from "./look.ts";

/** Lines with a cursor in them: columns and rows from 0. */
export interface CursorLines {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
}

interface EditorFrame {
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
  let location = { x: indent, y: 0 };
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (cursor >= start && cursor <= end)
      location = placeIn(line, cursor - start, width, lines.length, indent);
    lines.push(...breakText(shownText(line), width));
    start = end + 1;
  }
  const from = Math.max(0, Math.min(location.y - maxRows + 1, lines.length - maxRows));
  const shown = lines
    .slice(from, from + maxRows)
    .map((line, at) => (from + at === 0 ? mark : " ".repeat(indent)) + line);
  const isEmpty = text === "" && hint !== "";
  return {
    lines: isEmpty ? [mark + style.dim(cutText(hint, width))] : shown,
    cursor: { x: location.x, y: location.y - from },
  };
}

function placeIn(line: string, offset: number, width: number, rows: number, indent: number) {
  const before = breakText(shownText(line.slice(0, offset)), width);
  const last = before.at(-1) ?? "";
  return { x: indent + textWidth(last), y: rows + before.length - 1 };
}

/** A heading, what says which keys there are, and the line that Ink keeps free. */
const otherRows = 4;

/** More of one original than anybody reads here; “palimpsest sessions export” has all of it. */
const maxOpenedChars = 200_000;

const marks = {
  prompt: ">",
  answer: " ",
  thinking: "∴",
  call: "*",
  result: "│",
  notice: "+",
  decision: "✂",
} as const;

export function pagerPage({ rows }: ScreenSize): number {
  return Math.max(1, rows - otherRows);
}

/** The transcript: a line for each thing, or one thing whole. */
export function pagerLines(pager: Pager, look: Look, size: ScreenSize): readonly string[] {
  const { style, columns } = look;
  const page = pagerPage(size);
  const item = pager.items[pager.chosen];
  if (pager.opened && item) {
    const { scroll, text } = pager.opened;
    const lines = text === null ? ["…"] : openedLines(text, columns);
    const shown = lines.slice(scroll, scroll + page);
    const place = `lines ${scroll + 1}–${scroll + shown.length} of ${lines.length}`;
    return [
      style.bold(markedTitle(item, columns)),
      "",
      ...fillRows(shown, page),
      style.dim(cutText(`${place} · ↑ ↓ PageUp PageDown · Esc goes back`, columns)),
    ];
  }
  const hidden = pager.items.filter(({ hiddenBy }) => hiddenBy !== undefined).length;
  const from = Math.max(0, Math.min(pager.chosen - Math.floor(page / 2), pager.items.length - page));
  const shown = pager.items
    .slice(from, from + page)
    .map((each, at) => itemLine(each, from + at === pager.chosen, look));
  const count = `${formatNumber(pager.items.length, "thing")}, ${hidden} of them hidden from the model`;
  return [
    style.bold(cutText(`Transcript: ${count}`, columns)),
    "",
    ...fillRows(shown, page),
    style.dim(cutText("↑ ↓ PageUp PageDown Home End · Enter opens the original · Esc leaves", columns)),
  ];
}

function itemLine(item: TranscriptItem, isChosen: boolean, { style, columns }: Look): string {
  const line = `${isChosen ? "❯" : " "} ${markedTitle(item, columns - 2)}`;
  if (isChosen) return style.cyan(line);
  if (item.hiddenBy !== undefined) return style.yellow(line);
  return item.kind === "prompt" ? style.bold(line) : item.kind === "answer" ? line : style.dim(line);
}

/** The title gives way, and the mark stays. */
function markedTitle(item: TranscriptItem, columns: number): string {
  const mark = hiddenText(item);
  return cutText(titleOf(item), columns - mark.length) + mark;
}

const titleOf = ({ kind, title }: TranscriptItem) => `${marks[kind]} ${escapeTerminal(title)}`;
const hiddenText = ({ hiddenBy }: TranscriptItem) => (hiddenBy === undefined ? "" : `  [${hiddenBy}]`);

function fillRows(lines: readonly string[], rows: number): readonly string[] {
  return [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, () => "")];
}

export function pagerMaxScroll({ opened }: Pager, size: ScreenSize): number {
  if (!opened || opened.text === null) return 0;
  return Math.max(0, openedLines(opened.text, size.columns).length - pagerPage(size));
}

/** The same text is asked for at every key. */
let newest: { readonly text: string; readonly columns: number; readonly lines: readonly string[] } | null =
  null;

function openedLines(text: string, columns: number): readonly string[] {
  if (newest?.text === text && newest.columns === columns) return newest.lines;
  const shown = shownText(firstChars(text, maxOpenedChars));
  const lines = shown.split("\n").flatMap((line) => breakText(line, columns));
  const cut = text.length > maxOpenedChars ? ["… “palimpsest sessions export” has all of it"] : [];
  newest = { text, columns, lines: [...lines, ...cut] };
  return newest.lines;
}
