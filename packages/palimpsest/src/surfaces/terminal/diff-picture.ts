import type { DiffRow } from "./diff-lines.ts";
import { shownText } from "./escape-terminal.ts";
import { formatNumber } from "./format-amount.ts";
import type { Style } from "./style.ts";
import { cutText, padText } from "./text-width.ts";
import { breakSpans, type Span } from "./wrap-text.ts";

export interface DiffPictureOptions {
  /** Lines are never longer. */
  readonly columns: number;
  readonly style: Style;
  /** So many kept lines are shown around each change; the rest is one line. */
  readonly contextLines?: number;
}

/** On a narrower screen the numbers are left out. */
const numbersFrom = 30;

/** What became of a text, for a person: number, sign and line, long ones broken; the words that changed stand out. */
export function diffPicture(rows: readonly DiffRow[], options: DiffPictureOptions): readonly string[] {
  const { columns, style, contextLines = 3 } = options;
  const most = rows.reduce((last, row) => Math.max(last, numberOf(row)), 0);
  const numberColumns = columns < numbersFrom ? 0 : String(most).length + 1;
  return foldRows(rows, contextLines).flatMap((row) => {
    if (typeof row === "number")
      return [style.dim(cutText(`${" ".repeat(numberColumns)}⋯ ${formatNumber(row, "line")}`, columns))];
    return rowLines(row, numberColumns, columns, style);
  });
}

/** Of a line that is there no more, the one it had. */
function numberOf(row: DiffRow): number {
  return row.kind === "removed" ? row.before : row.after;
}

const signs = { kept: " ", removed: "-", added: "+" } as const;

function rowLines(row: DiffRow, numberColumns: number, columns: number, style: Style): readonly string[] {
  const paint = { kept: (text: string) => text, removed: style.red, added: style.green }[row.kind];
  const words = row.kind === "kept" ? undefined : row.words;
  const spans = (words ?? [{ text: row.text, isChanged: false }]).map(
    ({ text, isChanged }): Span => ({
      text: shownText(text),
      paint: isChanged ? (part) => style.bold(paint(part)) : paint,
    }),
  );
  const number = numberColumns === 0 ? "" : `${padText(String(numberOf(row)), numberColumns - 1, "right")} `;
  const sign = columns < 3 ? "" : `${signs[row.kind]} `;
  const room = Math.max(1, columns - number.length - sign.length);
  return breakSpans(spans, room).map((line, index) => {
    const head = index === 0 ? style.dim(number) + paint(sign) : " ".repeat(number.length + sign.length);
    return line === "" ? head.trimEnd() : head + line;
  });
}

/** The rows near changes, and for those left out between them how many they are. */
function foldRows(rows: readonly DiffRow[], contextLines: number): readonly (DiffRow | number)[] {
  const isShown = rows.map(() => false);
  for (const [at, { kind }] of rows.entries())
    if (kind !== "kept") isShown.fill(true, Math.max(0, at - contextLines), at + contextLines + 1);
  const folded: (DiffRow | number)[] = [];
  let hidden: DiffRow[] = [];
  const flush = () => {
    // A line that says that one is missing takes as much room as that one.
    if (hidden.length === 1) folded.push(...hidden);
    else if (hidden.length > 1) folded.push(hidden.length);
    hidden = [];
  };
  for (const [at, row] of rows.entries()) {
    if (isShown[at]) {
      flush();
      folded.push(row);
    } else hidden.push(row);
  }
  flush();
  return folded;
}
