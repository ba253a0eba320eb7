import { cutText, padText, textWidth } from "./fit-text.ts";

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

export interface TableOptions {
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
