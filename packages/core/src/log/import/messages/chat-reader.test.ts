import { describe, expect, it } from "vitest";
import {
  accountedLines,
  importBytes,
  importOk,
  jsonLines,
} from "../../../../../../test/support/transcripts.ts";

const epoch = "1970-01-01T00:00:00.000Z";
const messagesOf = (entries: Awaited<ReturnType<typeof importOk>>["entries"]) =>
  entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));

describe("Anthropic messages", () => {
  const conversation = [
    { role: "user", content: "How tall is it?" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "measure" },
        { type: "tool_use", id: "t1", name: "Ruler", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "4 m" }] },
  ];
  const expected = [
    { type: "user", content: "How tall is it?" },
    { type: "assistant", content: [{ type: "tool_use", id: "t1", name: "Ruler", input: {} }] },
    { type: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "4 m" }] },
  ];

  it.each([
    ["a JSON array", JSON.stringify(conversation)],
    ["a spread JSON array", JSON.stringify(conversation, null, 2)],
    ["a request", JSON.stringify({ messages: conversation })],
    ["a spread request", `\n${JSON.stringify({ messages: conversation }, null, 2)}\n`],
    ["JSONL", jsonLines(...conversation)],
  ])("are read from %s", async (_container, text) => {
    const { entries, report } = await importOk(text, { file: "/tmp/tree.json" });
    expect(entries[0]).toEqual({
      v: 1,
      seq: 1,
      epoch: 1,
      id: "line-0",
      at: epoch,
      kind: "session",
      session: {
        id: "tree",
        project: "imported",
        imported: { format: "anthropic-messages", file: "/tmp/tree.json" },
      },
    });
    expect(messagesOf(entries)).toEqual(expected);
    expect(report).toMatchObject({
      format: "anthropic-messages",
      lines: 3,
      messages: 3,
      toolResults: 1,
      responses: 1,
      unsignedThinking: 1,
    });
  });

  it("keep what a request says beside them", async () => {
    const tools = [{ name: "Ruler", input_schema: {} }];
    const system = [{ type: "text", text: "You measure trees." }];
    const { entries, report } = await importOk(
      JSON.stringify({
        model: "claude-x",
        max_tokens: 10,
        system,
        tools,
        messages: conversation.slice(0, 1),
      }),
      { at: "2026-01-01T00:00:00.000Z" },
    );
    expect(entries).toMatchObject([
      { session: { model: "claude-x" }, at: "2026-01-01T00:00:00.000Z" },
      { id: "line-1", message: { type: "system", subtype: "system", content: system } },
      { id: "line-2", note: { topic: "foreign", type: "tools", line: tools } },
      { id: "line-3", note: { topic: "foreign", type: "request", line: { max_tokens: 10 } } },
      { id: "line-4", message: { type: "user" } },
    ]);
    expect(report).toMatchObject({ lines: 4, otherTypes: { system: 1, tools: 1, request: 1 }, messages: 1 });
    expect(accountedLines(report)).toBe(4);
  });

  it("may be responses of the API", async () => {
    const { entries, report } = await importOk(
      jsonLines(conversation[0], {
        id: "msg_9",
        type: "message",
        role: "assistant",
        model: "claude-x",
        content: [{ type: "text", text: "4 m" }],
        stop_reason: "end_turn",
        usage: { input_tokens: 12, output_tokens: 3 },
        timestamp: "2026-02-03T05:05:06+01:00",
      }),
    );
    expect(entries[2]).toMatchObject({
      id: "line-2",
      at: "2026-02-03T04:05:06.000Z",
      message: {
        type: "assistant",
        responseId: "msg_9",
        model: "claude-x",
        stopReason: "end_turn",
        usage: { input: 12, output: 3, cacheRead: 0, cacheCreation: 0 },
      },
    });
    expect(report).toMatchObject({ responses: 1, usage: { input: 12, output: 3 } });
  });

  it("of a document that is broken or too large are refused with what to do", async () => {
    const text = JSON.stringify(conversation);
    const broken = await importBytes(text.slice(0, -5), { file: "tree.json" });
    expect(broken.error).toMatchObject({ code: "corrupt", path: "tree.json" });
    const large = await importBytes(text, { maxLineBytes: 40 });
    expect(large.error).toMatchObject({ code: "too-large", facts: { limitBytes: 40 } });
    expect(large.error?.fix).toContain("JSONL");
  });
});

