import type { Ledgers } from "../../../spec/index.ts";
import { quoteForeign, quoteUser, toPlainTitle } from "../../quote-foreign.ts";
import type { Piece } from "../piece.ts";
import type { SessionReading } from "../read-session.ts";
import { isRuleLike } from "../rule-like.ts";

const maxTitleWords = 10;
const resultChars = [200, 800] as const;
const ruleChars = 240;

/** What only session notes have. */
export interface NoteParts {
  readonly title: readonly Piece[];
  /** What the user forbade or demanded, newest first. */
  readonly rules: readonly Piece[];
  /** What took the place of something asked before. */
  readonly corrections: readonly Piece[];
  /** The answers that settled requests, oldest first. */
  readonly results: readonly Piece[];
}

export function noteParts({ userMessages, intents }: Ledgers, { words }: SessionReading): NoteParts {
  const quote = (at: number, label: string): Piece => ({
    label,
    levels: [`- Message ${at + 1}: ${quoteUser(userMessages[at]?.text ?? "", ruleChars)}`],
  });
  const places = userMessages.map((_message, at) => at).reverse();
  const correcting = new Set(intents.flatMap(({ state, by }) => (state === "superseded" && by ? by : [])));
  const answers = new Set(intents.flatMap(({ state, by }) => (state === "done" && by ? by : [])));
  return {
    title: userMessages[0] ? [{ levels: [titleOf(userMessages[0].text)] }] : [],
    rules: places
      .filter((at) => isRuleLike(userMessages[at]?.text ?? ""))
      .map((at) => quote(at, "The user's rules, newest first:")),
    corrections: places
      .filter((at) => correcting.has(userMessages[at]?.entry ?? ""))
      .map((at) => quote(at, "Corrections by the user, newest first:")),
    results: words
      .filter(({ entry }) => answers.has(entry))
      .map(({ text }) => ({ levels: resultChars.map((chars) => `- ${quoteForeign(text, chars)}`) })),
  };
}

function titleOf(text: string): string {
  const words = toPlainTitle(text, 200).split(" ");
  return words.length <= maxTitleWords ? words.join(" ") : `${words.slice(0, maxTitleWords).join(" ")}…`;
}
