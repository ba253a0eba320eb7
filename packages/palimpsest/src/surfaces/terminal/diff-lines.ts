import { diffArrays, diffWordsWithSpace } from "diff";

/** A part of a changed line; what both lines have in common is not changed. */
export interface DiffWord {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line of either text, with its number there from 1. */
export type DiffRow =
  | { readonly kind: "kept"; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: "removed"; readonly before: number; readonly text: string; readonly words?: Words }
  | { readonly kind: "added"; readonly after: number; readonly text: string; readonly words?: Words };

type Words = readonly DiffWord[];

/** More lines than this that came or went are not told apart: all between the first and the last change went, all of it came. */
const maxEdits = 1_000;

/** Longer lines are not compared word by word. */
const maxWordChars = 1_000;
const maxWordEdits = 200;

/** Lines that have less than this part in common are two lines, not one that was changed. */
const minKept = 0.3;

/**
 * How one text became another, with as few changes as there can be; what went stands before what came. A line that
 * became another has its words, where the two are alike. Whether a text ends with a line break makes no difference.
 */
export function diffLines(before: string, after: string): readonly DiffRow[] {
  const old = toLines(before);
  const young = toLines(after);
  const rows: DiffRow[] = [];
  let [oldAt, youngAt] = [0, 0];
  let removed: string[] = [];
  for (const { added: isAdded, removed: isRemoved, value } of changesOf(old, young)) {
    if (isRemoved) {
      removed = value;
      continue;
    }
    rows.push(...changedRows(removed, isAdded ? value : [], oldAt, youngAt));
    oldAt += removed.length;
    removed = [];
    if (!isAdded)
      for (const [at, text] of value.entries())
        rows.push({ kind: "kept", before: oldAt + at + 1, after: youngAt + at + 1, text });
    oldAt += isAdded ? 0 : value.length;
    youngAt += value.length;
  }
  return [...rows, ...changedRows(removed, [], oldAt, youngAt)];
}

const toLines = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

interface Change {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: string[];
}

function changesOf(old: string[], young: string[]): readonly Change[] {
  const found = diffArrays(old, young, { maxEditLength: maxEdits });
  if (found) return found;
  const room = Math.min(old.length, young.length);
  let start = 0;
  while (start < room && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < room - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  return [
    { value: old.slice(0, start) },
    { removed: true, value: old.slice(start, old.length - end) },
    { added: true, value: young.slice(start, young.length - end) },
    { value: end === 0 ? [] : old.slice(-end) },
  ];
}

/** The first line that went became the first that came, and so on. */
function changedRows(
  removed: readonly string[],
  added: readonly string[],
  oldAt: number,
  youngAt: number,
): readonly DiffRow[] {
  const words = removed.map((text, at) => wordsOf(text, added[at]));
  return [
    ...removed.map(
      (text, at): DiffRow => ({
        kind: "removed",
        before: oldAt + at + 1,
        text,
        ...(words[at] && { words: words[at].before }),
      }),
    ),
    ...added.map(
      (text, at): DiffRow => ({
        kind: "added",
        after: youngAt + at + 1,
        text,
        ...(words[at] && { words: words[at].after }),
      }),
    ),
  ];
}

/** The words of a line and of the one it became; nothing where they have too little in common. */
function wordsOf(
  before: string,
  after: string | undefined,
): { readonly before: Words; readonly after: Words } | undefined {
  if (after === undefined || Math.max(before.length, after.length) > maxWordChars) return undefined;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxWordEdits });
  if (!changes) return undefined;
  const kept = changes.filter(({ added, removed }) => !added && !removed);
  const keptChars = kept.reduce((sum, { value }) => sum + value.trim().length, 0);
  if (keptChars < minKept * Math.max(before.trim().length, after.trim().length)) return undefined;
  const side = (other: "added" | "removed") =>
    changes
      .filter((change) => !change[other])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return { before: side("added"), after: side("removed") };
}
