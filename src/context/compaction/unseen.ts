import { isBlock, type ToolResultBlock, type ToolUseBlock, type ViewItem } from "../../spec/index.ts";
import { readAttachmentText } from "../projection/attachment-text.ts";

/** Position behind the assistant's newest word: no model has answered what stands from here on. */
export function unseenFrom(items: readonly ViewItem[]): number {
  return items.findLastIndex(({ role }) => role === "assistant") + 1;
}

/** A result that no model has seen, with the call it answers. */
export interface UnseenResult {
  readonly item: ViewItem;
  readonly block: ToolResultBlock;
  readonly call?: ToolUseBlock;
}

/** The results that no model has seen, in the order of the view. */
export function unseenResults(items: readonly ViewItem[]): readonly UnseenResult[] {
  const results = items.slice(unseenFrom(items)).flatMap((item) => {
    const { block } = item;
    return isBlock(block, "tool_result") ? [{ item, block }] : [];
  });
  if (results.length === 0) return [];
  const calls = new Map(
    items.flatMap(({ block }) => (isBlock(block, "tool_use") ? [[block.id, block]] : [])),
  );
  return results.map((one) => {
    const call = calls.get(one.block.tool_use_id);
    return { ...one, ...(call && { call }) };
  });
}

/** What was said in one message that no model has heard. */
export interface UnheardWords {
  readonly entry: string;
  readonly seq: number;
  readonly text: string;
}

/** What the user said and no model has heard, message by message. What others attached is not among it. */
export function unheardWords(items: readonly ViewItem[]): readonly UnheardWords[] {
  const words = new Map<string, UnheardWords>();
  for (const { block, entry, seq, decision } of items.slice(unseenFrom(items))) {
    if (decision !== undefined || !isBlock(block, "text") || readAttachmentText(block.text)) continue;
    const before = words.get(entry)?.text;
    words.set(entry, { entry, seq, text: before === undefined ? block.text : `${before}\n${block.text}` });
  }
  return [...words.values()];
}
