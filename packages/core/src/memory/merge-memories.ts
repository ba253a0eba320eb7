import { composeMemory } from "./compose-memory.ts";
import { diffLines, type LineChange, toLines } from "./diff-lines.ts";
import { parseMemory } from "./parse-memory.ts";

/**
 * Both changes of a memory at once; `undefined` where they meet. `null` stands for "not there". Names, descriptions and
 * types are merged as fields, and the provenance is that of `mine`.
 */
export function mergeMemories(
  path: string,
  base: string | null,
  mine: string | null,
  theirs: string | null,
): string | null | undefined {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  if (base === null || mine === null || theirs === null) return undefined;
  const [was, own, other] = [base, mine, theirs].map((text) => {
    const parsed = parseMemory(text, { path, version: 0, at: "", author: "import" });
    return parsed.ok ? parsed.value : null;
  });
  if (!was || !own || !other) return mergeTexts(base, mine, theirs) ?? undefined;
  const name = mergeValues(was.name, own.name, other.name);
  const description = mergeValues(was.description, own.description, other.description);
  const type = mergeValues(was.type, own.type, other.type);
  const body = mergeTexts(was.body, own.body, other.body);
  if (name === undefined || description === undefined || type === undefined || body === null)
    return undefined;
  const plain = mine.replaceAll("\r\n", "\n");
  const matter = plain.slice(0, plain.length - own.body.length);
  const composed = composeMemory(path, matter + body, own, { name, description, type });
  return composed.ok ? composed.value : undefined;
}

function mergeValues<T>(base: T, mine: T, theirs: T): T | undefined {
  if (mine === base || mine === theirs) return theirs;
  return theirs === base ? mine : undefined;
}

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
