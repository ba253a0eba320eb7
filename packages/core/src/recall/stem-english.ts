/**
 * The stem of an English word by Porter's algorithm of 1980, for words of a–z in lower case. Both sides of a search
 * are stemmed alike, so a stem need not be a word. As in his algorithm of 2001, a y behind a vowel stays: `deploys` and
 * `deployment` have one stem.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  let stem = withoutPlural(word);
  stem = withoutPast(stem);
  if (/.[^aeiou]y$/.test(stem)) stem = `${stem.slice(0, -1)}i`;
  stem = replaceSuffix(stem, doubleSuffixes);
  stem = replaceSuffix(stem, singleSuffixes);
  stem = withoutLastSuffix(stem);
  return withoutLastLetter(stem);
}

const doubleSuffixes: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];

const singleSuffixes: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];

/** Longer ones first where one ends with another. */
const lastSuffixes: readonly string[] = [
  "ement",
  "ment",
  "ance",
  "ence",
  "able",
  "ible",
  "ant",
  "ent",
  "ion",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
  "al",
  "er",
  "ic",
  "ou",
];

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const stem = word.slice(0, word.length - suffix);
  if (suffix === 0 || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiou])\1$/.test(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function replaceSuffix(word: string, suffixes: readonly (readonly [string, string])[]): string {
  for (const [suffix, by] of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, word.length - suffix.length);
    return measure(stem) > 0 ? stem + by : word;
  }
  return word;
}

function withoutLastSuffix(word: string): string {
  const suffix = lastSuffixes.find((one) => word.endsWith(one));
  if (suffix === undefined) return word;
  const stem = word.slice(0, word.length - suffix.length);
  if (suffix === "ion" && !/[st]$/.test(stem)) return word;
  return measure(stem) > 1 ? stem : word;
}

function withoutLastLetter(word: string): string {
  if (word.endsWith("e")) {
    const stem = word.slice(0, -1);
    if (measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem))) return stem;
  }
  return word.endsWith("ll") && measure(word) > 1 ? word.slice(0, -1) : word;
}

function isVowel(word: string, at: number): boolean {
  const letter = word[at] as string;
  return "aeiou".includes(letter) || (letter === "y" && at > 0 && !isVowel(word, at - 1));
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (isVowel(word, at)) return true;
  return false;
}

/** How often a vowel is followed by a consonant: about how many syllables. */
function measure(word: string): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < word.length; at += 1) {
    const vowel = isVowel(word, at);
    if (wasVowel && !vowel) count += 1;
    wasVowel = vowel;
  }
  return count;
}

/** Consonant, vowel, consonant other than w, x, y: the end of `hop` and `fil`. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || "wxy".includes(word[last] as string)) return false;
  return !isVowel(word, last) && isVowel(word, last - 1) && !isVowel(word, last - 2);
}
