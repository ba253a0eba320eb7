import { firstChars } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";
import type { TextEncoding } from "../reading/text-encoding.ts";
import type { FileChange } from "../writing/change-file.ts";
import { applyEdit, type TextEdit } from "./apply-edit.ts";
import { type EditableText, editableText, type Location } from "./find-locations.ts";

/** Applies edits in their order, each to what the one before left: all of them or none. */
export function applyEdits(
  bytes: Uint8Array,
  encoding: TextEncoding,
  edits: readonly TextEdit[],
  givenPath: string,
): Result<FileChange> {
  const text = editableText(bytes, encoding);
  let units = text.units;
  let positions = 0;
  let last: Location = { start: 0, end: 0 };
  for (const [index, edit] of edits.entries()) {
    const applied = applyEdit(text, units, edit);
    if (!applied.ok)
      return edits.length === 1 ? applied : inEdit(index, applied.error.message, applied.error.fix);
    units = applied.value.units;
    positions += applied.value.changes.length;
    last = applied.value.changes[0] ?? last;
  }
  const count = positions === 1 ? "one place" : `${positions} places`;
  const which = edits.length > 1 ? "; around the last edit:" : positions > 1 ? "; around the first:" : ":";
  const report = `Edited ${showPath(givenPath)} in ${count}${which}\n${editSnippet(text, units, last)}`;
  return ok({ bytes: text.toBytes(units), report });
}

function inEdit(index: number, message: string, fix: string | undefined): Result<never> {
  const nothing = "No edit was applied: all of them are, or none.";
  return fail("invalid-input", `Edit ${index + 1}: ${message}`, { fix: fix ? `${fix} ${nothing}` : nothing });
}

const linesAround = 3;
const maxLines = 24;
const maxLineChars = 200;

/** The lines around a change, numbered as Read numbers them. */
function editSnippet(text: EditableText, units: string, change: Location): string {
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
