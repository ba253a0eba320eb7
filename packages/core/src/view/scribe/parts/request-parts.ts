import type { IntentState, Ledgers, UserMessageRecord } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/ledger-parts.ts";
import { firstChars, quoteUser, shortId } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { lastChars, oneLine, type Piece } from "../piece.ts";
import { isRuleLike } from "../read-session.ts";

const headChars = 90;
const tailChars = 70;
const cutChars = 1_200;
const requestChars = 240;
/** How many open requests are named, the newest ones. */
const maxOpenRequests = 8;

export interface RequestParts {
  /** How the session began, and what is still wanted. */
  readonly overview: readonly Piece[];
  /** Which requests are settled, and how. */
  readonly states: readonly Piece[];
  /** Every message of the user's, oldest first: its head and tail on one line, cut, whole. */
  readonly messages: readonly Piece[];
  readonly newest: readonly Piece[];
  readonly first: readonly Piece[];
  /** Newest first, as are the rest. */
  readonly rules: readonly Piece[];
  readonly others: readonly Piece[];
}

export function requestParts(ledgers: Ledgers, idWord: IdWord = "recall"): RequestParts {
  const { userMessages } = ledgers;
  const messages = userMessages.map((message, at) =>
    messagePiece(message, `${at + 1} · ${stateMark(ledgers, at)}`, idWord),
  );
  const isRule = userMessages.map(({ text }) => isRuleLike(text));
  const last = messages.length - 1;
  const middle = messages
    .map((_piece, at) => at)
    .slice(1, -1)
    .reverse();
  const piecesAt = (positions: readonly number[]) => positions.flatMap((at) => messages[at] ?? []);
  return {
    overview: overviewPieces(ledgers),
    states: statePieces(ledgers),
    messages,
    newest: piecesAt(last < 0 ? [] : [last]),
    first: piecesAt(last < 1 ? [] : [0]),
    rules: piecesAt(middle.filter((at) => isRule[at])),
    others: piecesAt(middle.filter((at) => !isRule[at])),
  };
}

/**
 * How a message is marked. What binds from now on is never marked as ended while it is in force, whatever became of what
 * else was asked there.
 */
export function stateMark({ userMessages, intents, orders }: Ledgers, at: number): string {
  const entry = userMessages[at]?.entry;
  const state = intents[at]?.state ?? "open";
  const own = orders.filter((order) => order.entry === entry);
  if (own.some(({ revokedBy }) => revokedBy === undefined)) {
    return intents[at]?.isStanding ? "standing order" : `standing order, the rest is ${state}`;
  }
  return intents[at]?.isStanding && own.length > 0 ? "revoked order" : state;
}

function messagePiece({ entry, text }: UserMessageRecord, mark: string, idWord: IdWord): Piece {
  const whole = `[${mark}] ${text}`;
  const line = `[${mark} · ${idWord} ${shortId(entry)}] ${headAndTail(text)}`;
  if (whole.length <= line.length) return { levels: [whole] };
  const cut =
    text.length > cutChars ? [`[${mark} · ${idWord} ${shortId(entry)}] ${boundedText(text, cutChars)}`] : [];
  return { levels: [line, ...cut, whole] };
}

/** Where there is no room to name them all. */
export function messagesLeftOut(count: number): string {
  return `[… ${count.toLocaleString("en-US")} more of the user's messages are in the log only: they are found by their words …]`;
}

/** A message on one line: how it begins and how it ends, since what is asked often stands last. */
export function headAndTail(text: string): string {
  const most = headChars + tailChars;
  if (text.length <= most * 4 && oneLine(text, most * 4).length <= most) return oneLine(text, most);
  const [head, tail] = [firstChars(text, headChars * 4), lastChars(text, tailChars * 4)];
  const onOneLine = (part: string) => part.replaceAll(/[\s\u0085]+/g, " ").trim();
  return `${firstChars(onOneLine(head), headChars).trimEnd()} […] ${lastChars(onOneLine(tail), tailChars).trimStart()}`;
}

/** Positions of the requests that are still wanted; orders that bind from now on are none. */
export function openRequests({ intents }: Pick<Ledgers, "intents">): readonly number[] {
  return intents.flatMap(({ state, isStanding }, at) => (state === "open" && !isStanding ? [at] : []));
}

function overviewPieces(ledgers: Ledgers): readonly Piece[] {
  const { userMessages } = ledgers;
  if (userMessages.length === 0) return [];
  const quote = (at: number) =>
    `- Message ${at + 1} (${stateMark(ledgers, at)}): ${quoteUser(cutMiddle(userMessages[at]?.text ?? ""), requestChars + 40)}`;
  const open = openRequests(ledgers);
  const [first] = userMessages.keys();
  const named = open.filter((at) => at !== first).slice(-maxOpenRequests);
  const isNewestDone = !named.includes(userMessages.length - 1) && userMessages.length > 1;
  const isAnswered = (at: number) =>
    isAnsweredBefore(ledgers, userMessages[at]?.seq, userMessages[at + 1]?.seq);
  return [
    { label: "How it began:", levels: [quote(0)] },
    ...named
      .filter(isAnswered)
      .map((at) => ({ label: "Answered, and not surely settled:", levels: [quote(at)] })),
    ...named
      .filter((at) => !isAnswered(at))
      .map((at) => ({ label: "Still wanted, oldest first:", levels: [quote(at)] })),
    ...(isNewestDone
      ? [{ label: "What the user said last:", levels: [quote(userMessages.length - 1)] }]
      : []),
  ];
}

/** Whether the agent answered between two messages of the user's. */
function isAnsweredBefore({ answers }: Ledgers, from = 0, to = Number.POSITIVE_INFINITY): boolean {
  return answers.some(({ seq }) => seq > from && seq < to);
}

function cutMiddle(text: string): string {
  if (text.length <= requestChars) return text;
  return `${firstChars(text, requestChars / 2).trimEnd()} […] ${lastChars(text, requestChars / 2).trimStart()}`;
}

function statePieces(ledgers: Ledgers): readonly Piece[] {
  const { intents, userMessages } = ledgers;
  const isAnswered = (at: number) =>
    isAnsweredBefore(ledgers, userMessages[at]?.seq, userMessages[at + 1]?.seq);
  const numbersOf = (wanted: IntentState, isWanted: (at: number) => boolean) =>
    intents.flatMap(({ state, isStanding }, at) =>
      state === wanted && !isStanding && isWanted(at) ? [at + 1] : [],
    );
  const shown = [
    ["done", numbersOf("done", () => true)],
    ["superseded", numbersOf("superseded", () => true)],
    ["cancelled", numbersOf("cancelled", () => true)],
    ["open", numbersOf("open", (at) => !isAnswered(at))],
    ["answered, and not surely settled", numbersOf("open", isAnswered)],
  ] as const;
  const lists = shown.flatMap(([name, numbers]) =>
    numbers.length === 0 ? [] : [`${name}: ${ranges(numbers)}`],
  );
  return lists.length === 0
    ? []
    : [{ levels: [`The user's messages by their numbers: ${lists.join("; ")}.`] }];
}

/** `1–3, 5`. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const one of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === one - 1) last[1] = one;
    else runs.push([one, one]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
