import { firstChars } from "./quote-foreign.ts";

/** Where a sentence ends: at a mark behind which a blank stands, at a mark of a script without blanks, at a line's end. */
const end = /(?:[.!?…]+["'”’)\]*_]*(?=\s)|[。！？]+[」』”]*)|\n+/gu;

/** Where the sentences of a text begin and end, without the blanks around them. */
export function sentenceSpans(text: string): readonly (readonly [from: number, to: number])[] {
  const spans: (readonly [number, number])[] = [];
  let from = 0;
  const add = (to: number) => {
    const part = text.slice(from, to);
    const begin = from + part.length - part.trimStart().length;
    if (/[\p{L}\p{N}]/u.test(part)) spans.push([begin, begin + part.trim().length]);
    from = to;
  };
  for (const found of text.matchAll(end)) add(found.index + found[0].length);
  add(text.length);
  return spans;
}

/** The sentences of a text, word for word. */
export function sentencesOf(text: string): readonly string[] {
  return sentenceSpans(text).map(([from, to]) => text.slice(from, to));
}

const minTellingChars = 30;

/**
 * The first sentence that says something, cut where it is long. A heading or “Done.” in front of it is passed over where
 * something longer follows.
 */
export function firstSentence(text: string, maxChars: number): string {
  const sentences = sentencesOf(firstChars(text, 4_000));
  const telling = sentences.find(
    (sentence) => sentence.length >= minTellingChars && !sentence.startsWith("#"),
  );
  const sentence = telling ?? sentences[0] ?? text.trim();
  return sentence.length <= maxChars ? sentence : `${firstChars(sentence, maxChars - 1).trimEnd()}…`;
}

const maxEndChars = 600;

/** The last sentence of a text's end that asks something. */
export function lastQuestion(text: string): string | undefined {
  return sentencesOf(text.slice(-maxEndChars)).findLast((sentence) =>
    /[?？؟]["'”’)\]*_」』]*$/u.test(sentence),
  );
}
