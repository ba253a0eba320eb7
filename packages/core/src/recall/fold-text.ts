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

export function isAscii(text: string): boolean {
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
