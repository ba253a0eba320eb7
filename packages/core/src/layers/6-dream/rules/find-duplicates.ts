import type { ParsedMemory } from "./memory-shapes.ts";
import { shinglesOf, similarPercent, turningWords, wordsOf } from "./shingles.ts";

/** Two memories that say the same; `first` is the one whose path comes first. */
export interface DuplicatePair {
  readonly first: ParsedMemory;
  readonly second: ParsedMemory;
  /** 100: word for word. */
  readonly percent: number;
}

/** A shingle that so many memories have tells none of them from another. */
const commonIn = 50;

/**
 * Pairs of one type whose bodies are alike, the most alike first. Bodies that differ in a negation or a number are never
 * duplicates. Only memories that share a shingle are compared.
 */
export function findDuplicates(
  memories: readonly ParsedMemory[],
  nearPercent: number,
): readonly DuplicatePair[] {
  const looked = memories
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((memory) => ({ memory, shingles: shinglesOf(memory.body), key: keyOf(memory) }));
  const holders = new Map<string, number[]>();
  const pairs: DuplicatePair[] = [];
  for (const [at, { memory, shingles, key }] of looked.entries()) {
    const candidates = new Set<number>();
    for (const shingle of [...shingles].map((one) => `${key}\n${one}`)) {
      const known = holders.get(shingle) ?? [];
      if (known.length < commonIn) for (const one of known) candidates.add(one);
      holders.set(shingle, [...known.slice(-commonIn), at]);
    }
    for (const candidate of candidates) {
      const other = looked[candidate];
      if (other === undefined) continue;
      const percent = isSame(other.memory, memory) ? 100 : similarPercent(other.shingles, shingles);
      if (percent >= nearPercent) pairs.push({ first: other.memory, second: memory, percent });
    }
  }
  return pairs.sort((one, other) => other.percent - one.percent || comparePaths(one, other));
}

function keyOf({ type, body }: ParsedMemory): string {
  return `${type}\n${turningWords(body)}`;
}

function isSame(one: ParsedMemory, other: ParsedMemory): boolean {
  return wordsOf(one.body).join(" ") === wordsOf(other.body).join(" ");
}

function comparePaths(one: DuplicatePair, other: DuplicatePair): number {
  const [a, b] = [one, other].map(({ first, second }) => `${first.path}\n${second.path}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}
