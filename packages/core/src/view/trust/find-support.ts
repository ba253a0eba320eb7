import type { UserMessageRecord } from "../../spec/index.ts";
import { contentWords } from "./content-words.ts";
import { foldText } from "./fold-text.ts";
import { withoutRecalled } from "./recalled.ts";

/** So much of what a memory says the user must have said. */
export const minSupport = 0.5;

/** One word in common is chance, unless it is all there is. */
const minCommonWords = 2;

const negations =
  /\b(?:not|no|never|none|don'?t|doesn'?t|won'?t|can'?t|cannot|shouldn'?t|isn'?t|aren'?t|without|avoid|stop|hate|dislike)\b/;
const contrasts = /\b(?:prefer\w*|rather|instead|over|than|but)\b/;

/**
 * The user's message that supports a statement, the newest where several do: it has most of the statement's words, and
 * does not say the opposite. `null` where none does.
 */
export function findSupport(
  statement: string,
  messages: readonly UserMessageRecord[],
): UserMessageRecord | null {
  const words = contentWords(statement);
  if (words.size === 0) return null;
  return messages.findLast(({ text }) => supports(withoutRecalled(text), words, statement)) ?? null;
}

function supports(text: string, words: ReadonlySet<string>, statement: string): boolean {
  const common = [...contentWords(text)].filter((word) => words.has(word)).length;
  if (common / words.size < minSupport || common < Math.min(minCommonWords, words.size)) return false;
  const clauses = text.split(/[.,;:!?\n]|\b(?:and|but)\b/).filter((clause) => {
    const inClause = contentWords(clause);
    return [...words].some((word) => inClause.has(word));
  });
  return saysTheSame(clauses.join(", "), statement);
}

/** Words tell what it is about; this tells yes from no. A contrast ("a rather than b") may be either. */
function saysTheSame(said: string, statement: string): boolean {
  const [one, other] = [foldText(said), foldText(statement)];
  if (contrasts.test(one) || contrasts.test(other)) return true;
  return negations.test(one) === negations.test(other);
}
