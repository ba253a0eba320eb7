import { type EntrySpan, isBlock, type Ledgers, type ViewItem } from "../../../../spec/index.ts";
import { createNamedFiles, noNamedFiles } from "../../../../view/ledgers/ledger-parts.ts";
import type { FoldingNumbers } from "../settings.ts";
import type { FoldGround, FoldUnit } from "./fold-ground.ts";

/** Finished work that could be folded. */
export interface FoldSpan extends EntrySpan {
  readonly range: ItemRange;
  readonly items: readonly ViewItem[];
  readonly tokens: number;
  /** Responses of the model in it, with what answered them. */
  readonly rounds: number;
}

export interface SpanOptions extends Pick<FoldingNumbers, "spanTokens" | "minSpanTokens"> {
  /** Ranges folded or waiting to be. */
  readonly taken: readonly ItemRange[];
  /** A span that ends where the newest work begins counts as whole, however small it is. */
  readonly takesLast?: boolean;
}

/** Spans of finished work that nothing was prepared for, oldest first. Each begins with work and ends with it. */
export function findSpans({ items, units }: FoldGround, options: SpanOptions): readonly FoldSpan[] {
  const { spanTokens, minSpanTokens, taken, takesLast = false } = options;
  const isFree = (unit: FoldUnit) =>
    unit.isOpen && !taken.some(({ from, to }) => from < unit.to && unit.from < to);
  /** More may come behind it: what has not the full size yet waits. */
  const newest = units.findLast(({ isOpen }) => isOpen);
  const spans: FoldSpan[] = [];
  let run: FoldUnit[] = [];
  const close = (isWhole: boolean) => {
    const span = toSpan(items, run);
    if (isWhole && span && span.tokens >= minSpanTokens) spans.push(span);
    run = [];
  };
  for (const unit of units) {
    if (!isFree(unit)) close(takesLast || run.at(-1) !== newest);
    else {
      run.push(unit);
      if (unit.isWork && sum(run) >= spanTokens) close(true);
    }
  }
  close(takesLast);
  return spans;
}

const sum = (units: readonly FoldUnit[]) => units.reduce((tokens, unit) => tokens + unit.tokens, 0);

function toSpan(items: readonly ViewItem[], run: readonly FoldUnit[]): FoldSpan | null {
  const first = run.findIndex(({ isWork }) => isWork);
  const last = run.findLastIndex(({ isWork }) => isWork);
  const [head, tail] = [run[first], run[last]];
  if (!head || !tail) return null;
  const range = { from: head.from, to: tail.to };
  const part = items.slice(range.from, range.to);
  const [from, to] = [part[0], part.at(-1)];
  if (!from || !to) return null;
  const work = run.slice(first, last + 1);
  const rounds = work.filter(({ isWork }) => isWork).length;
  return { range, items: part, tokens: sum(work), rounds, from: from.entry, to: to.entry };
}

/** Items from a position up to another one, which is no part of it any more. */
export interface ItemRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The smallest ranges that can be taken out of a view without cutting anything apart: a call stays with its result, and
 * a block with the others of its entry and its response. They follow each other without a gap. Positions count and not
 * sequence numbers: what a decision put into the view is younger than what stands behind it.
 */
export function indivisibleRanges(items: readonly ViewItem[]): readonly ItemRange[] {
  const lastOf = new Map<string, number>();
  for (const [at, item] of items.entries()) for (const tie of tiesOf(item)) lastOf.set(tie, at);
  const units: ItemRange[] = [];
  let from = 0;
  let tiedUpTo = -1;
  for (const [at, item] of items.entries()) {
    if (at > from && tiedUpTo < at) {
      units.push({ from, to: at });
      from = at;
    }
    for (const tie of tiesOf(item)) tiedUpTo = Math.max(tiedUpTo, lastOf.get(tie) ?? at);
  }
  if (items.length > from) units.push({ from, to: items.length });
  return units;
}

/** Names of what an item belongs to together with others. One decision may insert results in many places. */
function tiesOf({ block, response, entry, decision }: ViewItem): readonly string[] {
  const { type, id, tool_use_id: calledBy } = block as { type: string; id?: unknown; tool_use_id?: unknown };
  const call = typeof calledBy === "string" ? calledBy : type.endsWith("tool_use") ? id : undefined;
  return [
    ...(entry === decision && typeof call === "string" ? [] : [`entry ${entry}`]),
    ...(typeof call === "string" ? [`call ${call}`] : []),
    ...(response === undefined ? [] : [`response ${response}`]),
  ];
}

/** The part of the ledgers that is about a span; a copy, so that it stays as it is when entries are added. */
export function spanLedgers(ledgers: Ledgers, items: readonly ViewItem[]): Ledgers {
  const entries = new Set(items.map(({ entry }) => entry));
  const calls = new Set(items.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : [])));
  const isSaidHere = ({ entry }: { readonly entry: string }) => entries.has(entry);
  const isCalledHere = ({ toolUseId }: { readonly toolUseId: string }) => calls.has(toolUseId);
  return {
    userMessages: ledgers.userMessages.filter(isSaidHere),
    intents: ledgers.intents.filter(isSaidHere),
    orders: ledgers.orders,
    answers: ledgers.answers.filter(isSaidHere),
    findings: ledgers.findings.filter(isSaidHere),
    files: new Map([...ledgers.files].filter(([, file]) => isCalledHere(file))),
    namedFiles: namedIn(items),
    commands: ledgers.commands.filter(isCalledHere),
    olderCommands: 0,
    todos: [],
    unresolvedErrors: ledgers.unresolvedErrors.filter(isCalledHere),
    olderErrors: 0,
  };
}

function namedIn(items: readonly ViewItem[]): Ledgers["namedFiles"] {
  const named = createNamedFiles(noNamedFiles);
  for (const { block, json } of items) {
    if (!isBlock(block, "tool_use") && !isBlock(block, "tool_result")) continue;
    named.read(json);
    if (isBlock(block, "tool_result")) named.next();
  }
  return named.files;
}
