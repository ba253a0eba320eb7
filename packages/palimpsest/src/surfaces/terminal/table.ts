import { formatCount } from "./format-amount.ts";
import { cutText, padText, textWidth } from "./text-width.ts";
import { breakText, wrapSpans } from "./wrap-text.ts";

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

/** Lines of at most `width` columns; cells are cut, and wrapped only where the columns have no room beside each other. */
export function renderTable(options: TableOptions): readonly string[] {
  return tableRows(options).flat();
}

/** The lines of the header, then those of each row. */
export function tableRows({
  columns,
  rows,
  width,
  paintHeader,
}: TableOptions): readonly (readonly string[])[] {
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
  const header = columns.map((column) => ({ text: column.header, paint: paintHeader }));
  const isFlexible = columns.some((column) => column.isFlexible);
  if (taken + (isFlexible ? minFlexible : 0) > width)
    return [header, ...rows].map((cells) => stackedLines(cells, width));
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
  return [header, ...rows].map((cells) => [line(cells)]);
}

/** The first cell on lines of its own, the others below it. */
function stackedLines([first, ...others]: readonly Cell[], width: number): readonly string[] {
  const plain = (text: string) => text;
  const head = breakText(first?.text ?? "", width).map(first?.paint ?? plain);
  const shown = others.filter(({ text }) => text !== "");
  const spans = shown.flatMap(({ text, paint = plain }, index) => [
    ...(index === 0 ? [] : [{ text: gap, paint: plain }]),
    { text, paint },
  ]);
  const below = spans.length === 0 ? [] : wrapSpans(spans, Math.max(1, width - gap.length));
  return [...head, ...below.map((line) => gap + line)];
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
