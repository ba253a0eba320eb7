import { diffLines, type LineChange, toLines } from "./diff-lines.ts";

/**
 * Both changes of a text at once; `null` where they touch the same lines or neighbouring ones, since then a person has
 * to say what is meant.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const [lines, own, other] = [toLines(base), toLines(mine), toLines(theirs)];
  const changes = [
    ...diffLines(lines, own).map((change) => ({ change, source: own })),
    ...diffLines(lines, other).map((change) => ({ change, source: other })),
  ].sort((a, b) => a.change.from - b.change.from || a.change.fromEnd - b.change.fromEnd);
  const merged: string[] = [];
  let at = 0;
  let last: LineChange | null = null;
  for (const { change, source } of changes) {
    if (last !== null && change.from <= last.fromEnd) return null;
    merged.push(...lines.slice(at, change.from), ...source.slice(change.to, change.toEnd));
    at = change.fromEnd;
    last = change;
  }
  return `${[...merged, ...lines.slice(at)].join("\n")}\n`;
}
