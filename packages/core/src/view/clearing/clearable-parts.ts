import { clearableInputTools, clearableTools } from "../../catalog/known-tools.ts";
import {
  type ContentBlock,
  isBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { deletedBy, isCacheEdit } from "../cache-edits.ts";
import { readToolCall, type ToolCall } from "../ledgers/tool-call.ts";
import { replacementsIn } from "../projection/repaired-items.ts";
import { estimateBlock, estimateContent } from "../tokens/index.ts";
import { clearedInputLabel, clearedText, clearLabel } from "./clear-label.ts";

/** A part of a tool call that stands in the view and could be cleared. */
export interface ClearablePart {
  readonly part: "result" | "input";
  readonly toolUseId: string;
  readonly block: ContentBlock;
  readonly call: ToolCall;
  readonly isError: boolean;
  /** Where it stands in the view. */
  readonly position: number;
  readonly seq: number;
  readonly tokens: number;
  readonly label: string;
  readonly labelTokens: number;
}

/** Inputs smaller than this are not worth a label. */
const minInputTokens = 200;

type PartSizes = Pick<ClearablePart, "tokens" | "label" | "labelTokens">;

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, ClearablePart | null>();
const calls = new WeakMap<ViewItem, ToolCall>();

/** The newest call with an id, and where it stands. */
interface PlacedUse {
  readonly item: ViewItem;
  readonly position: number;
}

/** How far a list of items was looked at, and what was found. */
interface ScanState {
  /** Items and replacements of items that were looked at. */
  items: number;
  replacements: number;
  readonly uses: Map<string, PlacedUse>;
  readonly logAddress: string | undefined;
  /** Another list once parts were taken out of it. */
  parts: ClearablePart[];
  readonly deleted: ClearablePart[];
  hasEdits: boolean;
}

const lists = new WeakMap<readonly ViewItem[], ScanState>();

/**
 * The parts that could be cleared, in the order of the view; valid until the next call. What was cleared before, or
 * deleted by a cache edit, is not among them. Of a view's list only what is new or was replaced is looked at. Labels name
 * `logAddress` where the model has no tool to recall with; it is the same for all calls about an item.
 */
export function clearableParts(items: readonly ViewItem[], logAddress?: string): readonly ClearablePart[] {
  return lookAt(items, logAddress).parts;
}

/** The results that cache edits in the view have deleted, in its order. */
export function deletedParts(items: readonly ViewItem[], logAddress?: string): readonly ClearablePart[] {
  return lookAt(items, logAddress).deleted;
}

function lookAt(items: readonly ViewItem[], logAddress: string | undefined): ScanState {
  const replaced = replacementsIn(items);
  const known = replaced && lists.get(items);
  const isKnown = known && replaced && takeReplaced(known, items, replaced);
  const looked = isKnown ? known : nothingLooked(logAddress, replaced);
  if (replaced) lists.set(items, looked);
  for (; looked.items < items.length; looked.items += 1) {
    const item = items[looked.items] as ViewItem;
    if (isCacheEdit(item)) setAside(looked, new Set(deletedBy(item)));
    const part = look(item, looked.items, looked);
    if (part) looked.parts.push(part);
  }
  return looked;
}

function nothingLooked(logAddress: string | undefined, replaced: readonly number[] = []): ScanState {
  return {
    items: 0,
    replacements: replaced.length,
    uses: new Map(),
    logAddress,
    parts: [],
    deleted: [],
    hasEdits: false,
  };
}

function setAside(looked: ScanState, toolUseIds: ReadonlySet<string>): void {
  const isDeleted = ({ part, toolUseId }: ClearablePart) => part === "result" && toolUseIds.has(toolUseId);
  looked.deleted.push(...looked.parts.filter(isDeleted));
  looked.parts = looked.parts.filter((part) => !isDeleted(part));
  looked.hasEdits = true;
}

/** Looks at items that were replaced since. `false` where what stands behind them may be another one because of it. */
function takeReplaced(looked: ScanState, items: readonly ViewItem[], replaced: readonly number[]): boolean {
  const positions = new Set<number>();
  for (let at = looked.replacements; at < replaced.length; at += 1)
    if ((replaced[at] as number) < looked.items) positions.add(replaced[at] as number);
  looked.replacements = replaced.length;
  if (positions.size === 0) return true;
  if (looked.hasEdits) return false;
  const found: ClearablePart[] = [];
  for (const position of positions) {
    const item = items[position] as ViewItem;
    if (isCalledLater(item, position, looked.uses)) return false;
    const part = look(item, position, looked);
    if (part) found.push(part);
  }
  const stayed = looked.parts.filter((part) => !positions.has(part.position));
  looked.parts = found.length === 0 ? stayed : [...stayed, ...found].sort((a, b) => a.position - b.position);
  return true;
}

/** Whether the newest call with the id of an item stands behind it: the item is of another one. */
function isCalledLater({ block }: ViewItem, position: number, uses: ScanState["uses"]): boolean {
  const id = isBlock(block, "tool_use") ? block.id : isBlock(block, "tool_result") ? block.tool_use_id : "";
  return (uses.get(id)?.position ?? -1) > position;
}

type Calls = Pick<ScanState, "uses" | "logAddress">;

function look(item: ViewItem, position: number, { uses, logAddress }: Calls): ClearablePart | null {
  const { block } = item;
  if (isBlock(block, "tool_use")) {
    if (!clearableTools.has(block.name)) return null;
    uses.set(block.id, { item, position });
  } else if (!isBlock(block, "tool_result") || !uses.has(block.tool_use_id)) return null;
  const before = known.get(item);
  if (before === null) return null;
  const part = before?.position === position ? before : partAt(item, position, before, { uses, logAddress });
  known.set(item, part);
  return part;
}

function partAt(
  item: ViewItem,
  position: number,
  before: ClearablePart | undefined,
  { uses, logAddress }: Calls,
): ClearablePart | null {
  if (before) return { ...before, position };
  const { block, seq } = item;
  if (isBlock(block, "tool_use")) {
    const sized =
      item.decision === undefined && clearableInputTools.has(block.name)
        ? largeInput(item, block, logAddress)
        : null;
    if (!sized) return null;
    return {
      part: "input",
      toolUseId: block.id,
      block,
      call: callOf(item),
      isError: false,
      position,
      seq,
      ...sized,
    };
  }
  if (!isBlock(block, "tool_result") || isCleared(block)) return null;
  const { item: use } = uses.get(block.tool_use_id) as PlacedUse;
  const { tool_use_id: toolUseId } = block;
  const isError = block.is_error === true;
  const sized = sizedResult(item, block, use.block as ToolUseBlock, logAddress);
  return { part: "result", toolUseId, block, call: callOf(use), isError, position, seq, ...sized };
}

function callOf(item: ViewItem): ToolCall {
  const known = calls.get(item) ?? readToolCall(item.block as ToolUseBlock);
  calls.set(item, known);
  return known;
}

function sizedResult(
  item: ViewItem,
  block: ToolResultBlock,
  use: ToolUseBlock,
  logAddress: string | undefined,
): PartSizes {
  const bytes = item.json.length;
  const label = clearLabel({ tool: use.name, input: use.input, toolUseId: use.id, bytes, logAddress });
  return { tokens: estimateBlock(block), label, labelTokens: estimateContent(label) };
}

function largeInput(item: ViewItem, block: ToolUseBlock, logAddress: string | undefined): PartSizes | null {
  const tokens = estimateBlock(block);
  if (tokens < minInputTokens) return null;
  const { name: tool, input, id: toolUseId } = block;
  const label = clearedInputLabel({ tool, input, toolUseId, bytes: item.json.length, logAddress });
  return { tokens, label, labelTokens: estimateBlock({ ...block, input: { cleared: label } }) };
}

function isCleared({ content }: ToolResultBlock): boolean {
  return typeof content === "string" && content.startsWith(clearedText);
}