describe("OpenAI messages", () => {
  it("become Anthropic blocks, with every text and call in its place", async () => {
    const call = (id: string, text: unknown) => ({
      id,
      type: "function",
      function: { name: "measure", arguments: text },
    });
    const { entries, report } = await importOk(
      JSON.stringify({
        model: "gpt-x",
        messages: [
          { role: "system", content: "You measure trees." },
          {
            role: "user",
            content: [
              { type: "text", text: "How tall?" },
              { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } },
              { type: "image_url", image_url: { url: "https://example.org/tree.png" } },
              { type: "input_audio", input_audio: { data: "…" } },
            ],
          },
          {
            role: "assistant",
            content: null,
            reasoning_content: "measure",
            tool_calls: [call("c1", '{"tree":4}'), call("c2", '{"tree":'), call("c3", "[1]"), call("c4", "")],
          },
          { role: "tool", tool_call_id: "c1", content: "4 m" },
          { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "what?" }] },
          { role: "assistant", content: "4 m", refusal: "I will not guess the rest." },
        ],
      }),
    );
    expect(report).toMatchObject({
      format: "openai-messages",
      lines: 6,
      messages: 5,
      toolResults: 2,
      responses: 2,
      unsignedThinking: 1,
      otherTypes: { system: 1 },
    });
    const use = (id: string, input: unknown) => ({ type: "tool_use", id, name: "measure", input });
    expect(messagesOf(entries)).toEqual([
      { type: "system", subtype: "system", content: "You measure trees." },
      {
        type: "user",
        content: [
          { type: "text", text: "How tall?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } },
          { type: "image", source: { type: "url", url: "https://example.org/tree.png" } },
          { type: "input_audio", input_audio: { data: "…" } },
        ],
      },
      {
        type: "assistant",
        content: [
          use("c1", { tree: 4 }),
          use("c2", { _unparsed: '{"tree":' }),
          use("c3", { _unparsed: "[1]" }),
          use("c4", {}),
        ],
      },
      { type: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "4 m" }] },
      {
        type: "user",
        content: [{ type: "tool_result", tool_use_id: "c2", content: [{ type: "text", text: "what?" }] }],
      },
      {
        type: "assistant",
        content: [
          { type: "text", text: "4 m" },
          { type: "text", text: "I will not guess the rest." },
        ],
      },
    ]);
  });

  it("may be whole completions, with usage in which cached tokens count once", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        { role: "developer", content: "Be brief." },
        {
          id: "chatcmpl-1",
          object: "chat.completion",
          model: "gpt-x",
          created: 1_770_000_000,
          choices: [{ finish_reason: "stop", message: { role: "assistant", content: "4 m" } }],
          usage: { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60 } },
        },
      ),
    );
    expect(entries[2]).toMatchObject({
      at: "2026-02-02T02:40:00.000Z",
      message: { content: "4 m", responseId: "chatcmpl-1", stopReason: "stop" },
    });
    expect(report.usage).toEqual({ input: 40, output: 5, cacheRead: 60, cacheCreation: 0 });
  });

  it("with impossible shapes are skipped, with the reason", async () => {
    const { report } = await importOk(
      JSON.stringify([
        { role: "user", content: "How tall?" },
        { role: "tool", content: "4 m" },
        { role: "narrator", content: "Meanwhile" },
        { role: "assistant", tool_calls: [{ id: "c1" }] },
        { role: "user", content: { text: "?" } },
        "text",
      ]),
    );
    expect(report).toMatchObject({ lines: 6, messages: 1, skipped: 5 });
    expect(report.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "it is a tool's result without a tool_call_id"],
      [3, "its role is not known"],
      [4, "its tool call 0 names no function"],
      [5, "its content is neither text nor a list of blocks"],
      [6, "it is JSON, but not an object"],
    ]);
  });
});
