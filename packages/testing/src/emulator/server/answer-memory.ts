import { type PromptSummary, summarizePrompt } from "../cache/cache-miss-reason.ts";
import { contextLengthError } from "../chat/list-chat-models.ts";
import type { Fault } from "../script/fault.ts";
import type { MeasuredPrompt } from "../wire.ts";
import { apiError } from "./api-error.ts";
import type { SentBlock } from "./cut-blocks.ts";
import { answerError, type Exchange } from "./exchange.ts";
import { sendJson } from "./send-stream.ts";

const maxMessages = 1_000;
/** Long prompts have one for every block: about 20 MB. */
const maxDigests = 200_000;
const maxCalls = 10_000;
const maxEdits = 10_000;

/** A server's memory of its newest answers. */
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

/** Lets a request fail as the script wants it; `body` is what would have been answered. */
export async function answerFault(exchange: Exchange, fault: Fault, body?: object): Promise<void> {
  const { response, record, emulation } = exchange;
  record.outcome = "fault";
  if (fault.fault === "error") return answerError(exchange, fault.error, "fault");
  if (fault.fault === "too-long") {
    const window = emulation.models.findAny(record.model ?? "")?.capabilities.contextWindow ?? 0;
    const tokens = Math.max(record.promptTokens ?? 0, window + 1);
    const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
    const isChat = exchange.route.api === "chat";
    const error = isChat ? contextLengthError(tokens, window) : apiError("invalid_request_error", message);
    return answerError(exchange, error, "fault");
  }
  if (fault.fault === "drop") {
    response.destroy();
    return;
  }
  if (fault.fault === "stream-error" && fault.error !== undefined) {
    return answerError(exchange, fault.error, "fault");
  }
  record.status = 200;
  await sendJson({ response, requestId: record.requestId, status: 200, body, fault });
}
