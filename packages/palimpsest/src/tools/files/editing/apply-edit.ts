import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { EditableText } from "./editable-text.ts";
import { findPlaces, maxPlaces, type Place, withoutOverlaps } from "./find-places.ts";
import { linesOfPlaces } from "./lines-of-places.ts";
import { nearMatchHint } from "./near-match-hint.ts";
import { replacementAt } from "./replacement-at.ts";

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export interface AppliedEdit {
  readonly units: string;
  /** What is new in it, in its units. */
  readonly changes: readonly Place[];
}

/** Replaces one text by another, at its only place or at all of them. Nothing else changes by a byte. */
export function applyEdit(text: EditableText, units: string, edit: TextEdit): Result<AppliedEdit> {
  if (edit.old_string === "") {
    return fail("invalid-input", "old_string is empty.", {
      fix: "Give the text to replace; to make a new file or replace a whole one, use Write.",
    });
  }
  if (edit.old_string === edit.new_string) {
    return fail("invalid-input", "old_string and new_string are the same.", {
      fix: "Give the text as it should be as new_string.",
    });
  }
  const wanted = text.toUnits(edit.old_string);
  const found = findPlaces(units, wanted);
  const refused = refuse(text, units, found.places, edit);
  if (refused) return refused;
  const fresh = text.toUnits(edit.new_string);
  const changes: Place[] = [];
  let changed = "";
  let copied = 0;
  for (const place of withoutOverlaps(found.places)) {
    const change = replacementAt(units, found, place, wanted, fresh);
    changed += units.slice(copied, change.start);
    changes.push({ start: changed.length, end: changed.length + change.units.length });
    changed += change.units;
    copied = change.end;
  }
  return ok({ units: changed + units.slice(copied), changes });
}

function refuse(
  text: EditableText,
  units: string,
  places: readonly Place[],
  { old_string, replace_all }: TextEdit,
): Result<never> | undefined {
  if (places.length === 0) {
    return fail(
      "not-found",
      `old_string is not in the file. ${nearMatchHint(text.toText(units), old_string)}`,
    );
  }
  if (places.length > maxPlaces) {
    return fail("too-large", `old_string stands in more than ${maxPlaces} places.`, {
      fix: "Use a longer old_string, or change the file with a program in Bash.",
    });
  }
  if (places.length === 1 || replace_all) return undefined;
  return fail(
    "invalid-input",
    `old_string stands in ${places.length} places (${linesOfPlaces(units, places)}), and must be unique.`,
    { fix: "Add lines before or behind to say which one, or set replace_all to change all of them." },
  );
}
