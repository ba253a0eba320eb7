import { shownText } from "../../terminal/escape-terminal.ts";
import type { Style } from "../../terminal/style.ts";
import { padText, textWidth } from "../../terminal/text-width.ts";
import { breakText, type Span, wrapSpans } from "../../terminal/wrap-text.ts";
import type { Look } from "./look.ts";

type MarkdownLook = Pick<Look, "columns" | "style">;

const inline =
  /(?<ticks>`+)(?<code>.+?)\k<ticks>(?!`)|\*\*(?<bold>.+?)\*\*|(?<![\w*])\*(?<italic>[^*\s][^*]*)\*(?![\w*])|\[(?<label>[^\]]+)\]\((?<address>[^)\s]+)\)/g;

/** Markdown as lines for a terminal; what is not finished yet is shown as far as it has come. */
export function markdownLines(markdown: string, look: MarkdownLook): readonly string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  let table: string[] = [];
  for (const line of shownText(markdown).replace(/\n+$/, "").split("\n")) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null && line.startsWith("|")) {
      table.push(line);
      continue;
    }
    lines.push(...tableLines(table, look));
    table = [];
    if (mark !== undefined && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length)))
      fence = fence === null ? mark : null;
    else lines.push(...(fence === null ? textLines(line, look) : codeLines(line, look)));
  }
  return [...lines, ...tableLines(table, look)];
}

function codeLines(line: string, { columns, style }: MarkdownLook): readonly string[] {
  return breakText(line, Math.max(1, columns - 2)).map((part) => `  ${style.cyan(part)}`);
}

function textLines(line: string, { columns, style }: MarkdownLook): readonly string[] {
  const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
  if (heading !== undefined) return wrapSpans(spansOf(heading, style, style.bold), columns);
  if (/^ {0,3}([-*_])(?: *\1){2,} *$/.test(line)) return [style.dim("─".repeat(Math.min(columns, 40)))];
  const [, quoted] = /^> ?(.*)$/.exec(line) ?? [];
  if (quoted !== undefined) return prefixedLines(style.dim("│ "), 2, quoted, { columns, style });
  const [, indent = "", mark, item = ""] = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
  if (mark !== undefined) {
    const shown = `${indent}${/\d/.test(mark) ? mark : "•"} `;
    return prefixedLines(shown, textWidth(shown), item, { columns, style });
  }
  return wrapSpans(spansOf(line, style), columns);
}

function prefixedLines(
  mark: string,
  width: number,
  text: string,
  { columns, style }: MarkdownLook,
): readonly string[] {
  const isQuote = mark.includes("│");
  return wrapSpans(spansOf(text, style), Math.max(1, columns - width)).map(
    (line, index) => (index === 0 || isQuote ? mark : " ".repeat(width)) + line,
  );
}

/** Where there is no colour, code keeps its marks. */
export function spansOf(text: string, style: Style, paint: Span["paint"] = (same) => same): readonly Span[] {
  const spans: Span[] = [];
  const isColoured = style.bold("x") !== "x";
  let at = 0;
  for (const match of text.matchAll(inline)) {
    if (match.index > at) spans.push({ text: text.slice(at, match.index), paint });
    const { ticks, code, bold, italic, label, address } = match.groups ?? {};
    if (code !== undefined)
      spans.push({ text: isColoured ? code : `${ticks}${code}${ticks}`, paint: style.cyan });
    else if (bold !== undefined) spans.push({ text: bold, paint: style.bold });
    else if (italic !== undefined) spans.push({ text: italic, paint });
    else spans.push({ text: label === address ? `${label}` : `${label} (${address})`, paint });
    at = match.index + match[0].length;
  }
  return at < text.length || spans.length === 0 ? [...spans, { text: text.slice(at), paint }] : spans;
}

const gap = "  ";

/** A Markdown table with its columns in line, where that fits; else as it was written. */
function tableLines(
  table: readonly string[],
  { columns, style }: Pick<Look, "columns" | "style">,
): readonly string[] {
  if (table.length === 0) return [];
  const rows = table.map(cellsOf).filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)));
  const count = Math.max(...rows.map((cells) => cells.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((cells) => textWidth(cells[at] ?? ""))),
  );
  const total = widths.reduce((sum, width) => sum + width + gap.length, 0);
  if (total > columns) return table.flatMap((line) => breakText(line, columns));
  return rows.map((cells, row) => {
    const line = widths
      .map((width, at) => padText(cells[at] ?? "", width))
      .join(gap)
      .trimEnd();
    return row === 0 && rows.length < table.length ? style.bold(line) : line;
  });
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\|/, "")
    .replace(/\|\s*$/, "")
    .split("|")
    .map((cell) => cell.trim());
}
