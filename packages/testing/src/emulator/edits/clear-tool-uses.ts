import { contentOf, isRecord, toText, type WireBlock } from "../request/wire-values.ts";
import type { WireBody } from "../wire.ts";

/** The API's defaults. */
const defaultTrigger = { type: "input_tokens", value: 100_000 };
const defaultKeep = 3;
/** The text in place of a cleared result; the API does not document its own words. */
export const clearedResult = "[Tool result cleared by context management]";

export interface EditContext {
  /** Tokens of a request as the model sees it. */
  readonly measure: (body: WireBody) => number;
  /** Calls whose results are deleted from the cache: they are neither cleared nor counted. */
  readonly deleted: ReadonlySet<string>;
}

export interface ClearedRequest {
  readonly body: WireBody;
  /** Null when the edit changed nothing. */
  readonly applied: AppliedEdit | null;
}

/**
 * `clear_tool_uses_20250919`, checked before. Over its trigger, not at it, every result is replaced by a placeholder
 * but the newest `keep` and those of excluded tools, which count among the newest; all of them, or, where fewer tokens
 * than `clear_at_least` would go, none.
 */
export function clearToolUses(body: WireBody, edit: WireBlock, editing: EditContext): ClearedRequest {
  const uses = usesOf(body).filter(({ id }) => !editing.deleted.has(id));
  const before = editing.measure(body);
  const trigger = isRecord(edit.trigger) ? edit.trigger : defaultTrigger;
  const reached = trigger.type === "tool_uses" ? uses.length : before;
  if (reached <= Number(trigger.value)) return { body, applied: null };
  const excluded = namesIn(edit.exclude_tools);
  const cleared = new Map(
    uses
      .slice(0, Math.max(0, uses.length - amountOf(edit.keep, defaultKeep)))
      .filter(({ name }) => !excluded.has(name))
      .map(({ id, name }) => [id, name]),
  );
  if (cleared.size === 0) return { body, applied: null };
  const inputs = edit.clear_tool_inputs;
  const hasInputCleared = (name: string) => inputs === true || namesIn(inputs).has(name);
  const edited = mapBlocks(body, (block) => {
    if (block.type === "tool_result" && cleared.has(toText(block.tool_use_id))) return withoutContent(block);
    const name = block.type === "tool_use" ? cleared.get(toText(block.id)) : undefined;
    return name !== undefined && hasInputCleared(name) ? { ...block, input: {} } : block;
  });
  const clearedTokens = Math.max(0, before - editing.measure(edited));
  if (clearedTokens < amountOf(edit.clear_at_least, 0)) return { body, applied: null };
  return {
    body: edited,
    applied: {
      type: "clear_tool_uses_20250919",
      cleared_tool_uses: cleared.size,
      cleared_input_tokens: clearedTokens,
    },
  };
}

/** Calls of the client's tools, in the order of the prompt. */
function usesOf({ messages }: WireBody): readonly { readonly id: string; readonly name: string }[] {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return list.flatMap((message) =>
    contentOf(message).flatMap(({ type, id, name }) =>
      type === "tool_use" ? { id: toText(id), name: toText(name) } : [],
    ),
  );
}

/** A marker inside the result is the result's now, so that its breakpoint stays. */
function withoutContent(block: WireBlock): WireBlock {
  const inner = Array.isArray(block.content) ? contentOf(block) : [];
  const control = block.cache_control ?? inner.find(({ cache_control }) => cache_control)?.cache_control;
  return { ...block, content: clearedResult, ...(isRecord(control) && { cache_control: control }) };
}

function amountOf(amount: unknown, otherwise: number): number {
  return isRecord(amount) ? Number(amount.value) : otherwise;
}

function namesIn(list: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(list) ? list : []);
}

/** An entry of `context_management.applied_edits`, as it is on the wire: what one edit cleared of one request. */
export type AppliedEdit =
  | {
      readonly type: "clear_tool_uses_20250919";
      readonly cleared_tool_uses: number;
      readonly cleared_input_tokens: number;
    }
  | {
      readonly type: "clear_thinking_20251015";
      readonly cleared_thinking_turns: number;
      readonly cleared_input_tokens: number;
    }
  /** In no public API. All deletions that the request's `cache_edits` blocks hold, new and repeated. */
  | {
      readonly type: "cache_edits";
      readonly deleted_tool_uses: number;
      readonly cleared_input_tokens: number;
    };

/**
 * The request with another block, or none, in the place of each block of its messages. Messages without a list of
 * blocks stay as they are; nothing of the old request is changed.
 */
export function mapBlocks(
  body: WireBody,
  change: (block: WireBlock, message: number) => WireBlock | null,
): WireBody {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  return {
    ...body,
    messages: messages.map((message, index) => {
      if (!isRecord(message) || !Array.isArray(message.content)) return message;
      return { ...message, content: message.content.flatMap((block) => change(block, index) ?? []) };
    }),
  };
}
