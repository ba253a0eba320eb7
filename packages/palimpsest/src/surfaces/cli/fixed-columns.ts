import { cutText, padText } from "./fit-text.ts";
import { formatCount } from "./format-amount.ts";

export interface FixedColumn {
  readonly header: string;
  readonly width: number;
  readonly align: "left" | "right";
}

export interface FixedColumns {
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
