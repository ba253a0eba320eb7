import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { MemoryCommand } from "./memory-input.ts";
import { indexPath } from "./memory-options.ts";
import { memoryTexts } from "./memory-path.ts";
import { numberedLines } from "./numbered-lines.ts";

/** A text as a command leaves it, and what is told then. */
export interface ChangedText {
  readonly text: string;
  readonly report: string;
}

type Replace = Extract<MemoryCommand, { readonly command: "str_replace" }>;
type Insert = Extract<MemoryCommand, { readonly command: "insert" }>;

const linesAround = 2;
/** A longer replacement is shown by its beginning. */
const maxShownLines = 12;

export function replaceText(text: string, { path, old, replacement }: Replace): Result<ChangedText> {
  const positions = findOccurrences(text, old);
  const [position] = positions;
  if (position === undefined) return fail("not-found", memoryTexts.notVerbatim(old, path.shown));
  if (positions.length > 1)
    return fail("invalid-input", memoryTexts.ambiguous(old, linesOf(text, positions)));
  const changed = text.slice(0, position) + replacement + text.slice(position + old.length);
  const [first = 1] = linesOf(changed, [position]);
  const last = first + replacement.split("\n").length - 1;
  return ok({ text: changed, report: `${memoryTexts.replaced}\n${snippetOf(changed, first, last)}` });
}

/** Lines are those that a view numbers: what ends with a line break has an empty one behind it. */
export function insertText(text: string, { path, line, text: inserted }: Insert): Result<ChangedText> {
  const lines = text.split("\n");
  if (line < 0 || line > lines.length)
    return fail("invalid-input", memoryTexts.insertLine(line, lines.length));
  const added = inserted.replace(/\n$/, "");
  const changed = [...lines.slice(0, line), added, ...lines.slice(line)].join("\n");
  return ok({ text: changed, report: memoryTexts.inserted(path.shown) });
}

function snippetOf(text: string, first: number, last: number): string {
  const begin = Math.max(1, first - linesAround);
  const end = Math.min(last + linesAround, first + maxShownLines);
  return numberedLines(text.split("\n").slice(begin - 1, end), begin);
}

/** Where a text stands, overlapping places counted one by one, in order. An empty text stands nowhere. */
export function findOccurrences(text: string, wanted: string): readonly number[] {
  if (wanted === "") return [];
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

/** The lines, counted from 1, in which those places begin; each once. */
export function linesOf(text: string, positions: readonly number[]): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const position of positions) {
    for (let at = text.indexOf("\n", from); at !== -1 && at < position; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

/** Whether a path of the tree is the index: also where the file system knows no case. */
export function isIndex(inTree: string): boolean {
  return inTree.toLowerCase() === indexPath.toLowerCase();
}

/** Whether a change of the index leaves what is generated as it is. */
export function keepsGenerated(before: string, after: string, marker: string): boolean {
  return generatedPart(before, marker) === generatedPart(after, marker);
}

function generatedPart(text: string, marker: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === marker.trim());
  return at === -1 ? "" : lines.slice(at).join("\n");
}
