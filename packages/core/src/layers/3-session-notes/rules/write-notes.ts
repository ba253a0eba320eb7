import { editToolName } from "../../../catalog/known-tools.ts";
import { isBlock, type Ledgers, type Tool, type ViewItem } from "../../../spec/index.ts";
import type { NotesTemplate } from "../../../view/scribe/notes-template.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";
import type { NotesLimits } from "./notes-limits.ts";

/** All that notes can be written from without a model. */
export interface NotesInput extends NotesLimits {
  readonly template: NotesTemplate;
  /** The notes as they are: every section of the template, with nothing under them before the first update. */
  readonly former: string;
  readonly items: readonly ViewItem[];
  readonly ledgers: Ledgers;
}

/**
 * The scribe's part: the whole notes, or those sections that it has something to say about, under the template's
 * headings (`## heading`). Deterministic, and within the limits; what is over them is not taken.
 */
export type WriteNotes = (input: NotesInput) => string;

/** Fields the tool must take for notes to be edited with it. */
const fields = ["file_path", "old_string", "new_string"];

/** Whether a session's tools have an Edit as this project knows it: another one cannot be confined to a file. */
export function hasEditTool(tools: readonly Tool[]): boolean {
  return tools.some(({ name, input_schema: schema, isDeferred }) => {
    const properties = schema?.properties;
    if (name !== editToolName || isDeferred || typeof properties !== "object" || properties === null)
      return false;
    return fields.every((field) => Object.hasOwn(properties, field));
  });
}

/** Whether a call of a tool waits for its result. */
export function hasOpenCall(items: readonly ViewItem[]): boolean {
  const open = new Set<string>();
  for (const { block } of items) {
    if (isBlock(block, "tool_use")) open.add(block.id);
    else if (isBlock(block, "tool_result")) open.delete(block.tool_use_id);
  }
  return open.size > 0;
}

/** Whether the assistant's newest message calls a tool. */
export function lastMessageCalls(items: readonly ViewItem[]): boolean {
  const newest = items.findLast(({ role }) => role === "assistant");
  if (!newest) return false;
  const isOfIt = ({ entry, response }: ViewItem) =>
    entry === newest.entry || (response !== undefined && response === newest.response);
  return items.some((item) => isOfIt(item) && isBlock(item.block, "tool_use"));
}

/** Calls that were made behind a sequence number. */
export function callsSince(items: readonly ViewItem[], since: number): number {
  return items.filter(({ seq, block }) => seq > since && isBlock(block, "tool_use")).length;
}

/** Estimated tokens of what came behind a sequence number. */
export function tokensSince(items: readonly ViewItem[], since: number): number {
  return items.reduce((sum, { seq, block }) => (seq > since ? sum + estimateBlock(block) : sum), 0);
}

/** The newest message in the view; what decisions have put there is none. */
export function newestMessage(items: readonly ViewItem[]): ViewItem | undefined {
  return items.findLast(({ entry, decision }) => entry !== decision);
}
