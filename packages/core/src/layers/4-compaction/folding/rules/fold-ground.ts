import { todoTools } from "../../../../catalog/known-tools.ts";
import {
  type EntrySpan,
  type Facts,
  isBlock,
  type Ledgers,
  type View,
  type ViewItem,
} from "../../../../spec/index.ts";
import { deletedResults } from "../../../../view/cache-edits.ts";
import { newestRoundFrom } from "../../../../view/newest-answer.ts";
import { isRuleLike } from "../../../../view/scribe/index.ts";
import { estimateBlock, estimateContent } from "../../../../view/tokens/index.ts";
import type { FoldingNumbers } from "../settings.ts";
import { type ItemRange, indivisibleRanges } from "./find-spans.ts";

/** A part of the view that can only be folded whole. */
export interface FoldUnit extends ItemRange {
  readonly tokens: number;
  /** Finished work; otherwise it stays as it is. */
  readonly isOpen: boolean;
  /** The model has a part in it. */
  readonly isWork: boolean;
}

/** The view as folding sees it. */
export interface FoldGround {
  readonly items: readonly ViewItem[];
  readonly units: readonly FoldUnit[];
}

export interface FoldGroundOptions {
  readonly measure: ItemMeasure;
  readonly numbers: Pick<FoldingNumbers, "keepTokens" | "keepRounds">;
  /** Spans that were folded once and undone. */
  readonly spared?: readonly EntrySpan[];
}

/** Units of the view, and which of them are finished: none of the newest work, nothing that no model has been asked with, nothing before the last boundary. */
export function foldGround(
  { items, ledgers, boundarySeq = 0 }: Pick<View, "items" | "ledgers" | "boundarySeq">,
  { measure, numbers, spared = [] }: FoldGroundOptions,
): FoldGround {
  const first = items.findLastIndex(({ seq }) => seq <= boundarySeq) + 1;
  const isUnfoldable = createUnfoldable(items, ledgers);
  const unseenFrom = newestRoundFrom(items);
  const sparedItems = spared.map((span) => rangeOf(items, span));
  const ranges = indivisibleRanges(items).map((range): FoldUnit => {
    const part = items.slice(range.from, range.to);
    const last = part.at(-1);
    const isSpared = sparedItems.some((span) => span && span.from < range.to && range.from < span.to);
    const isSolid = last !== undefined && last.entry !== last.decision;
    return {
      ...range,
      tokens: part.reduce((sum, item) => sum + measure.item(item), 0),
      isOpen:
        range.from >= first && range.to <= unseenFrom && isSolid && !isSpared && !part.some(isUnfoldable),
      isWork: part.some(({ role }) => role === "assistant"),
    };
  });
  const end = newestFrom(ranges, numbers);
  return { items, units: ranges.map((unit, at) => (at < end ? unit : { ...unit, isOpen: false })) };
}

/** The unit with which the newest work begins. */
function newestFrom(
  units: readonly FoldUnit[],
  { keepTokens, keepRounds }: FoldGroundOptions["numbers"],
): number {
  let [tokens, rounds, at] = [0, 0, units.length];
  while (at > 0 && (tokens < keepTokens || rounds < keepRounds)) {
    at -= 1;
    const unit = units[at] as FoldUnit;
    tokens += unit.tokens;
    if (unit.isWork) rounds += 1;
  }
  return at;
}

/** Where a span stands, by its entries. */
export function rangeOf(items: readonly ViewItem[], { from, to }: EntrySpan): ItemRange | null {
  const first = items.findIndex(({ entry }) => entry === from);
  const last = items.findLastIndex(({ entry }) => entry === to);
  return first === -1 || last < first ? null : { from: first, to: last + 1 };
}

/**
 * Says of items whether they stay as they are, wherever they stand: what a decision put there, what nobody said
 * (rules, notices), calls that hold open to-dos, and what the user said, unless it is settled, reads like no rule for
 * later, and is neither the first nor the last of it.
 */
function createUnfoldable(
  items: readonly ViewItem[],
  ledgers: Pick<Ledgers, "userMessages" | "intents" | "todos">,
): (item: ViewItem) => boolean {
  const settled = settledWords(ledgers);
  const todoCalls = openTodoCalls(items, ledgers.todos);
  return ({ role, block, entry, decision }) => {
    if (isBlock(block, "tool_use")) return todoCalls.has(block.id);
    if (isBlock(block, "tool_result")) return todoCalls.has(block.tool_use_id);
    if (entry === decision) return true;
    return role === "user" && !settled.has(entry);
  };
}

/** Entries of what the user said that may be folded with the work it led to. */
function settledWords({
  userMessages,
  intents,
}: Pick<Ledgers, "userMessages" | "intents">): ReadonlySet<string> {
  const open = new Set(intents.flatMap(({ entry, state }) => (state === "open" ? entry : [])));
  const between = userMessages.slice(1, -1);
  return new Set(between.flatMap(({ entry, text }) => (open.has(entry) || isRuleLike(text) ? [] : entry)));
}

const isOpen = ({ status }: Ledgers["todos"][number]) => status === "pending" || status === "in_progress";

/** The calls that say which to-dos are open: the newest whole list, and those that created or changed one of them. */
function openTodoCalls(items: readonly ViewItem[], todos: Ledgers["todos"]): ReadonlySet<string> {
  const open = todos.filter(isOpen);
  if (open.length === 0) return new Set();
  const calls = items.flatMap(({ block }) => (isBlock(block, "tool_use") ? block : []));
  const newestList = calls.findLast(({ name }) => todoTools.get(name) === "replace");
  const isAbout = (input: unknown) => {
    const { taskId, subject } = (input ?? {}) as { readonly taskId?: unknown; readonly subject?: unknown };
    return open.some(({ id, content }) => subject === content || (id !== undefined && String(taskId) === id));
  };
  const single = calls.filter(({ name, input }) => {
    const manner = todoTools.get(name);
    return (manner === "create" || manner === "update") && isAbout(input);
  });
  return new Set([...(newestList ? [newestList.id] : []), ...single.map(({ id }) => id)]);
}

/** How far what the session counts may be from the plain rule. */
const [leastScale, mostScale] = [0.5, 4];

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, number>();

/** Tokens as the view counts them, by the plain rule scaled to the whole of it. */
export interface ItemMeasure {
  item(item: ViewItem): number;
  text(text: string): number;
}

/** Results the provider has deleted count nothing. */
export function measureView(
  { items, count }: Pick<View, "items" | "count">,
  { headTokens = 0 }: Pick<Facts, "headTokens">,
): ItemMeasure {
  const deleted = deletedResults(items);
  const plain = (item: ViewItem) =>
    isBlock(item.block, "tool_result") && deleted.has(item.block.tool_use_id) ? 0 : tokensOf(item);
  const all = items.reduce((sum, item) => sum + plain(item), 0);
  const counted = (count.tokens - headTokens) / Math.max(1, all);
  const scale = Math.min(mostScale, Math.max(leastScale, counted));
  return {
    item: (item) => plain(item) * scale,
    text: (text) => estimateContent(text) * scale,
  };
}

function tokensOf(item: ViewItem): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const tokens = estimateBlock(item.block);
  known.set(item, tokens);
  return tokens;
}
