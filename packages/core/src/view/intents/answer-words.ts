import { plainWords } from "./plain-words.ts";

/**
 * What the last words of a turn say about what was asked. `asked`: the user is to answer first. `could-not`: it was not
 * done. `unclear`: in a language the tables do not know.
 */
export type AnswerMeaning = "answered" | "asked" | "could-not" | "unclear";

/** Questions that wait for nothing. */
const courtesies =
  /\b(?:anything|something) else\b|\b(?:does (?:that|this) (?:help|make sense)|make sense)\s*\?/;

const couldNot = [
  /\bi(?:'m| am| was|'ve been| have been)? (?:sorry,? (?:but )?i )?(?:could not|couldn't|can't|cannot|can not|unable to|not able to|wasn't able to|am unable to|was unable to|won't be able to|failed to|did not manage|didn't manage)\b(?! (?:find|see|spot|detect|think of) (?:any|anything|a reason|other|another|more)| help but)/,
  /\b(?:is|are|was|were)(?:n't| not) (?:done|finished|complete|completed|implemented|fixed) yet\b/,
  /\b(?:i(?:'m| am)) (?:blocked|stuck)\b/,
  /\bstill (?:fails|failing|broken|not working)\b/,
];

const askedInWords =
  /\b(?:let me know|tell me|please (?:confirm|tell|choose|pick|decide|provide|share|specify)) (?:which|whether|what|how|if you(?:'d| would) (?:prefer|rather|like me to)|when you(?:'re| are) ready)\b/;

const english =
  /\b(?:the|and|is|are|was|it|to|of|in|on|i|i've|you|your|this|that|now|with|for|all|done|fixed|added|ok|okay|yes|no|not|a|an)\b/;

/** How much of the end is looked at for a question. */
const maxEndChars = 600;

/** Reads the words with which a turn ended, calls and results aside. */
export function readAnswerWords(text: string): AnswerMeaning {
  const words = plainWords(text);
  const end = lastParagraph(words);
  if (isQuestion(end)) return "asked";
  if (couldNot.some((pattern) => pattern.test(words))) return "could-not";
  return english.test(words) || !/\p{L}{2}/u.test(words) ? "answered" : "unclear";
}

function isQuestion(end: string): boolean {
  if (askedInWords.test(end)) return true;
  const questions = end.match(/[^.!?。？؟\n]*[?？؟]/g) ?? [];
  return questions.some((question) => !courtesies.test(question));
}

function lastParagraph(words: string): string {
  const paragraphs = words.split(/\n\s*\n/).filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
  return (paragraphs.at(-1) ?? "").slice(-maxEndChars);
}
