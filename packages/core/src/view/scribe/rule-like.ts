import { plainWords } from "../intents/plain-words.ts";

const rule = /\b(?:never|always|must|only|don't|dont|do not)\b/;

/** Whether what the user said reads like a rule for all that follows. */
export function isRuleLike(text: string): boolean {
  return rule.test(plainWords(text));
}
