import type { ContentBlock, MessageInput, ModelRequest, Usage } from "../../packages/core/src/spec/index.ts";

export const user = (content: MessageInput["content"]): MessageInput => ({ role: "user", content });

export const assistant = (
  content: MessageInput["content"],
  more: Partial<MessageInput> = {},
): MessageInput => ({ role: "assistant", content, ...more });

export const call = (id: string, input: unknown = { file_path: id }, name = "Read"): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const result = (id: string, content = `text of ${id}`): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});

export const think = (signature: string, thinking = ""): ContentBlock => ({
  type: "thinking",
  thinking,
  signature,
});

export const usageOf = (input: number, output = 1): Usage => ({
  input,
  output,
  cacheRead: 0,
  cacheCreation: 0,
});

/** What a request says, without the cache markers, which move. */
export function withoutControl({ messages }: ModelRequest): readonly unknown[] {
  return messages.map(({ role, content }) => ({
    role,
    content: content.map((block) => {
      const { cache_control: _marker, ...bare } = block as Readonly<Record<string, unknown>>;
      return bare;
    }),
  }));
}

/** What is sent of messages that are one text each, the user's first. */
export const texts = (...all: readonly string[]) =>
  all.map((text, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: [{ type: "text", text }],
  }));
