import { composeMemory } from "./compose-memory.ts";
import { memoryNumbers } from "./memory-numbers.ts";
import { parseMemory } from "./parse-memory.ts";
import { diffLines, type LineChange, toLines } from "./unified-diff.ts";

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

/** Words without their markup, case and accents; a letter of a script without spaces is a word by itself. */
export function toWords(text: string): readonly string[] {
  return text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").match(wordPattern) ?? [];
}

const wordPattern = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;

/** Runs of words; a shorter text is one run. */
function toShingles(text: string): ReadonlySet<string> {
  const words = toWords(text);
  const size = Math.min(memoryNumbers.shingleWords, words.length);
  const shingles = new Set<string>();
  for (let start = 0; size > 0 && start + size <= words.length; start += 1) {
    shingles.add(words.slice(start, start + size).join(" "));
  }
  return shingles;
}

interface SimilarPair {
  readonly first: number;
  readonly second: number;
  /** Shingles in both, of those in either. */
  readonly share: number;
}

/** Below so many shingles two texts are alike by chance. */
const minShingles = 5;

/** Pairs of texts that share at least `minShare`, found by the shingles they share and not by comparing all. */
export function similarPairs(texts: readonly string[], minShare: number): readonly SimilarPair[] {
  const all = texts.map(toShingles);
  const holders = new Map<string, number[]>();
  const pairs: SimilarPair[] = [];
  for (const [second, shingles] of all.entries()) {
    const shared = new Map<number, number>();
    for (const shingle of shingles) {
      const before = holders.get(shingle);
      for (const first of before ?? []) shared.set(first, (shared.get(first) ?? 0) + 1);
      if (before === undefined) holders.set(shingle, [second]);
      else before.push(second);
    }
    for (const [first, common] of shared) {
      const other = all[first]?.size ?? 0;
      const share = common / (other + shingles.size - common);
      if (Math.min(other, shingles.size) >= minShingles && share >= minShare)
        pairs.push({ first, second, share });
    }
  }
  return pairs;
}
