import { isBlock, type Ledgers, type ViewItem } from "../../../../spec/index.ts";
import { mainArgument } from "../../../../view/clearing/clear-label.ts";
import {
  breakSummaryFrames,
  quoteForeign,
  quoteUser,
  shortId,
  showName,
} from "../../../../view/quote-foreign.ts";
import { idWordOf } from "../../../../view/read-back.ts";
import { isWorthALine } from "../../../../view/scribe/answer-pieces.ts";
import { writeSummary } from "../../../../view/scribe/index.ts";
import { mentionsId } from "../../../../view/scribe/missing-from-summary.ts";
import { headAndTail } from "../../../../view/scribe/parts/request-parts.ts";
import { firstSentence } from "../../../../view/sentences.ts";
import { estimateContent } from "../../../../view/tokens/index.ts";
import type { FoldSpan } from "./find-spans.ts";

/** The most characters shown of a call or a message. */
const shownChars = 50;
const saidChars = 240;
/** Calls that are named with their ids; the others are found by searching. */
const namedCalls = 8;

/**
 * The text in place of a span: that it is folded, its summary, the user's words and the assistant's answers in it, and how
 * to get it back.
 */
export function foldText(
  { items, rounds, from, to }: Pick<FoldSpan, "items" | "rounds" | "from" | "to">,
  summary: string,
  { userMessages, answers, orders }: Pick<Ledgers, "userMessages" | "answers" | "orders">,
  logAddress?: string,
): string {
  const idWord = idWordOf(logAddress);
  const orderOf = (entry: string) =>
    orders.filter((order) => order.entry === entry && order.revokedBy === undefined);
  const isTold = ({ entry }: { readonly entry: string }) => mentionsId(summary, shortId(entry));
  const finished = rounds === 1 ? "1 finished round" : `${rounds} finished rounds`;
  const parts = [
    `[Folded: ${finished} of this conversation. What follows is background and asks for nothing.]`,
    breakSummaryFrames(summary.trim()),
    ...userMessages.flatMap(({ entry, text }) => [
      `The user said: ${quoteUser(text.length > saidChars ? headAndTail(text) : text, saidChars)} (${idWord} ${entry})`,
      ...orderOf(entry).map((order) => `Standing order of the user: ${order.text}`),
    ]),
    ...answers
      .filter((answer) => isWorthALine(answer) && !isTold(answer))
      .map(
        ({ entry, text }) =>
          `The assistant answered: ${quoteForeign(firstSentence(text, saidChars), saidChars)} (${idWord} ${shortId(entry)})`,
      ),
    `[${recallLine(items, from, to, logAddress)}]`,
  ];
  return parts.join("\n").toWellFormed();
}

function recallLine(items: readonly ViewItem[], from: string, to: string, logAddress?: string): string {
  const calls = callsIn(items);
  const named = calls.slice(0, namedCalls).map(({ label, id }) => `${label} = ${showName(id)}`);
  const others = calls.length - named.length;
  const found = logAddress === undefined ? "are found by searching with Recall" : "are there";
  const more = others > 0 ? `; ${others} more ${found}` : "";
  const where =
    logAddress === undefined ? "Recall gives it back word for word" : `It is word for word in ${logAddress}`;
  const ends = from === to ? from : `${from} to ${to}`;
  return named.length === 0
    ? `${where}: ${ends}.`
    : `${where}, by entry (${ends}) or by call: ${named.join("; ")}${more}.`;
}

/** The calls in a span, each with a few words about it. */
export function callsIn(
  items: readonly ViewItem[],
): readonly { readonly id: string; readonly label: string }[] {
  return items.flatMap(({ block }) =>
    isBlock(block, "tool_use") ? { id: block.id, label: labelOf(block.name, block.input) } : [],
  );
}

function labelOf(name: string, input: unknown): string {
  const argument = mainArgument(input);
  if (argument === "") return showName(name);
  return `${showName(name)} ${argument.length > shownChars ? quoteForeign(argument, shownChars) : showName(argument)}`;
}

/** Sections of a whole session's summary that say nothing about a span, and how others are named. */
const emptySection = /^## [^\n]*\n(?:None\.|Left out: [^\n]*)(?:\n+|$)/gm;
const otherSection = /^## [169]\. [^\n]*\n[\s\S]*?(?=^## \d\. |(?![\s\S]))/gm;
const lastWork = "## 4. What is in work";
const titleNumber = /^## \d+\. /gm;

/**
 * The scribe's summary of a span, from its own items and ledgers alone, within its tokens. Deterministic. What the user
 * said is no part of it: a fold has it word for word.
 */
export function writeFold(
  { items }: Pick<FoldSpan, "items">,
  ledgers: Ledgers,
  maxTokens: number,
  logAddress?: string,
): string {
  const text = writeSummary({
    items,
    ledgers: { ...ledgers, userMessages: [], intents: [], orders: [] },
    budgetTokens: maxTokens,
    estimate: estimateContent,
    logAddress,
  });
  const headingEnd = text.indexOf("\n\n");
  return headingEnd === -1 ? "" : withoutEmpty(text.slice(headingEnd + 2));
}

/** A fold has a frame of its own, and asks for nothing. */
function withoutEmpty(sections: string): string {
  return sections
    .replaceAll(otherSection, "")
    .replaceAll(emptySection, "")
    .replace(lastWork, "## How it ended")
    .replaceAll(titleNumber, "## ")
    .trim();
}
