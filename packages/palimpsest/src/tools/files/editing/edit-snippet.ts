import { firstChars } from "@palimpsest/core/internal";
import type { EditableText } from "./editable-text.ts";
import type { Place } from "./find-places.ts";

const linesAround = 3;
const maxLines = 24;
const maxLineChars = 200;

/** The lines around a change, numbered as Read numbers them. */
export function editSnippet(text: EditableText, units: string, change: Place): string {
  const start = lineStartBefore(units, change.start, linesAround);
  const firstLine = 1 + countNewlines(units, start);
  const lines = units.slice(start, lineEndBehind(units, change.end, linesAround)).split("\n");
  const shown = lines.slice(0, maxLines).map((line, at) => {
    const whole = text.toText(line.endsWith("\r") ? line.slice(0, -1) : line);
    const cut = firstChars(whole, maxLineChars);
    return `${firstLine + at}\t${cut === whole ? whole : `${cut}…`}`;
  });
  if (lines.length > maxLines) shown.push(`[${lines.length - maxLines} more lines]`);
  return shown.join("\n");
}

function lineStartBefore(units: string, position: number, lines: number): number {
  let start = units.lastIndexOf("\n", position - 1) + 1;
  if (position === 0) return 0;
  for (let left = lines; left > 0 && start > 0; left -= 1) {
    start = start === 1 ? 0 : units.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

/** Without the last line's end. */
function lineEndBehind(units: string, position: number, lines: number): number {
  let end = units.indexOf("\n", position);
  for (let left = lines; left > 0 && end !== -1 && end < units.length - 1; left -= 1) {
    end = units.indexOf("\n", end + 1);
  }
  return end === -1 ? units.length : end;
}

function countNewlines(units: string, end: number): number {
  let count = 0;
  for (let at = units.indexOf("\n"); at !== -1 && at < end; at = units.indexOf("\n", at + 1)) count += 1;
  return count;
}
