const maxSentenceChars = 400;
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** Words that come before what is meant. */
const opening =
  /^(?:(?:please|pls|ok(?:ay)?|also|and|so|btw|by the way|hey|hi|well|yes|yeah|right|but|oh|again|fyi|one more thing|important|note)\b[\s,:;.!–—-]+)+/i;

/** The sentences of a text, each without list marks and words that only open it. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(listMark, "")
        .replaceAll(/\*\*|__/g, "")
        .trim(),
    )
    .flatMap((line) => line.split(/(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|Mr|Dr)\.)\s+(?=[\p{Lu}\p{N}"“(])/u))
    .map((sentence) => sentence.trim().replace(opening, "").trim())
    .filter((sentence) => sentence !== "" && sentence.length <= maxSentenceChars);
}
