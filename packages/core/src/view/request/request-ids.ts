import { hash } from "node:crypto";
import { deepFreeze } from "../../json/json-values.ts";
import { type ContentBlock, isBlock, type UnknownBlock, type ViewItem } from "../../spec/index.ts";

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
  return isLegalId(id) ? id : requestId(id, id);
}

/** Another id for a call whose own is taken, always the same at one place of a log; as short as `toRequestId` makes it. */
export function repeatedId(id: string, lastSeq: number): string {
  return requestId(id, `${lastSeq} ${id}`);
}

function requestId(id: string, digested: string): string {
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

/** A message of the assistant and what the user's side answers to it; the first round may have no assistant part. */
export interface Round {
  readonly assistant: ViewItem[];
  readonly user: ViewItem[];
}

/**
 * Groups items into rounds. Blocks of one response belong together even where tool results stand between them, as
 * they do when each block was written down as it came.
 */
export function toRounds(items: readonly ViewItem[]): readonly Round[] {
  const rounds: Round[] = [];
  for (const item of items) {
    const current = rounds.at(-1);
    if (item.role === "user") {
      if (current) current.user.push(item);
      else rounds.push({ assistant: [], user: [item] });
    } else if (current && belongsTo(current, item)) current.assistant.push(item);
    else rounds.push({ assistant: [item], user: [] });
  }
  return rounds;
}

function belongsTo({ assistant, user }: Round, item: ViewItem): boolean {
  const last = assistant.at(-1);
  if (!last) return false;
  if (user.length === 0) return true;
  const isSameResponse = item.response !== undefined && item.response === last.response;
  return isSameResponse && user.every(({ block }) => isBlock(block, "tool_result"));
}

/** The ids a round's assistant part calls, in order. */
export function callsOf({ assistant }: Round): readonly string[] {
  return assistant.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : []));
}

/** A round as it is sent: results first, in the order of the calls, then everything else in its order. */
export function inOrder(round: Round): readonly ViewItem[] {
  const rank = new Map(callsOf(round).map((id, index) => [id, index]));
  const isResult = ({ block }: ViewItem) => isBlock(block, "tool_result");
  const rankOf = ({ block }: ViewItem) =>
    isBlock(block, "tool_result") ? (rank.get(block.tool_use_id) ?? rank.size) : 0;
  const results = round.user.filter(isResult).sort((a, b) => rankOf(a) - rankOf(b));
  return [...round.assistant, ...results, ...round.user.filter((item) => !isResult(item))];
}

/**
 * The other halves of calls and results, of our own tools as of a server's: the result behind a call, the call before a
 * result. What stands alone has none. Ids may come again: the nearest is meant.
 */
export function callPartners(
  items: readonly ViewItem[],
  of: Iterable<ViewItem>,
): ReadonlyMap<ViewItem, ViewItem> {
  const wanted = new Set(of);
  const partners = new Map<ViewItem, ViewItem>();
  const open = new Map<string, ViewItem>();
  for (const item of items) {
    const called = idOf(item.block, "id");
    if (called !== undefined) open.set(called, item);
    const answered = idOf(item.block, "tool_use_id");
    const call = answered === undefined ? undefined : open.get(answered);
    if (!call || answered === undefined) continue;
    open.delete(answered);
    if (wanted.has(call)) partners.set(call, item);
    if (wanted.has(item)) partners.set(item, call);
  }
  return partners;
}

function idOf(block: ContentBlock, name: "id" | "tool_use_id"): string | undefined {
  const { [name]: id } = block as { readonly id?: unknown; readonly tool_use_id?: unknown };
  return typeof id === "string" ? id : undefined;
}
