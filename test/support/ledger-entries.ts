import type { ContentBlock, Message, MessageEntry } from "../../packages/core/src/spec/index.ts";

/** Gives messages their entries, one after the other: `e1` at second 1, and so on. */
export function toEntries(messages: readonly Message[]): readonly MessageEntry[] {
  return messages.map((message, index) => {
    const seq = index + 1;
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
    return { v: 1, epoch: 1, kind: "message", id: `e${seq}`, seq, at, message };
  });
}

export function said(content: Message["content"], more: Partial<Message> = {}): Message {
  return { type: "user", content, ...more };
}

export function called(id: string, name: string, input: unknown = {}, more: Partial<Message> = {}): Message {
  return { type: "assistant", content: [{ type: "tool_use", id, name, input }], ...more };
}

export function answered(id: string, content: string | readonly ContentBlock[] = "done"): Message {
  return { type: "user", content: [{ type: "tool_result", tool_use_id: id, content }] };
}

export function failed(id: string, content: string | readonly ContentBlock[] = "it failed"): Message {
  return { type: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: true }] };
}
