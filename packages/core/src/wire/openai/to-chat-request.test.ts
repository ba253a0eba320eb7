import { describe, expect, it } from "vitest";
import type { ContentBlock, ModelRequest, RequestMessage } from "../../spec/index.ts";
import { toChatRequest } from "./to-chat-request.ts";

const request = (messages: readonly RequestMessage[], more: object = {}): ModelRequest => ({
  model: "gpt-4.1",
  max_tokens: 100,
  messages,
  ...more,
});

const user = (...content: ContentBlock[]): RequestMessage => ({ role: "user", content });
const assistant = (...content: ContentBlock[]): RequestMessage => ({ role: "assistant", content });
const text = (said: string) => ({ type: "text", text: said }) as const;
const call = (id: string, name = "Read", input: unknown = { path: id }) =>
  ({ type: "tool_use", id, name, input }) as const;
const png = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } } as const;
const pdf = {
  type: "document",
  title: "plan.pdf",
  source: { type: "base64", media_type: "application/pdf", data: "cGRm" },
} as const;

const hello = request([user(text("Hello."))]);

const messagesOf = (messages: readonly RequestMessage[], options = {}) =>
  toChatRequest(request(messages), options).body.messages;

describe("a request as a chat completion", () => {
  it("has the system prompt first, streams, and asks for its usage", () => {
    const { body, loss } = toChatRequest(
      request([user(text("Hello."))], { system: [text("Be short."), text("Be kind.")] }),
    );
    expect(body).toEqual({
      model: "gpt-4.1",
      messages: [
        { role: "system", content: [text("Be short."), text("Be kind.")] },
        { role: "user", content: "Hello." },
      ],
      max_completion_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(loss).toEqual({ thinking: 0, fields: [], tools: [] });
  });

  it("sends nothing that only Anthropic knows, and says what that was", () => {
    const { body, loss } = toChatRequest(
      request(
        [
          user({ ...text("Hello."), cache_control: { type: "ephemeral" } }),
          assistant({ type: "thinking", thinking: "Hm.", signature: "s" }, text("Hi.")),
          user(text("And?")),
          assistant({ type: "redacted_thinking", data: "x" }),
          user(text("Well?")),
        ],
        {
          betas: ["context-management-2025-06-27"],
          context_management: { edits: [] },
          thinking: { type: "enabled", budget_tokens: 2_000 },
          metadata: { user_id: "u" },
          top_k: 5,
          temperature: 0.5,
          top_p: undefined,
          stop_sequences: ["END"],
          tools: [{ type: "memory_20250818", name: "memory" }],
          tool_choice: { type: "auto" },
        },
      ),
      { maxTokensField: "max_tokens", extraBody: { reasoning_effort: "low" } },
    );
    expect(body).toEqual({
      model: "gpt-4.1",
      messages: [
        { role: "user", content: "Hello." },
        { role: "assistant", content: "Hi." },
        { role: "user", content: "And?" },
        { role: "user", content: "Well?" },
      ],
      max_tokens: 100,
      stop: ["END"],
      temperature: 0.5,
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: "low",
    });
    expect(loss).toEqual({
      thinking: 2,
      fields: ["betas", "context_management", "thinking", "metadata", "top_k"],
      tools: ["memory"],
    });
  });

  it("has tools as functions, each with properties", () => {
    const schema = { type: "object", properties: { path: { type: "string" } } };
    const { body } = toChatRequest(
      request([user(text("Go."))], {
        tools: [
          { name: "Read", description: "Reads.", input_schema: schema, cache_control: {} },
          { name: "Now", input_schema: { type: "object" }, strict: true },
        ],
      }),
    );
    expect(body.tools).toEqual([
      { type: "function", function: { name: "Read", description: "Reads.", parameters: schema } },
      {
        type: "function",
        function: { name: "Now", parameters: { type: "object", properties: {} }, strict: true },
      },
    ]);
    expect(body.tool_choice).toBeUndefined();
  });

  it.each([
    [{ type: "auto" }, { tool_choice: "auto" }],
    [
      { type: "any", disable_parallel_tool_use: true },
      { tool_choice: "required", parallel_tool_calls: false },
    ],
    [{ type: "none" }, { tool_choice: "none" }],
    [{ type: "tool", name: "Read" }, { tool_choice: { type: "function", function: { name: "Read" } } }],
  ])("chooses tools by %j", (choice, expected) => {
    const tools = [{ name: "Read", input_schema: { type: "object", properties: {} } }];
    const { body } = toChatRequest(request([user(text("Go."))], { tools, tool_choice: choice }));
    expect(body).toMatchObject(expected);
  });

  it("puts results behind their calls, in the order of the calls", () => {
    expect(
      messagesOf([
        user(text("Look.")),
        assistant(text("I look."), call("a"), call("b", "Now", null)),
        user(
          { type: "tool_result", tool_use_id: "b", content: [text("noon"), text("UTC")] },
          { type: "tool_result", tool_use_id: "a", content: "gone", is_error: true },
          text("Hurry."),
        ),
        assistant(call("c")),
        user({ type: "tool_result", tool_use_id: "c" }),
      ]),
    ).toEqual([
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "a", type: "function", function: { name: "Read", arguments: '{"path":"a"}' } },
          { id: "b", type: "function", function: { name: "Now", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "Error: gone" },
      { role: "tool", tool_call_id: "b", content: [text("noon"), text("UTC")] },
      { role: "user", content: "Hurry." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "Read", arguments: '{"path":"c"}' } }],
      },
      { role: "tool", tool_call_id: "c", content: "" },
    ]);
  });

  it("moves the images of a result into the message behind it, with a label", () => {
    expect(
      messagesOf([
        assistant(call("a", "Shoot")),
        user({ type: "tool_result", tool_use_id: "a", content: [text("Done."), png, pdf] }, text("Nice?")),
      ]).slice(1),
    ).toEqual([
      {
        role: "tool",
        tool_call_id: "a",
        content: [
          text("Done."),
          text("[The image follows behind the results.]"),
          text("[The document follows behind the results.]"),
        ],
      },
      {
        role: "user",
        content: [
          text("The image that Shoot gave (call a):"),
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          text("The document that Shoot gave (call a):"),
          { type: "file", file: { filename: "plan.pdf", file_data: "data:application/pdf;base64,cGRm" } },
          text("Nice?"),
        ],
      },
    ]);
  });

  it("says what is missing where the protocol or the server has no place", () => {
    const content: ContentBlock[] = [
      png,
      { type: "image", source: { type: "file", file_id: "f" } },
      pdf,
      { type: "document", source: { type: "url", url: "https://a.example/b.pdf" } },
      { type: "document", title: "notes", source: { type: "text", media_type: "text/plain", data: "abc" } },
      { type: "compaction", content: "What came before." },
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
    ];
    expect(messagesOf([user(...content)], { images: false, documents: false })).toEqual([
      {
        role: "user",
        content: [
          "[Here was an image: left out, this model takes none.]",
          "[Here was an image: left out, this model takes none.]",
          "[Here was the document “plan.pdf”: left out, this model takes none.]",
          "[Here was a document at https://a.example/b.pdf: left out, only its address can be given.]",
          "notes\n\nabc",
          "What came before.",
          "[Here was a block of the type “server_tool_use”: left out, chat completions have no place for it.]",
        ].map(text),
      },
    ]);
    expect(messagesOf([user(content[1] as ContentBlock)])).toEqual([
      { role: "user", content: "[Here was an image: left out, it is stored with another provider.]" },
    ]);
  });

  it("shortens ids that are too long, the same way every time", () => {
    const id = "x".repeat(64);
    const [asked, answered] = messagesOf([
      assistant(call(id)),
      user({ type: "tool_result", tool_use_id: id, content: "ok" }),
    ]) as unknown as [{ tool_calls: [{ id: string }] }, { tool_call_id: string }];
    expect(asked.tool_calls[0].id).toMatch(/^call_[0-9a-f]{32}$/);
    expect(answered.tool_call_id).toBe(asked.tool_calls[0].id);
  });

  it("leaves out what the server's own fields take away", () => {
    const { body } = toChatRequest(hello, { extraBody: { stream_options: undefined, num_ctx: 8_192 } });
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      model: "gpt-4.1",
      messages: [{ role: "user", content: "Hello." }],
      max_completion_tokens: 100,
      stream: true,
      num_ctx: 8_192,
    });
  });

  it("keeps system messages in the middle where they are", () => {
    expect(
      messagesOf([user(text("a")), { role: "system", content: [text("Now be loud.")] }, user(text("b"))]),
    ).toEqual([
      { role: "user", content: "a" },
      { role: "system", content: "Now be loud." },
      { role: "user", content: "b" },
    ]);
  });
});
