import type { Accounting } from "@palimpsest/core/spec";
import { cellCounts } from "./cell-counts.ts";
import { fitLine } from "./fit-line.ts";
import { formatTokens, pictureDetails } from "./picture-details.ts";
import { emptyCell, type PicturePart, pictureParts } from "./picture-parts.ts";

export interface PictureOptions {
  /** Of the terminal; lines are never longer. From 80 on the legend stands beside the grid, below that under it. */
  readonly columns?: number;
  /** `plain` has letters instead of colours. */
  readonly style: "plain" | "colour";
}

const wideColumns = 80;
const minColumns = 30;
const gridRows = 10;
const gap = "   ";
const legendColumns = 38;
const tokensColumns = 10;
const percentColumns = 5;

/** The context as a picture: a headline, a grid of cells, a legend, and what is worth knowing about its parts. */
export function contextPicture(accounting: Accounting, options: PictureOptions): readonly string[] {
  const columns = Math.max(minColumns, options.columns ?? wideColumns);
  const isWide = columns >= wideColumns;
  const parts = pictureParts(accounting);
  const draw = (part: Pick<PicturePart, "plain" | "coloured">) =>
    options.style === "plain" ? part.plain : part.coloured;
  const cellsInRow = isWide ? 2 * gridRows : gridRows;
  const grid = gridLines(parts, cellsInRow, draw);
  const width = isWide ? legendColumns : Math.min(columns, legendColumns);
  const legend = parts.map((part) => legendLine(part, draw(part), width, accounting.window));
  const details = pictureDetails(accounting, columns);
  return [
    ...headlines(accounting).map((line) => fitLine(line, columns)),
    "",
    ...(isWide ? beside(grid, legend, cellsInRow) : [...grid, "", ...legend]),
    ...(details.length > 0 ? ["", ...details] : []),
  ].map((line) => line.trimEnd());
}

function headlines({ total, window }: Accounting): readonly string[] {
  const percent = window === 0 ? "" : ` (${Math.round((total / window) * 100)}%)`;
  const headline = `${formatTokens(total)} of ${formatTokens(window)} tokens${percent}`;
  return total > window ? [headline, `${formatTokens(total - window)} over the window`] : [headline];
}

function gridLines(
  parts: readonly PicturePart[],
  cellsInRow: number,
  draw: (part: Pick<PicturePart, "plain" | "coloured">) => string,
): readonly string[] {
  const counts = cellCounts(
    parts.map(({ tokens }) => tokens),
    cellsInRow * gridRows,
  );
  const drawn = parts.flatMap((part, index) => Array<string>(counts[index] ?? 0).fill(draw(part)));
  return Array.from({ length: gridRows }, (_, row) =>
    Array.from(
      { length: cellsInRow },
      (_, column) => drawn[row * cellsInRow + column] ?? draw(emptyCell),
    ).join(" "),
  );
}

function legendLine({ label, tokens }: PicturePart, cell: string, width: number, window: number): string {
  const text = fitLine(label, width - 2 - tokensColumns - percentColumns);
  const percent = window === 0 ? "" : percentOf(tokens, window);
  return `${cell} ${text}${formatTokens(tokens).padStart(tokensColumns)}${percent.padStart(percentColumns)}`;
}

function percentOf(tokens: number, window: number): string {
  const percent = Math.round((tokens / window) * 100);
  return percent === 0 && tokens > 0 ? "<1%" : `${percent}%`;
}

function beside(grid: readonly string[], legend: readonly string[], cellsInRow: number): readonly string[] {
  const blank = " ".repeat(2 * cellsInRow - 1);
  return Array.from(
    { length: Math.max(grid.length, legend.length) },
    (_, row) => `${grid[row] ?? blank}${gap}${legend[row] ?? ""}`,
  );
}
