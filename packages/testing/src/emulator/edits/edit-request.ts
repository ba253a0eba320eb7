import { measurePrompt } from "../request/measure-prompt.ts";
import { contentOf, isRecord, referenceOf, toText, type WireBlock } from "../request/wire-values.ts";
import { isThinking } from "../thinking/prefix-digests.ts";
import type { MeasuredPrompt, PromptBlock, WireBody } from "../wire.ts";
import {
  type AppliedEdit,
  type ClearedRequest,
  clearToolUses,
  type EditContext,
  mapBlocks,
} from "./clear-tool-uses.ts";

/** The API's default. */
const defaultKeep = 1;

/**
 * `clear_thinking_20251015`, checked before: thinking goes from all turns but the newest `keep` that have some. A turn
 * is all that the assistant says up to the next message of the user that holds no results of tools.
 */
function clearThinking(body: WireBody, { keep }: WireBlock, { measure }: EditContext): ClearedRequest {
  if (keep === "all" || (isRecord(keep) && keep.type === "all")) return { body, applied: null };
  const count = isRecord(keep) ? Number(keep.value) : defaultKeep;
  const turns = turnsOf(body);
  const thinking = new Set(turns.flatMap(({ turn, hasThinking }) => (hasThinking ? turn : [])));
  const cleared = new Set([...thinking].slice(0, Math.max(0, thinking.size - count)));
  if (cleared.size === 0) return { body, applied: null };
  const edited = mapBlocks(body, (block, message) =>
    isThinking(block) && cleared.has(turns[message]?.turn ?? -1) ? null : block,
  );
  return {
    body: edited,
    applied: {
      type: "clear_thinking_20251015",
      cleared_thinking_turns: cleared.size,
      cleared_input_tokens: measure(body) - measure(edited),
    },
  };
}

/** For each message, the turn it belongs to. */
function turnsOf({ messages }: WireBody) {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  let turn = 0;
  return list.map((message) => {
    const content = contentOf(message);
    const isUser = isRecord(message) && message.role === "user";
    if (isUser && !content.some(({ type }) => type === "tool_result")) turn += 1;
    return { turn, hasThinking: content.some(isThinking) };
  });
}

/** A request as the model sees it. */
export interface EditedRequest {
  readonly body: WireBody;
  readonly prompt: MeasuredPrompt;
  /** Of the request as it was sent. */
  readonly originalTokens: number;
  readonly applied: readonly AppliedEdit[];
  readonly deletions: readonly Deletion[];
  readonly compaction: DueCompaction | null;
}

const clearings: Readonly<Record<string, typeof clearToolUses>> = {
  clear_thinking_20251015: clearThinking,
  clear_tool_uses_20250919: clearToolUses,
};

/**
 * Applies the server's own edits to a request that was checked: messages in front of a compaction go, then results that
 * `cache_edits` blocks delete, then each edit of `context_management` in its order sees what those before it left.
 * Nothing is remembered: a request with the same edits is edited in the same way.
 */
export function editRequest(sent: WireBody): EditedRequest {
  const whole = measurePrompt(sent);
  const kept = dropCompacted(sent);
  const measured = kept === sent ? whole : measurePrompt(kept);
  const { deletions, prompt: remaining } = deleteResults(kept, measured);
  const deleted = new Set(deletions.map(({ toolUseId }) => toolUseId));
  const measure = (body: WireBody) => deleteResults(body, measurePrompt(body)).prompt.tokens;
  const applied: AppliedEdit[] = [];
  let body = kept;
  for (const edit of editsOf(sent)) {
    const cleared = clearings[String(edit.type)]?.(body, edit, { measure, deleted });
    if (!cleared?.applied) continue;
    body = cleared.body;
    applied.push(cleared.applied);
  }
  if (deletions.length > 0)
    applied.push({
      type: "cache_edits",
      deleted_tool_uses: deletions.length,
      cleared_input_tokens: deletions.reduce(
        (sum, { block }) => sum + (measured.blocks[block]?.tokens ?? 0),
        0,
      ),
    });
  const edited = body === kept ? { prompt: remaining, deletions } : deleteResults(body, measurePrompt(body));
  const compaction = decideCompaction(sent, edited.prompt.tokens);
  return { body, ...edited, originalTokens: whole.tokens, applied, compaction };
}

