import type { ContentBlock, ModelRequest, RequestMessage } from "../../packages/core/src/spec/index.ts";

export const text = (words: string): ContentBlock => ({ type: "text", text: words });
export const thinking = (words = "Let me see."): ContentBlock => ({
  type: "thinking",
  thinking: words,
  signature: "c2lnbmVk",
});
export const call = (id: string, name = "Read", input: unknown = { path: "a.ts" }): ContentBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});
export const result = (id: string, content: unknown = "export {};"): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
export const compaction = (words = "They talked."): ContentBlock => ({
  type: "compaction",
  content: words,
  encrypted_content: null,
  signature: "c2lnbmVk",
});
export const marked = (block: ContentBlock): ContentBlock => ({
  ...block,
  cache_control: { type: "ephemeral" },
});
export const user = (...content: ContentBlock[]): RequestMessage => ({ role: "user", content });
export const assistant = (...content: ContentBlock[]): RequestMessage => ({ role: "assistant", content });

/** A PNG of this size, of which there is only the header, filled up with zeros. */
export function image(width = 40, height = 30, bytes = 48): ContentBlock {
  const data = Buffer.alloc(Math.max(24, bytes));
  data.write("\x89PNG\r\n\x1a\n", "latin1");
  data.write("\0\0\0\rIHDR", 8, "latin1");
  data.writeUInt32BE(width, 16);
  data.writeUInt32BE(height, 20);
  return {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: data.toString("base64") },
  };
}

export const readTool = {
  name: "Read",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { path: { type: "string" } } },
};

export function requestOf(
  messages: readonly RequestMessage[],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return { model: "claude-opus-4-6", max_tokens: 4_096, messages, ...more };
}

const withTools: Partial<ModelRequest> = {
  tools: [readTool],
  system: [{ type: "text", text: "Be careful." }],
};

/** Valid requests of every kind the engine sends. */
export const bases: Readonly<Record<string, ModelRequest>> = {
  plain: requestOf([
    user(text("What is the capital of France?")),
    assistant(text("Paris.")),
    user(text("And of Spain?"), text("In one word, please.")),
  ]),
  compacted: requestOf(
    [
      assistant(compaction()),
      user(text("Read a.ts.")),
      assistant(text("I read it."), call("toolu_1")),
      user(result("toolu_1")),
    ],
    withTools,
  ),
  carried: requestOf(
    [
      assistant({ ...compaction(), signature: null }, thinking(), text("I read it."), call("toolu_1")),
      user(result("toolu_1")),
    ],
    { ...withTools, thinking: { type: "enabled", budget_tokens: 2_048 } },
  ),
  tools: requestOf(
    [
      user(text("Read a.ts.")),
      assistant(text("I read it."), call("toolu_1")),
      user(result("toolu_1")),
      assistant(call("toolu_2")),
      user(result("toolu_2", [text("line 1"), text("line 2")]), text("Go on.")),
      assistant(text("Both are empty.")),
      user(text("Thanks.")),
    ],
    withTools,
  ),
  parallel: requestOf(
    [
      user(text("Read them all.")),
      assistant(text("At once."), call("toolu_a"), call("toolu_b"), call("toolu_c")),
      user(result("toolu_c"), result("toolu_a"), result("toolu_b", [text("empty")])),
      assistant(text("Once more."), call("toolu_d"), call("toolu_e")),
      user(result("toolu_d"), result("toolu_e"), text("Hurry.")),
    ],
    withTools,
  ),
  images: requestOf(
    [
      user(text("What is this?"), image()),
      assistant(text("A square. Another?"), call("toolu_i")),
      user(result("toolu_i", [text("a screenshot"), image(100, 100)]), text("And this:"), image(1, 1)),
    ],
    withTools,
  ),
  thinking: requestOf(
    [
      user(text("Think, then read a.ts.")),
      assistant(thinking(), text("Now I read."), call("toolu_t")),
      user(result("toolu_t")),
      assistant({ type: "redacted_thinking", data: "ZGF0YQ==" }, text("It is empty.")),
      user(text("And b.ts?")),
      assistant(thinking("Again."), call("toolu_u")),
      user(result("toolu_u")),
    ],
    { ...withTools, thinking: { type: "enabled", budget_tokens: 2_048 } },
  ),
  cached: requestOf(
    [
      user(text("Read a.ts.")),
      assistant(text("I read it."), marked(call("toolu_m"))),
      user(marked(result("toolu_m")), text("Go on.")),
    ],
    {
      tools: [{ ...readTool, cache_control: { type: "ephemeral" } }] as ModelRequest["tools"] & object,
      system: [marked(text("Be careful."))] as ModelRequest["system"] & object,
    },
  ),
};
