/** So many words in a row make a shingle. */
const shingleWords = 2;

/** Runs of letters and digits; where a script has no spaces every character is a word. */
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}\p{N}]+/gu;
const negation =
  /^(?:no|not|never|none|nor|neither|without|cannot|t|(?:do|ca|wo|is|does|did|are|was|should)nt)$/;

export function wordsOf(text: string): readonly string[] {
  return text.normalize("NFKC").toLowerCase().match(words) ?? [];
}

/** Pairs of neighbouring words; a single word is its own. */
export function shinglesOf(text: string): ReadonlySet<string> {
  const all = wordsOf(text);
  if (all.length < shingleWords) return new Set(all);
  const shingles = new Set<string>();
  for (let at = 0; at + shingleWords <= all.length; at += 1) {
    shingles.add(all.slice(at, at + shingleWords).join(" "));
  }
  return shingles;
}

/** The part of all shingles that both have, 0 to 100. Two empty texts share everything. */
export function similarPercent(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = countShared(one, other);
  const all = one.size + other.size - shared;
  return all === 0 ? 100 : (100 * shared) / all;
}

/** The part of the first one's shingles that the second has too, 0 to 100; an empty text has none. */
export function containedPercent(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return part.size === 0 ? 0 : (100 * countShared(part, whole)) / part.size;
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of one) if (other.has(shingle)) shared += 1;
  return shared;
}

/**
 * The words on which the sense of a text turns: negations and numbers. Two texts that differ in them say different
 * things, however alike they look.
 */
export function turningWords(text: string): string {
  return wordsOf(text)
    .filter((word) => negation.test(word) || /\p{N}/u.test(word))
    .toSorted()
    .join(" ");
}
