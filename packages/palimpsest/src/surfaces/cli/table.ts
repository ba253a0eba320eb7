import { createRequire } from "node:module";
import { formatCount } from "./format-amount.ts";

export interface Column {
  readonly header: string;
  readonly align?: "left" | "right";
  /** The last one only. Gets what the others leave; else its longest cell decides, up to `max`. */
  readonly isFlexible?: boolean;
  readonly max?: number;
}

export interface Cell {
  /** Already harmless, without colour. */
  readonly text: string;
  readonly paint?: (text: string) => string;
}

interface TableOptions {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly width: number;
  readonly paintHeader: (text: string) => string;
}

const gap = "  ";
const minFlexible = 10;

/** Lines of at most `width` columns; cells are cut, never wrapped. */
export function renderTable({ columns, rows, width, paintHeader }: TableOptions): readonly string[] {
  const widths = columns.map(({ header, isFlexible, max = Number.POSITIVE_INFINITY }, index) => {
    if (isFlexible) return 0;
    const cells = rows.map((row) => textWidth(row[index]?.text ?? ""));
    return Math.min(
      max,
      cells.reduce((widest, each) => Math.max(widest, each), textWidth(header)),
    );
  });
  const taken = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1));
  for (const [index, { isFlexible }] of columns.entries()) {
    if (isFlexible) widths[index] = Math.max(minFlexible, width - taken);
  }
  const line = (cells: readonly Cell[]) =>
    cells
      .map(({ text, paint = (plain: string) => plain }, index) => {
        const columnWidth = widths[index] ?? 0;
        const cut = cutText(text, columnWidth);
        const isLast = index === columns.length - 1;
        const padded =
          isLast && columns[index]?.align !== "right"
            ? cut
            : padText(cut, columnWidth, columns[index]?.align);
        return padded.replace(cut, () => paint(cut));
      })
      .join(gap)
      .trimEnd();
  const header = columns.map((column) => ({ text: column.header, paint: paintHeader }));
  return [header, ...rows].map(line);
}

interface FixedColumn {
  readonly header: string;
  readonly width: number;
  readonly align: "left" | "right";
}

interface FixedColumns {
  readonly header: string;
  toLine(cells: readonly string[]): string;
}

/** For lines that come one by one: no column waits for what it will have to hold. */
export function createFixedColumns(columns: readonly FixedColumn[]): FixedColumns {
  const toLine = (cells: readonly string[]) =>
    columns
      .map(({ width, align }, index) => padText(cutText(cells[index] ?? "", width), width, align))
      .join(" ")
      .trimEnd();
  return { header: toLine(columns.map(({ header }) => header)), toLine };
}

/** Empty where nothing was counted. */
export function toCountCell(count: number | undefined): string {
  return count === undefined ? "" : formatCount(count);
}

type StringWidth = typeof import("string-width");
const require = createRequire(import.meta.url);

/** Loaded for the first text that needs it: most commands show none, and its tables take longer than their work. */
let loaded: StringWidth["default"] | undefined;
function stringWidth(text: string): number {
  loaded ??= (require("string-width") as StringWidth).default;
  return loaded(text);
}

const ellipsis = "…";
/** One column each: most texts need no measuring. */
const plain = /^[\x20-\x7e…]*$/;

/** As much of the text as fits into that many columns, with an ellipsis where something is missing. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (plain.test(text)) return columns > 0 ? `${text.slice(0, columns - 1).trimEnd()}${ellipsis}` : "";
  let kept = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept.trimEnd()}${ellipsis}` : "";
}

export function padText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const padding = " ".repeat(Math.max(0, columns - textWidth(text)));
  return align === "left" ? text + padding : padding + text;
}

/** Columns a terminal needs for it. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}
