import { breakText } from "../../cli/config/wrap-text.ts";
import { padText, textWidth } from "../../cli/fit-text.ts";
import type { Look } from "./look.ts";

const gap = "  ";

/** A Markdown table with its columns in line, where that fits; else as it was written. */
export function tableLines(
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
