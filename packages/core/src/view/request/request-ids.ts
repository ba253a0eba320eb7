import { hash } from "node:crypto";
import { type ContentBlock, isBlock, type UnknownBlock } from "../../spec/index.ts";
import { deepFreeze } from "../deep-freeze.ts";

const legalId = /^[a-zA-Z0-9_-]+$/;
const digestChars = 24;
/** With a digest behind it, no id is longer than the 40 characters that every provider takes. */
const readableChars = 15;
const mappedId = new RegExp(`^[a-zA-Z0-9_-]{0,${readableChars}}_[0-9a-f]{${digestChars}}$`);

/** Whether every provider takes the id of a call as it is. */
export function isLegalId(id: string): boolean {
  return legalId.test(id);
}

/**
 * The id of a call as requests have it. The log keeps the one that the model's server gave; one with characters that not
 * every provider takes (`functions.Bash:0`) becomes its readable part and a digest, always the same, at most 40 characters.
 */
export function toRequestId(id: string): string {
  return isLegalId(id) ? id : mapped(id, id);
}

/** Another id for a call whose own is taken, always the same at one place of a log; as short as `toRequestId` makes it. */
export function repeatedId(id: string, lastSeq: number): string {
  return mapped(id, `${lastSeq} ${id}`);
}

function mapped(id: string, digested: string): string {
  const readable = id.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, readableChars);
  return `${readable}_${hash("sha256", digested).slice(0, digestChars)}`;
}

/** Whether an id names a call: as the log has it, or as requests do. */
export function isIdOf(id: string, call: string): boolean {
  return id === call || (mappedId.test(id) && toRequestId(call) === id);
}

const sentBlocks = new WeakMap<ContentBlock, ContentBlock>();

/** A block of the view as requests have it: the very same, but for ids that not every provider takes. */
export function toRequestBlock(block: ContentBlock): ContentBlock {
  const known = sentBlocks.get(block);
  if (known) return known;
  const sent = withRequestIds(block);
  if (sent !== block) sentBlocks.set(block, deepFreeze(sent));
  return sent;
}

function withRequestIds(block: ContentBlock): ContentBlock {
  if (isBlock(block, "tool_use") && !isLegalId(block.id)) return { ...block, id: toRequestId(block.id) };
  if (isBlock(block, "tool_result") && !isLegalId(block.tool_use_id))
    return { ...block, tool_use_id: toRequestId(block.tool_use_id) };
  return isEditing(block) ? withRequestReferences(block) : block;
}

type Edit = { readonly cache_reference?: unknown };
type EditingBlock = UnknownBlock & { readonly edits: readonly Edit[] };

function isEditing(block: ContentBlock): block is EditingBlock {
  return block.type === "cache_edits" && "edits" in block && Array.isArray(block.edits);
}

/** Cache edits name results by their calls. */
function withRequestReferences(block: EditingBlock): ContentBlock {
  const isForeign = (edit: Edit | null) =>
    typeof edit?.cache_reference === "string" && !isLegalId(edit.cache_reference);
  if (!block.edits.some(isForeign)) return block;
  const edits = block.edits.map((edit) =>
    isForeign(edit) ? { ...edit, cache_reference: toRequestId(String(edit.cache_reference)) } : edit,
  );
  return { ...block, edits };
}
