import type { ContentBlock, Decision, EntryDraft, Usage } from "../../../packages/core/src/spec/index.ts";

export const says = (content: string): EntryDraft => ({
  kind: "message",
  message: { type: "user", content },
});

export const resultOf = (id: string, content: string): EntryDraft => ({
  kind: "message",
  message: { type: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
});

export interface AnswerOptions {
  readonly usage?: Usage;
  readonly model?: string;
  readonly at?: string;
}

export function answers(
  responseId: string,
  content: readonly ContentBlock[],
  { usage, model = "claude-opus-4-5", at }: AnswerOptions = {},
): EntryDraft {
  const message = { type: "assistant", responseId, content, model, ...(usage && { usage }) } as const;
  return { kind: "message", message, ...(at !== undefined && { at }) };
}

export const used = (cacheRead: number, cacheCreation: number, input = 3, output = 10): Usage => ({
  input,
  output,
  cacheRead,
  cacheCreation,
});

export const calls = (id: string, name: string, input: unknown): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const text = (words: string): ContentBlock => ({ type: "text", text: words });

export const decides = (decision: Decision): EntryDraft => ({ kind: "decision", decision });