function editsOf({ context_management: management }: WireBody) {
  return isRecord(management) && Array.isArray(management.edits) ? management.edits.filter(isRecord) : [];
}

/** The API's default. */
const defaultTrigger = 150_000;

interface DueCompaction {
  /** The answer is the summary alone. */
  readonly isPaused: boolean;
}

/** Whether `compact_20260112` sums a request up, which has this many tokens after the other edits; null if not. */
function decideCompaction(
  { context_management: management }: WireBody,
  tokens: number,
): DueCompaction | null {
  const edits = isRecord(management) && Array.isArray(management.edits) ? management.edits : [];
  const edit: unknown = edits.find((one) => isRecord(one) && one.type === "compact_20260112");
  if (!isRecord(edit)) return null;
  const trigger = isRecord(edit.trigger) ? Number(edit.trigger.value) : defaultTrigger;
  return tokens > trigger ? { isPaused: edit.pause_after_compaction === true } : null;
}

/**
 * The request from its last compaction block on: what stands in front of it is what the block sums up. A block without
 * content is a compaction that failed, and stands for nothing.
 */
function dropCompacted(body: WireBody): WireBody {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const at = messages.findLastIndex((message) => lastCompaction(message) !== -1);
  const message = messages[at];
  if (!isRecord(message) || !Array.isArray(message.content)) return body;
  const content = message.content.slice(lastCompaction(message));
  if (at === 0 && content.length === message.content.length) return body;
  return { ...body, messages: [{ ...message, content }, ...messages.slice(at + 1)] };
}

function lastCompaction(message: unknown): number {
  return contentOf(message).findLastIndex(
    ({ type, content }) => type === "compaction" && typeof content === "string",
  );
}

/** One result that a `cache_edits` block deletes. */
interface Deletion {
  readonly reference: string;
  readonly toolUseId: string;
  /** Where it is asked for, in the request as it is measured: `messages.4.content.1.edits.0`. */
  readonly path: string;
  /** Names the `cache_edits` block and all in front of it. */
  readonly key: string;
  /** Index of the result among the blocks of the prompt. */
  readonly block: number;
}

interface RemainingPrompt {
  readonly prompt: MeasuredPrompt;
  readonly deletions: readonly Deletion[];
}

/**
 * Deletes results from a measured prompt as cache edits do: deleted results count nothing. All keys stay, so that
 * entries in front of an edit can be read as before, and those behind it by requests that repeat it.
 */
function deleteResults(body: WireBody, prompt: MeasuredPrompt): RemainingPrompt {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const results = new Map<string, { readonly toolUseId: string; readonly block: number }>();
  const deletions: Deletion[] = [];
  const gone = new Set<number>();
  let at = prompt.blocks.findIndex(({ place }) => place === "messages") - 1;
  for (const [index, message] of messages.entries()) {
    for (const [position, block] of contentOf(message).entries()) {
      at += 1;
      if (block.type === "tool_result")
        results.set(referenceOf(block), { toolUseId: toText(block.tool_use_id), block: at });
      if (block.type !== "cache_edits" || !Array.isArray(block.edits)) continue;
      for (const [entry, edit] of block.edits.entries()) {
        const reference = isRecord(edit) ? toText(edit.cache_reference) : "";
        const found = results.get(reference);
        if (found === undefined || gone.has(found.block)) continue;
        gone.add(found.block);
        const path = `messages.${index}.content.${position}.edits.${entry}`;
        deletions.push({ reference, path, key: prompt.blocks[at]?.key ?? "", ...found });
      }
    }
  }
  if (gone.size === 0) return { prompt, deletions };
  const blocks = prompt.blocks.map((block, index) => (gone.has(index) ? { ...block, tokens: 0 } : block));
  return { prompt: { ...prompt, blocks, tokens: sum(blocks) }, deletions };
}

function sum(blocks: readonly PromptBlock[]): number {
  return blocks.reduce((tokens, block) => tokens + block.tokens, 0);
}
