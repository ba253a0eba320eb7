const stopWords: ReadonlySet<string> = new Set(
  "a an and are as at be been by for from has have i in is it its of on or our so that the their them then there these they this to was we were will with you your please said user".split(
    " ",
  ),
);

/** The words that carry the meaning of a text, folded. Words that turn it around are among them. */
export function significantWords(text: string): ReadonlySet<string> {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");
  const words = folded.match(/[\p{L}\p{N}]+(?:['.\-_/+#][\p{L}\p{N}]+)*/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)));
}

const turning: ReadonlySet<string> = new Set(
  "not no never always don't doesn't won't can't cannot without instead only except unless".split(" "),
);
/** From this part of its words on, a text is said by another. */
const sameOverlap = 0.8;

/** Whether a text says what the words say: nearly all of them, every number, and nothing turned around. */
export function saysSame(words: ReadonlySet<string>, text: string): boolean {
  const others = significantWords(text);
  const isDecisive = (word: string) => turning.has(word) || /\d/.test(word);
  if ([...words].some((word) => isDecisive(word) && !others.has(word))) return false;
  if ([...others].some((word) => turning.has(word) && !words.has(word))) return false;
  return wordOverlap(words, others) >= sameOverlap;
}

/** Which part of the words stands among the others; 0 where there are none. */
function wordOverlap(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared / words.size;
}
