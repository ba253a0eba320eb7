import { memoryNumbers } from "./memory-numbers.ts";

/** Words without their markup, case and accents; a letter of a script without spaces is a word by itself. */
export function toWords(text: string): readonly string[] {
  return text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").match(wordPattern) ?? [];
}

const wordPattern = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu;

/** Runs of words; a shorter text is one run. */
export function toShingles(text: string): ReadonlySet<string> {
  const words = toWords(text);
  const size = Math.min(memoryNumbers.shingleWords, words.length);
  const shingles = new Set<string>();
  for (let start = 0; size > 0 && start + size <= words.length; start += 1) {
    shingles.add(words.slice(start, start + size).join(" "));
  }
  return shingles;
}

export interface SimilarPair {
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
