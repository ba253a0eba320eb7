import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";
import type { TextEncoding } from "../reading/text-encoding.ts";
import type { Changed } from "../writing/change-file.ts";
import { applyEdit, type TextEdit } from "./apply-edit.ts";
import { editSnippet } from "./edit-snippet.ts";
import { editableText } from "./editable-text.ts";
import type { Place } from "./find-places.ts";

/** Applies edits in their order, each to what the one before left: all of them or none. */
export function applyEdits(
  bytes: Uint8Array,
  encoding: TextEncoding,
  edits: readonly TextEdit[],
  givenPath: string,
): Result<Changed> {
  const text = editableText(bytes, encoding);
  let units = text.units;
  let places = 0;
  let last: Place = { start: 0, end: 0 };
  for (const [index, edit] of edits.entries()) {
    const applied = applyEdit(text, units, edit);
    if (!applied.ok)
      return edits.length === 1 ? applied : inEdit(index, applied.error.message, applied.error.fix);
    units = applied.value.units;
    places += applied.value.changes.length;
    last = applied.value.changes[0] ?? last;
  }
  const count = places === 1 ? "one place" : `${places} places`;
  const which = edits.length > 1 ? "; around the last edit:" : places > 1 ? "; around the first:" : ":";
  const report = `Edited ${showPath(givenPath)} in ${count}${which}\n${editSnippet(text, units, last)}`;
  return ok({ bytes: text.toBytes(units), report });
}

function inEdit(index: number, message: string, fix: string | undefined): Result<never> {
  const nothing = "No edit was applied: all of them are, or none.";
  return fail("invalid-input", `Edit ${index + 1}: ${message}`, { fix: fix ? `${fix} ${nothing}` : nothing });
}
