import { type PromptSummary, summarizePrompt } from "../cache/cache-miss-reason.ts";
import type { MeasuredPrompt } from "../wire.ts";
import type { SentBlock } from "./cut-blocks.ts";

const maxMessages = 1_000;
/** Long prompts have one for every block: about 20 MB. */
const maxDigests = 200_000;
const maxCalls = 10_000;
const maxEdits = 10_000;

/** What a server still knows of its newest answers. */
export interface AnswerMemory {
  add(messageId: string, prompt: MeasuredPrompt, content: readonly SentBlock[]): void;
  /** The prompt a message answered, for diagnostics; null for an id that is not known, or no longer. */
  promptOf(messageId: string): PromptSummary | null;
  /** Whether the answer that called this tool began with thinking. */
  hadThinking(toolUseId: string): boolean;
  /** Remembers `cache_edits` blocks by their keys. */
  addEdits(keys: readonly string[]): void;
  /** Whether the same block at the same place was accepted before. */
  hadEdit(key: string): boolean;
}

export function createAnswerMemory(): AnswerMemory {
  const prompts = new Map<string, PromptSummary>();
  const calls = new Set<string>();
  const edits = new Set<string>();
  let digests = 0;
  return {
    add(messageId, prompt, content) {
      const summary = summarizePrompt(prompt);
      prompts.set(messageId, summary);
      digests += summary.messages.length;
      for (const [oldest, { messages }] of prompts) {
        if (oldest === messageId || (prompts.size <= maxMessages && digests <= maxDigests)) break;
        prompts.delete(oldest);
        digests -= messages.length;
      }
      if (isThinking(content.find(({ type }) => type !== "compaction"))) {
        for (const { type, id } of content) if (type === "tool_use") calls.add(String(id));
      }
      forgetOldest(calls, maxCalls);
    },
    promptOf: (messageId) => prompts.get(messageId) ?? null,
    hadThinking: (toolUseId) => calls.has(toolUseId),
    addEdits(keys) {
      for (const key of keys) edits.delete(key);
      for (const key of keys) edits.add(key);
      forgetOldest(edits, maxEdits);
    },
    hadEdit: (key) => edits.has(key),
  };
}

function forgetOldest(known: Set<string>, most: number): void {
  for (const oldest of known) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
}

function isThinking(block: SentBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}
