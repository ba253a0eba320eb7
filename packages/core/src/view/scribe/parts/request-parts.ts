import type { IntentRecord, Ledgers, UserMessageRecord } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/ledger-parts.ts";
import { quoteUser, shortId } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { oneLine, type Piece } from "../piece.ts";
import { isRuleLike } from "../read-session.ts";

const lineChars = 100;
const cutChars = 1_200;
const requestChars = 240;
/** How many open requests are named, the newest ones. */
const maxOpenRequests = 8;

export interface RequestParts {
  /** How the session began, and what is still wanted. */
  readonly overview: readonly Piece[];
  /** Every message of the user's, oldest first: on one line, cut, whole. */
  readonly messages: readonly Piece[];
  readonly newest: readonly Piece[];
  readonly first: readonly Piece[];
  /** Newest first, as are the rest. */
  readonly rules: readonly Piece[];
  readonly others: readonly Piece[];
}

export function requestParts({ userMessages, intents }: Ledgers, idWord: IdWord = "recall"): RequestParts {
  const messages = userMessages.map((message, at) => messagePiece(message, at, idWord, intents[at]));
  const isRule = userMessages.map(({ text }) => isRuleLike(text));
  const last = messages.length - 1;
  const middle = messages
    .map((_piece, at) => at)
    .slice(1, -1)
    .reverse();
  const piecesAt = (positions: readonly number[]) => positions.flatMap((at) => messages[at] ?? []);
  return {
    overview: overviewPieces(userMessages, intents),
    messages,
    newest: piecesAt(last < 0 ? [] : [last]),
    first: piecesAt(last < 1 ? [] : [0]),
    rules: piecesAt(middle.filter((at) => isRule[at])),
    others: piecesAt(middle.filter((at) => !isRule[at])),
  };
}

function messagePiece(
  { entry, text }: UserMessageRecord,
  at: number,
  idWord: IdWord,
  intent?: IntentRecord,
): Piece {
  const mark = `${at + 1} · ${intent?.state ?? "open"}`;
  const whole = `[${mark}] ${text}`;
  const line = `[${mark} · ${idWord} ${shortId(entry)}] ${oneLine(text, lineChars)}`;
  if (whole.length <= line.length) return { levels: [whole] };
  const cut =
    text.length > cutChars ? [`[${mark} · ${idWord} ${shortId(entry)}] ${boundedText(text, cutChars)}`] : [];
  return { levels: [line, ...cut, whole] };
}

function overviewPieces(
  messages: readonly UserMessageRecord[],
  intents: readonly IntentRecord[],
): readonly Piece[] {
  if (messages.length === 0) return [];
  const quote = (at: number) =>
    `- Message ${at + 1} (${intents[at]?.state ?? "open"}): ${quoteUser(messages[at]?.text ?? "", requestChars)}`;
  const open = intents.flatMap(({ state }, at) => (state === "open" && at > 0 ? [at] : []));
  const named = new Set([0, ...open.slice(-maxOpenRequests), messages.length - 1]);
  return [{ levels: [statesLine(intents)] }, ...[...named].map((at) => ({ levels: [quote(at)] }))];
}

function statesLine(intents: readonly IntentRecord[]): string {
  const states = ["open", "done", "superseded", "cancelled"] as const;
  const counts = states.map((state) => [state, intents.filter((one) => one.state === state).length] as const);
  const shown = counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`);
  return `The user has spoken ${intents.length} times: ${shown.join(", ")}.`;
}
