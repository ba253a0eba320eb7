import { foldText } from "./fold-text.ts";

const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also always am an and any are as at be because been before being below between both but
  by can could did do does doing done down during each few for from further get go got had has have having he her here
  him his how i if in into is it its just keep let like make me more most must my need new no nor not now of off on once
  one only or other our out over own please prefer preference remember say same see set she should so some such than thanks
  that the their them then there these they thing this those through to too under until up us use used user uses using
  very want was way we well were what when where which while who why will with work would yes you your never dont avoid
  stop without rather instead hate dislike`.split(/\s+/),
);
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

/** The words of a text that carry its meaning, folded and cut to their stems; pairs of signs where words are not parted. */
export function contentWords(text: string): ReadonlySet<string> {
  const words =
    foldText(text)
      .replaceAll("'", "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.flatMap(wordParts));
}

function wordParts(word: string): readonly string[] {
  if (ideographs.test(word)) {
    const signs = [...word];
    return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
  }
  return stopWords.has(word) || (word.length === 1 && !/\p{N}/u.test(word)) ? [] : [stem(word)];
}

/** Rough on purpose: two forms of one word must meet, and nothing is ever shown in this form. */
function stem(word: string): string {
  if (word.length <= 4 || /\p{N}/u.test(word)) return word.replace(/(?<=[a-z]{3})s$/, "");
  return word.replace(/(?:ies|ing|ed|es|s|ly|e|y)$/, "");
}
