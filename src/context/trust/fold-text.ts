import { stripInvisible } from "./strip-invisible.ts";

/** Letters of other scripts that are drawn like Latin ones. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: "a",
    в: "b",
    с: "c",
    ԁ: "d",
    е: "e",
    ё: "e",
    һ: "h",
    і: "i",
    ї: "i",
    ј: "j",
    к: "k",
    ӏ: "l",
    м: "m",
    н: "h",
    о: "o",
    р: "p",
    ԛ: "q",
    г: "r",
    ѕ: "s",
    т: "t",
    ѵ: "v",
    ԝ: "w",
    х: "x",
    у: "y",
    α: "a",
    β: "b",
    ε: "e",
    ι: "i",
    κ: "k",
    ν: "v",
    ο: "o",
    ρ: "p",
    τ: "t",
    υ: "u",
    χ: "x",
    γ: "y",
    ı: "i",
    ɡ: "g",
    ո: "n",
    օ: "o",
    ս: "u",
    ⅼ: "l",
  }),
);

/**
 * A text as it is compared: nothing invisible, one spelling, lower case, no accents, plain apostrophes. In words that
 * mix Latin letters with others, lookalikes become the letters they are taken for.
 */
export function foldText(text: string): string {
  return stripInvisible(text)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replaceAll(/\S+/g, unmasked);
}

function unmasked(word: string): string {
  const isMixed = /[a-z]/.test(word) && /[^ -~]/.test(word);
  return isMixed ? [...word].map((letter) => lookalikes.get(letter) ?? letter).join("") : word;
}
