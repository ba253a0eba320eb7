import { foreignOrders, orderVerbs, orderWords } from "./imperative-words.ts";
import { normWords } from "./sets-norm.ts";

/** Signs and digits that are written for letters. */
const signs: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "g",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "|": "l",
  "!": "l",
  "¡": "l",
  "£": "l",
  "+": "t",
  "€": "e",
  "¢": "c",
  "¥": "y",
};

const token = /[\p{L}\p{N}@$|!¡£+€¢¥]+/gu;

/** So many letters of a word that begins another one tell what it is: `confirm` of `conf1rmation`. */
const minStemChars = 5;

/** What words are that look alike: `I`, `l` and `1` are one stroke, `rn` is an `m`. */
function shapeOf(word: string): string {
  return [...word]
    .map((sign) => signs[sign] ?? sign)
    .join("")
    .replaceAll("i", "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

/** The words that orders are told by, by their shapes. */
const known: ReadonlyMap<string, string> = new Map(
  [orderWords.source, foreignOrders.source, normWords, ...orderVerbs]
    .map((source) => source.replaceAll(/\\[a-z]/g, " ").replaceAll(/([a-z]+)([a-z])\?/g, "$1$2 $1"))
    .flatMap((text) => text.match(/[a-z]{2,}/g) ?? [])
    .map((word) => [shapeOf(word), word]),
);

const maxStemChars = Math.max(...[...known.values()].map((word) => word.length));

/**
 * A folded text in which words that only look like those of an order are spelled as they: `aiways`, `lgnore`, `n3ver`,
 * `alw@ys`. To be judged besides the text itself, for such a word may be just what it says.
 */
export function unmaskWords(text: string): string {
  return text.replaceAll(token, (word) => {
    const letters = word.match(/\p{L}/gu)?.length ?? 0;
    const others = [...word].length - letters;
    if (letters === 0 || others > letters) return word;
    const whole = known.get(shapeOf(word));
    if (whole !== undefined) return whole;
    for (let end = Math.min(word.length - 1, maxStemChars); end >= minStemChars; end -= 1) {
      const stem = known.get(shapeOf(word.slice(0, end)));
      if (stem !== undefined) return stem + word.slice(end);
    }
    return word;
  });
}
