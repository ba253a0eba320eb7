import {
  type ContentBlock,
  isBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { deletedBy, isCacheEdit } from "../cache-edits/deleted-results.ts";
import { readToolCall, type ToolCall } from "../ledgers/tool-call.ts";
import { estimateBlock, estimateContent } from "../tokens/index.ts";
import { clearedInputLabel, clearedText, clearLabel } from "./clear-label.ts";
import { clearableTools } from "./clearable-tools.ts";

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
const minInputTokens = 500;
/** File tools whose inputs hold whole texts. */
const bodyTools: ReadonlySet<string> = new Set(["Write", "write", "write_file", "Edit", "edit", "replace"]);

type Sized = Pick<ClearablePart, "tokens" | "label" | "labelTokens">;

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, ClearablePart | null>();
const calls = new WeakMap<ViewItem, ToolCall>();

/** How far a list of items was looked at, and what was found. */
interface Looked {
  readonly items: ViewItem[];
  readonly uses: Map<string, ViewItem>;
  parts: ClearablePart[];
  readonly deleted: ClearablePart[];
}

const lists = new WeakMap<readonly ViewItem[], Looked>();

/**
 * The parts that could be cleared, in the order of the view; valid until the next call. What was cleared before, or
 * deleted by a cache edit, is not among them. Items that are the very ones of the call before for the same list are
 * only compared, not looked at.
 */
export function clearableParts(items: readonly ViewItem[]): readonly ClearablePart[] {
  return lookAt(items).parts;
}

/** The results that cache edits in the view have deleted, in its order. */
export function deletedParts(items: readonly ViewItem[]): readonly ClearablePart[] {
  return lookAt(items).deleted;
}

function lookAt(items: readonly ViewItem[]): Looked {
  const looked = sameBeginning(items);
  lists.set(items, looked);
  for (let position = looked.items.length; position < items.length; position += 1) {
    const item = items[position] as ViewItem;
    looked.items.push(item);
    if (isCacheEdit(item)) setAside(looked, new Set(deletedBy(item)));
    const part = look(item, position, looked.uses);
    if (part) looked.parts.push(part);
  }
  return looked;
}

function setAside(looked: Looked, toolUseIds: ReadonlySet<string>): void {
  const isDeleted = ({ part, toolUseId }: ClearablePart) => part === "result" && toolUseIds.has(toolUseId);
  looked.deleted.push(...looked.parts.filter(isDeleted));
  looked.parts = looked.parts.filter((part) => !isDeleted(part));
}

function sameBeginning(items: readonly ViewItem[]): Looked {
  const before = lists.get(items);
  const isSame =
    before && before.items.length <= items.length && before.items.every((item, at) => item === items[at]);
  return isSame ? before : { items: [], uses: new Map(), parts: [], deleted: [] };
}

function look(item: ViewItem, position: number, uses: Map<string, ViewItem>): ClearablePart | null {
  const { block } = item;
  if (isBlock(block, "tool_use")) {
    if (!clearableTools.has(block.name)) return null;
    uses.set(block.id, item);
  } else if (!isBlock(block, "tool_result") || !uses.has(block.tool_use_id)) return null;
  const before = known.get(item);
  if (before === null) return null;
  const part = before?.position === position ? before : partAt(item, position, before, uses);
  known.set(item, part);
  return part;
}

function partAt(
  item: ViewItem,
  position: number,
  before: ClearablePart | undefined,
  uses: ReadonlyMap<string, ViewItem>,
): ClearablePart | null {
  if (before) return { ...before, position };
  const { block, seq } = item;
  if (isBlock(block, "tool_use")) {
    const sized = item.decision === undefined && bodyTools.has(block.name) ? largeInput(item, block) : null;
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
  const use = uses.get(block.tool_use_id) as ViewItem;
  const { tool_use_id: toolUseId } = block;
  const isError = block.is_error === true;
  const sized = sizedResult(item, block, use.block as ToolUseBlock);
  return { part: "result", toolUseId, block, call: callOf(use), isError, position, seq, ...sized };
}

function callOf(item: ViewItem): ToolCall {
  const known = calls.get(item) ?? readToolCall(item.block as ToolUseBlock);
  calls.set(item, known);
  return known;
}

function sizedResult(item: ViewItem, block: ToolResultBlock, use: ToolUseBlock): Sized {
  const bytes = item.json.length;
  const label = clearLabel({ tool: use.name, input: use.input, toolUseId: use.id, bytes });
  return { tokens: estimateBlock(block), label, labelTokens: estimateContent(label) };
}

function largeInput(item: ViewItem, block: ToolUseBlock): Sized | null {
  const tokens = estimateBlock(block);
  if (tokens < minInputTokens) return null;
  const { name: tool, input, id: toolUseId } = block;
  const label = clearedInputLabel({ tool, input, toolUseId, bytes: item.json.length });
  return { tokens, label, labelTokens: estimateContent(label) };
}

function isCleared({ content }: ToolResultBlock): boolean {
  return typeof content === "string" && content.startsWith(clearedText);
}
