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

/** Latin letters that are drawn like others: small capitals, phonetic letters, letters with a stroke. */
const latinLookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "ᴀɐɑɒⱥ",
    b: "ᴃʙɓƀƃßᵬ",
    c: "ᴄɕƈȼ",
    d: "ᴅᴆɖɗđƌðȡ",
    e: "ᴇᴈɘəɚɛɜɝɞǝɇ",
    f: "ꜰƒʄ",
    g: "ɢɠʛǥ",
    h: "ʜɦɧħɥⱨ",
    i: "ɪɨɩᴉıᵻ",
    j: "ᴊɟʝɉȷ",
    k: "ᴋʞƙⱪ",
    l: "ʟᴌɫɬɭłƚⱡ",
    m: "ᴍɯɰɱᴟ",
    n: "ɴᴎɲɳŋƞ",
    o: "ᴏᴐᴑᴓɔɵøɷ",
    p: "ᴘƥᵽ",
    q: "ʠɋꞯ",
    r: "ʀʁᴙᴚɹɺɻɼɽɾɿɍ",
    s: "ꜱʂʃƨ",
    t: "ᴛʇʈŧƭⱦ",
    u: "ᴜᴝᴞʉʊ",
    v: "ᴠʋʌ",
    w: "ᴡʍ",
    y: "ʏɣɤʎƴɏ",
    z: "ᴢᴣʐʑʒʓƶȥⱬ",
  }).flatMap(([letter, drawn]) => [...drawn].map((one): [string, string] => [one, letter])),
);

/**
 * A text as it is compared: nothing invisible, one spelling, lower case, no accents, plain letters and apostrophes. In
 * words that mix Latin letters with others, lookalikes become the letters they are taken for.
 */
export function foldText(text: string): string {
  return stripInvisible(text)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(
      /[\u00df-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff]/g,
      (letter) => latinLookalikes.get(letter) ?? letter,
    )
    .replaceAll(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replaceAll(/\S+/g, unmaskWord);
}

function unmaskWord(word: string): string {
  const isMixed = /[a-z]/.test(word) && /[^ -~]/.test(word);
  return isMixed ? [...word].map((letter) => lookalikes.get(letter) ?? letter).join("") : word;
}

/** Terminal sequences, whole: their letters would stay behind when only the escape character goes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const terminalSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const lineSeparators = /\r\n?|[\u2028\u2029\u0085\v\f]/g;

/** Zero-width, bidi, tags, variation selectors, fillers: everything that is drawn as nothing or moves what is drawn. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}]|[^\P{Cc}\n\t]/gu;
const blanks = /[\u2800\u{1d159}]/gu;
/** Most texts have nothing that any of these finds. */
const isPlain = /^[\t\n -~]*$/;

/**
 * The text without what a person does not see: what is read is what is there. Line separators become line feeds, halves
 * of characters U+FFFD. Joined emoji fall apart and joiners of some scripts are lost: that is the price. Idempotent.
 */
export function stripInvisible(text: string): string {
  if (isPlain.test(text)) return text;
  return text
    .toWellFormed()
    .replace(terminalSequences, "")
    .replace(lineSeparators, "\n")
    .replace(invisible, "")
    .replace(blanks, " ");
}
