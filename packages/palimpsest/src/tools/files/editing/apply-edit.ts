import { firstChars } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import {
  type EditableText,
  findLocations,
  type Location,
  type Locations,
  maxLocations,
  withoutOverlaps,
} from "./find-locations.ts";

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export interface AppliedEdit {
  readonly units: string;
  /** The new parts of it, in its units. */
  readonly changes: readonly Location[];
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
  const found = findLocations(units, wanted);
  const refused = refuse(text, units, found.locations, edit);
  if (refused) return refused;
  const fresh = text.toUnits(edit.new_string);
  const changes: Location[] = [];
  let changed = "";
  let copied = 0;
  for (const location of withoutOverlaps(found.locations)) {
    const change = replacementAt(units, found, location, wanted, fresh);
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
  locations: readonly Location[],
  { old_string, replace_all }: TextEdit,
): Result<never> | undefined {
  if (locations.length === 0) {
    return fail(
      "not-found",
      `old_string is not in the file. ${nearMatchHint(text.toText(units), old_string)}`,
    );
  }
  if (locations.length > maxLocations) {
    return fail("too-large", `old_string stands in more than ${maxLocations} places.`, {
      fix: "Use a longer old_string, or change the file with a program in Bash.",
    });
  }
  if (locations.length === 1 || replace_all) return undefined;
  return fail(
    "invalid-input",
    `old_string stands in ${locations.length} places (${linesOfLocations(units, locations)}), and must be unique.`,
    { fix: "Add lines before or behind to say which one, or set replace_all to change all of them." },
  );
}

const maxNamed = 10;

/** “lines 3, 8 and 12”, for the model. */
function linesOfLocations(units: string, locations: readonly Location[]): string {
  let line = 1;
  let counted = 0;
  const lines = locations.slice(0, maxNamed).map(({ start }) => {
    for (let at = units.indexOf("\n", counted); at !== -1 && at < start; at = units.indexOf("\n", counted)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  });
  const more = locations.length > maxNamed ? `, and ${locations.length - maxNamed} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
}

/** A change of a file: the text and where it goes, in the file's units. */
interface UnitChange extends Location {
  readonly units: string;
}

/**
 * The smallest change that turns the old text at a place into the new one: what both begin and end with stays, its line
 * ends among it. New line ends are as those at the place.
 */
function replacementAt(
  file: string,
  found: Locations,
  location: Location,
  oldUnits: string,
  newUnits: string,
): UnitChange {
  if (!found.isFolded) return { ...location, units: newUnits };
  const newline = newlineAt(file, location);
  const oldFolded = oldUnits.replaceAll("\r\n", "\n");
  const newFolded = newline === "\r\n" ? newUnits.replaceAll("\r\n", "\n") : newUnits;
  if (newFolded.includes("\r")) return { ...location, units: newUnits };
  const shorter = Math.min(oldFolded.length, newFolded.length);
  let head = 0;
  while (head < shorter && oldFolded[head] === newFolded[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldFolded.at(-1 - tail) === newFolded.at(-1 - tail)) tail += 1;
  return {
    start: found.within(location, head),
    end: found.within(location, oldFolded.length - tail),
    units: newFolded.slice(head, newFolded.length - tail).replaceAll("\n", newline),
  };
}

/** The first line end inside the place, else the next one behind it, else the last one before it. */
function newlineAt(file: string, { start, end }: Location): "\n" | "\r\n" {
  const next = file.indexOf("\n", start);
  const at = next !== -1 ? next : file.lastIndexOf("\n", Math.max(0, end - 1));
  return at > 0 && file[at - 1] === "\r" ? "\r\n" : "\n";
}

/** A hint is worth a look at so many lines, not more. */
const maxLines = 200_000;
const maxShownChars = 160;

/** Why a text was probably not found, and what to do; for the model. */
function nearMatchHint(file: string, wanted: string): string {
  const lines = file.split(/\r?\n/, maxLines);
  const wantedLines = wanted.split(/\r?\n/);
  const unnumbered = wantedLines.map((line) => line.replace(/^ *\d+\t/, ""));
  if (unnumbered.every((line, at) => line !== wantedLines[at]) && file.includes(unnumbered.join("\n"))) {
    return "Leave out the line numbers and tabs that Read puts before the lines.";
  }
  const near = placeOfLines(lines.map(comparableLine), wantedLines.map(comparableLine));
  if (near === -1) return partialHint(lines, wantedLines);
  const last = near + wantedLines.length;
  const where = wantedLines.length === 1 ? `line ${last}` : `lines ${near + 1} to ${last}`;
  return `It stands in ${where} with other white space or quotation marks, the first of them: ${showLine(lines[near])} Read it and copy it exactly.`;
}

/** A line without everything that is easily mistaken. */
function comparableLine(line: string): string {
  return line
    .normalize("NFC")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, "");
}

/** A single line may be a part of one; of several, the first may begin and the last may end in the middle of one. */
function placeOfLines(lines: readonly string[], wanted: readonly string[]): number {
  if (wanted.every((line) => line === "")) return -1;
  const end = wanted.length - 1;
  return lines.findIndex((_, start) =>
    wanted.every((line, at) => {
      const there = lines[start + at];
      if (there === undefined) return false;
      if (end === 0) return there.includes(line);
      if (at === 0) return there.endsWith(line);
      return at === end ? there.startsWith(line) : there === line;
    }),
  );
}

function partialHint(lines: readonly string[], wanted: readonly string[]): string {
  const first = wanted.find((line) => line.trim() !== "");
  const skipped = first === undefined ? 0 : wanted.indexOf(first);
  const at =
    first === undefined
      ? -1
      : lines.findIndex((line) => comparableLine(line).includes(comparableLine(first)));
  if (at === -1)
    return "Nothing like its first line is there either: read the file again, and copy from that.";
  const differs = wanted.findIndex(
    (line, index) =>
      index > skipped && comparableLine(line) !== comparableLine(lines[at - skipped + index] ?? ""),
  );
  if (differs === -1) return `Its first line is like line ${at + 1}: read that part again, and copy from it.`;
  const position = at - skipped + differs;
  const there =
    position < lines.length ? `the file has there: ${showLine(lines[position])}` : "the file ends before.";
  return `Its first line is like line ${at + 1}, but line ${position + 1} differs; ${there} Read that part again, and copy from it.`;
}

function showLine(line = ""): string {
  const text = firstChars(line, maxShownChars);
  return JSON.stringify(text === line ? text : `${text}…`);
}
