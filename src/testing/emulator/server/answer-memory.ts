import { type PromptSummary, summarizePrompt } from "../cache/cache-miss-reason.ts";
import type { MeasuredPrompt } from "../wire.ts";
import type { SentBlock } from "./cut-blocks.ts";

const maxMessages = 1_000;
/** Long prompts have one for every block: about 20 MB. */
const maxDigests = 200_000;
const maxCalls = 10_000;

/** What a server still knows of its newest answers. */
export interface AnswerMemory {
  add(messageId: string, prompt: MeasuredPrompt, content: readonly SentBlock[]): void;
  /** The prompt a message answered, for diagnostics; null for an id that is not known, or no longer. */
  promptOf(messageId: string): PromptSummary | null;
  /** Whether the answer that called this tool began with thinking. */
  hadThinking(toolUseId: string): boolean;
}

export function createAnswerMemory(): AnswerMemory {
  const prompts = new Map<string, PromptSummary>();
  const calls = new Set<string>();
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
      if (isThinking(content[0])) {
        for (const { type, id } of content) if (type === "tool_use") calls.add(String(id));
      }
      for (const oldest of calls) {
        if (calls.size <= maxCalls) break;
        calls.delete(oldest);
      }
    },
    promptOf: (messageId) => prompts.get(messageId) ?? null,
    hadThinking: (toolUseId) => calls.has(toolUseId),
  };
}

function isThinking(block: SentBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}
