import type {
  CacheEditDecision,
  ClearDecision,
  CompactDecision,
  ContentBlock,
  Decision,
  FoldDecision,
  OffloadDecision,
  SnipDecision,
  StripThinkingDecision,
  ViewItem,
} from "../../spec/index.ts";
import { isCacheEdit } from "../cache-edits.ts";
import { isThinkingBlock } from "../request/violation.ts";
import {
  blockReplacements,
  mayReplace,
  partKey,
  promptPreview,
  withoutStoredBlocks,
} from "./block-replacements.ts";
import { keptItems } from "./item-list.ts";
import { type ItemOrigin, messageItems, toItem, withBlock } from "./message-items.ts";
import { repairedItems } from "./repaired-items.ts";

/** A decision where it stands in the log. */
export interface PlacedDecision<D extends Decision = Decision> {
  readonly decision: D;
  readonly id: string;
  readonly seq: number;
}

/**
 * The items once a decision is applied to them; the same array where it changes nothing. Total: what a decision
 * targets and is not there is passed over. `restore` and `rewind` act on decisions and entries, not on items.
 */
export function decidedItems(items: readonly ViewItem[], placed: PlacedDecision): readonly ViewItem[] {
  const { decision, id, seq } = placed;
  const origin: ItemOrigin = { entry: id, seq, decision: id };
  switch (decision.type) {
    case "offload":
    case "clear":
      return applyReplacement(items, decision, id);
    case "snip":
      return applySnip(items, decision, origin);
    case "fold":
      return applyFold(items, decision, origin);
    case "compact":
      return applyCompaction(items, decision, origin);
    case "repair":
      return repairedItems(items, decision, origin);
    case "strip-thinking":
      return withoutThinking(items, decision);
    case "cache-edit":
      return applyCacheEdit(items, decision, origin);
    case "restore":
    case "rewind":
      return items;
  }
}

function applyReplacement(
  items: readonly ViewItem[],
  decision: OffloadDecision | ClearDecision,
  id: string,
): readonly ViewItem[] {
  const replacements = blockReplacements(decision);
  const now = items.map((item) => {
    const preview = promptPreview(decision, item);
    if (preview !== undefined) return withBlock(item, { type: "text", text: preview }, id);
    const key = partKey(item.block);
    const replace = key === null ? undefined : replacements.get(key);
    return replace && mayReplace(decision, item) ? withBlock(item, replace(item.block), id) : item;
  });
  return withoutStoredBlocks(now, decision, id);
}

/** The block that asks for the edit stands behind what was the newest one when it was decided. */
function applyCacheEdit(
  items: readonly ViewItem[],
  { behind, edit }: CacheEditDecision,
  origin: ItemOrigin,
): readonly ViewItem[] {
  if (behind === undefined) return items;
  const at = items.findLastIndex(({ entry, index }) => entry === behind.entry && index === behind.block) + 1;
  if (at === 0) return items;
  return [...items.slice(0, at), toItem(edit as ContentBlock, "user", 0, origin), ...items.slice(at)];
}

function applySnip(
  items: readonly ViewItem[],
  { entries, marker }: SnipDecision,
  origin: ItemOrigin,
): readonly ViewItem[] {
  const gone = new Set(entries);
  return collapseItems(items, (item) => gone.has(item.entry), marker, origin);
}

/** The span from one entry's first item to another's last, by position. */
function applyFold(
  items: readonly ViewItem[],
  { from, to, summary }: FoldDecision,
  origin: ItemOrigin,
): readonly ViewItem[] {
  const first = items.findIndex((item) => item.entry === from);
  const last = items.findLastIndex((item) => item.entry === to);
  if (first === -1 || last < first) return items;
  const span = new Set(items.slice(first, last + 1));
  return collapseItems(items, (item) => span.has(item), summary, origin);
}

/** Removes what matches and puts a text where the first of it stood. */
function collapseItems(
  items: readonly ViewItem[],
  matches: (item: ViewItem) => boolean,
  text: string,
  origin: ItemOrigin,
): readonly ViewItem[] {
  const first = items.findIndex(matches);
  if (first === -1) return items;
  const marker = toItem({ type: "text", text }, "user", 0, origin);
  const rest = items.slice(first).filter((item) => !matches(item));
  return [...items.slice(0, first), marker, ...rest];
}

/**
 * Replaces the view at the basis by the summary; what came later stays behind it. Cache edits end here: the prefix they
 * are about is no longer sent.
 */
function applyCompaction(
  before: readonly ViewItem[],
  decision: CompactDecision,
  origin: ItemOrigin,
): readonly ViewItem[] {
  const items = before.filter((item) => !isCacheEdit(item));
  const { basis, kept, summary, attachments } = decision;
  const covered = items.findLastIndex((item) => item.seq <= basis) + 1;
  const segment = keptItems(items.slice(0, covered), kept);
  const background = [...(summary ? [summary] : []), ...attachments].flatMap((message, index) =>
    messageItems(message, origin).map((item) => ({ ...item, index: index * blocksPerMessage + item.index })),
  );
  const summaryItems = summary ? messageItems(summary, origin).length : 0;
  const order =
    kept?.anchor === "boundary"
      ? [...segment, ...background]
      : [...background.slice(0, summaryItems), ...segment, ...background.slice(summaryItems)];
  return [...order, ...items.slice(covered)];
}

/** Keeps the places of a compaction's own blocks apart, message by message. */
const blocksPerMessage = 1000;

function withoutThinking(items: readonly ViewItem[], { upTo }: StripThinkingDecision): readonly ViewItem[] {
  const last = items.findLastIndex((item) => item.entry === upTo);
  return last === -1 ? items : items.filter(({ block }, index) => index > last || !isThinkingBlock(block));
}
