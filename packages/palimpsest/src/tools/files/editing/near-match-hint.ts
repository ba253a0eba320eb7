import { firstChars } from "@palimpsest/core/internal";

/** A hint is worth a look at so many lines, not more. */
const maxLines = 200_000;
const maxShownChars = 160;

/** Why a text was probably not found, and what to do; for the model. */
export function nearMatchHint(file: string, wanted: string): string {
  const lines = file.split(/\r?\n/, maxLines);
  const wantedLines = wanted.split(/\r?\n/);
  const unnumbered = wantedLines.map((line) => line.replace(/^ *\d+\t/, ""));
  if (unnumbered.every((line, at) => line !== wantedLines[at]) && file.includes(unnumbered.join("\n"))) {
    return "Leave out the line numbers and tabs that Read puts before the lines.";
  }
  const near = placeOfLines(lines.map(essence), wantedLines.map(essence));
  if (near === -1) return partialHint(lines, wantedLines);
  const last = near + wantedLines.length;
  const where = wantedLines.length === 1 ? `line ${last}` : `lines ${near + 1} to ${last}`;
  return `It stands in ${where} with other white space or quotation marks, the first of them: ${shown(lines[near])} Read it and copy it exactly.`;
}

/** What is left of a line when nothing is kept that is easily mistaken. */
function essence(line: string): string {
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
  const at = first === undefined ? -1 : lines.findIndex((line) => essence(line).includes(essence(first)));
  if (at === -1)
    return "Nothing like its first line is there either: read the file again, and copy from that.";
  const differs = wanted.findIndex(
    (line, index) => index > skipped && essence(line) !== essence(lines[at - skipped + index] ?? ""),
  );
  if (differs === -1) return `Its first line is like line ${at + 1}: read that part again, and copy from it.`;
  const place = at - skipped + differs;
  const there = place < lines.length ? `the file has there: ${shown(lines[place])}` : "the file ends before.";
  return `Its first line is like line ${at + 1}, but line ${place + 1} differs; ${there} Read that part again, and copy from it.`;
}

function shown(line = ""): string {
  const text = firstChars(line, maxShownChars);
  return JSON.stringify(text === line ? text : `${text}…`);
}
