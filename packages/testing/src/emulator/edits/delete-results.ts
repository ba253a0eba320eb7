import { contentOf } from "../request/content-of.ts";
import { isRecord } from "../request/is-record.ts";
import { referenceOf } from "../request/reference-of.ts";
import { toText } from "../request/to-text.ts";
import type { MeasuredPrompt, PromptBlock, WireBody } from "../wire.ts";

/** One result that a `cache_edits` block deletes. */
export interface Deletion {
  readonly reference: string;
  readonly toolUseId: string;
  /** Where it is asked for, in the request as it is measured: `messages.4.content.1.edits.0`. */
  readonly path: string;
  /** Names the `cache_edits` block and all in front of it. */
  readonly key: string;
  /** Index of the result among the blocks of the prompt. */
  readonly block: number;
}

export interface RemainingPrompt {
  readonly prompt: MeasuredPrompt;
  readonly deletions: readonly Deletion[];
}

/**
 * What cache edits leave of a measured prompt: deleted results count nothing. All keys stay, so that entries in front
 * of an edit can be read as before, and those behind it by requests that repeat it.
 */
export function deleteResults(body: WireBody, prompt: MeasuredPrompt): RemainingPrompt {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const results = new Map<string, { readonly toolUseId: string; readonly block: number }>();
  const deletions: Deletion[] = [];
  const gone = new Set<number>();
  let at = prompt.blocks.findIndex(({ place }) => place === "messages") - 1;
  for (const [index, message] of messages.entries()) {
    for (const [place, block] of contentOf(message).entries()) {
      at += 1;
      if (block.type === "tool_result")
        results.set(referenceOf(block), { toolUseId: toText(block.tool_use_id), block: at });
      if (block.type !== "cache_edits" || !Array.isArray(block.edits)) continue;
      for (const [entry, edit] of block.edits.entries()) {
        const reference = isRecord(edit) ? toText(edit.cache_reference) : "";
        const found = results.get(reference);
        if (found === undefined || gone.has(found.block)) continue;
        gone.add(found.block);
        const path = `messages.${index}.content.${place}.edits.${entry}`;
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
