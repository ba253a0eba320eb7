import { stemEnglish } from "./stem-english.ts";

/** A longer word is cut: what is longer is not a word but encoded bytes. */
export const maxTermChars = 64;
/** How many words the tokenizer keeps the terms of; words repeat, so most are found there. */
const maxRemembered = 50_000;

const asciiWord = /[A-Za-z0-9]+(?:[._/\\-]+[A-Za-z0-9]+)*/g;
const anyWord = /[\p{L}\p{N}\p{M}]+(?:[._/\\-]+[\p{L}\p{N}\p{M}]+)*/gu;
const apostrophe = /['’](?=\p{L})/gu;
const joiners = /[._/\\-]+/;
const camelEdge = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const lowerWord = /^[a-z0-9]+$/;

/** Scripts written without spaces, and Hangul, whose words have endings: cut into pairs of characters. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";

/** Made for the first text that is not plain ASCII: a search by plain words need not wait for these tables. */
let made: { readonly hasUnspaced: RegExp; readonly runs: RegExp } | undefined;
function scripts() {
  made ??= {
    hasUnspaced: new RegExp(`[${unspaced}]`, "u"),
    runs: new RegExp(`[${unspaced}\\p{M}]+|[^${unspaced}]+`, "gu"),
  };
  return made;
}

/** A query asks for a single character only where nothing longer was given; a document offers each. */
type TokenUse = "document" | "query";

export interface Tokenizer {
  /** The terms of a text in order, repeated where they repeat. */
  terms(text: string, use: TokenUse): readonly string[];
  /** The terms of a document, and how long it is: stop words are no terms, and still make a text longer. */
  measure(text: string): { readonly terms: readonly string[]; readonly length: number };
}

/** The terms of a text. */
interface TermList {
  readonly terms: string[];
  stopWords: number;
}

/**
 * Folds, leaves stop words out, stems English. An identifier or path gives its parts and itself:
 * `src/openRecall.ts` is found by `recall`, `openRecall` and the whole.
 */
export function createTokenizer(): Tokenizer {
  const remembered = new Map<string, string>();

  /** "" for a stop word. */
  function toTerm(word: string): string {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const folded = foldText(word).slice(0, maxTermChars);
    const term = stopWords.has(folded) ? "" : /^[a-z]+$/.test(folded) ? stemEnglish(folded) : folded;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(word, term);
    return term;
  }

  function addPart(part: string, use: TokenUse, into: TermList): void {
    if (!isAscii(part) && scripts().hasUnspaced.test(part)) addRuns(part, use, into);
    else {
      const term = toTerm(part);
      if (term === "") into.stopWords += 1;
      else into.terms.push(term);
    }
  }

  function addRuns(part: string, use: TokenUse, into: TermList): void {
    const { hasUnspaced, runs } = scripts();
    for (const run of part.match(runs) ?? []) {
      if (hasUnspaced.test(run)) addPairs(foldText(run), use, into.terms);
      else addPart(run, use, into);
    }
  }

  function addIdentifier(word: string, use: TokenUse, into: TermList): void {
    const parts = word.split(joiners);
    if (parts.length > 1) into.terms.push(foldText(word).slice(0, maxTermChars));
    for (const part of parts) {
      const pieces = part.split(camelEdge);
      if (pieces.length > 1) into.terms.push(foldText(part).slice(0, maxTermChars));
      for (const piece of pieces) addPart(piece, use, into);
    }
  }

  function take(text: string, use: TokenUse): TermList {
    const into: TermList = { terms: [], stopWords: 0 };
    const plain = text.replace(apostrophe, "");
    const isPlain = isAscii(plain);
    const words = isPlain ? plain.match(asciiWord) : plain.normalize("NFKC").match(anyWord);
    for (const word of words ?? []) {
      if (lowerWord.test(word)) addPart(word, use, into);
      else addIdentifier(word, use, into);
    }
    return into;
  }

  return {
    terms: (text, use) => take(text, use).terms,
    measure(text) {
      const taken = take(text, "document");
      return { terms: taken.terms, length: taken.terms.length + taken.stopWords };
    },
  };
}

function addPairs(run: string, use: TokenUse, into: string[]): void {
  const characters = [...run];
  if (use === "document" || characters.length === 1) into.push(...characters);
  for (let at = 1; at < characters.length; at += 1) {
    into.push(`${characters[at - 1]}${characters[at]}`);
  }
}

/** English words that stand in nearly every text and so tell none apart; apostrophes left out, as the tokenizer does. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are arent as at be because been before being below between both
  but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each else ever few for from
  further had hadnt has hasnt have havent having he her here hers herself him himself his how i id if ill im in into
  is isnt it its itself ive just lets me more most my myself no nor not of off on once only or other our ours
  ourselves out over own same she should shouldnt so some such than that thats the their theirs them themselves then
  there these they theyre this those through to too under until up us very was wasnt we were werent what whats when
  where which while who whom whose why will with wont would wouldnt yes you youd youll your youre yours yourself
  yourselves youve`.split(/\s+/),
);

/** Marks that change how a letter is spoken and that people leave out: Latin, Greek, Cyrillic, Hebrew, Arabic. */
const droppedMarks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

/** Letters that no decomposition takes apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ς: "σ",
};
const specialLetters = /[ßæœøđðþłħıς]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is.
const ascii = /^[\x00-\x7f]*$/;

function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** Texts that people take for equal become equal: width, ligatures, case and accents go. Idempotent. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(droppedMarks, "")
    .replace(specialLetters, (letter) => plainLetters[letter] as string)
    .normalize("NFC");
}

/** The order of the terms' UTF-8 bytes, without encoding them: surrogates stand behind all other units. */
export function compareTerms(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return toOrder(left) - toOrder(right);
  }
  return a.length - b.length;
}

function toOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** As `compareTerms`, on UTF-8. */
export function compareBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number {
  const shared = Math.min(aTo - aFrom, bTo - bFrom);
  for (let at = 0; at < shared; at += 1) {
    const difference = (a[aFrom + at] as number) - (b[bFrom + at] as number);
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}
