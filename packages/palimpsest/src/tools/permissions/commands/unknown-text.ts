import { matchSequence } from "@palimpsest/core/internal";

/**
 * Characters of private use that stand, in words of a command, for what cannot be known before it runs. Where they are
 * written in a command they mean the same: that only makes more of it uncertain.
 */
export const anyText = "\ue000";
export const anyCharacter = "\ue001";
/** Any number of words. */
export const anyWords = "\ue002";

const marks = /[\ue000-\ue002]/;
const onlyMarks = /^[\ue000-\ue002]+$/;

export function isUncertain(word: string): boolean {
  return marks.test(word);
}

/** Nothing at all is known of it. */
export function isUnknown(word: string): boolean {
  return onlyMarks.test(word) && word !== anyCharacter;
}

/** It may be several words, or none. */
export function mayBeWords(word: string): boolean {
  return onlyMarks.test(word) && word.includes(anyWords);
}

/** Whether the text is what the word may turn out to be. */
export function mayEqual(word: string, text: string): boolean {
  if (!isUncertain(word)) return word === text;
  const isWild = (part: string) => part === anyText || part === anyWords;
  return matchSequence([...word], [...text], isWild, (part, one) => part === anyCharacter || part === one);
}
