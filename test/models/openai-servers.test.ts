import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { collect, hello, modelAt, serve, serveStream } from "./openai-support.ts";

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** What a server sends, line by line, as it was written by hand. */
const stream = (lines: readonly (object | string)[], newline = "\n") =>
  lines
    .map((line) => `data: ${typeof line === "string" ? line : JSON.stringify(line)}${newline}${newline}`)
    .join("");

const read = async (lines: readonly (object | string)[], newline?: string) =>
  collect(modelAt(await serveStream(stream(lines, newline))));

describe("servers that speak chat completions in their own way", () => {
  it("send whole calls in one chunk, without ids, and usage with the last chunk", async () => {
    const { response } = await read([
      {
        id: "x",
        model: "llama3",
        choices: [
          {
            index: 0,
            delta: {
              role: "assistant",
              content: "",
              tool_calls: [
                { function: { name: "Read", arguments: '{"path":"a"}' } },
                { function: { name: "Now", arguments: "{}" } },
              ],
            },
            finish_reason: null,
          },
        ],
      },
      {
        id: "x",
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
      },
      "[DONE]",
    ]);
    expect(response).toEqual({
      id: "x",
      model: "llama3",
      content: [
        { type: "tool_use", id: "call_000001", name: "Read", input: { path: "a" } },
        { type: "tool_use", id: "call_000002", name: "Now", input: {} },
      ],
      stopReason: "tool_use",
      usage: { ...noUsage, input: 20, output: 5 },
    });
  });

  it("send no usage, null for content, fields of their own, and no role", async () => {
    const { response } = await read([
      { id: "x", choices: [{ delta: { content: null, padding: "…" } }], timings: { predicted_ms: 3 } },
      { id: "x", choices: [{ delta: { content: "Hi." } }] },
      { id: "x", choices: [{ delta: {}, finish_reason: "stop" }] },
    ]);
    expect(response).toMatchObject({ content: [{ text: "Hi." }], usage: noUsage, stopReason: "end_turn" });
  });

  it("send usage with every chunk: the last one counts", async () => {
    const { response } = await read([
      { choices: [{ delta: { content: "Hi" } }], usage: { prompt_tokens: 9, completion_tokens: 1 } },
      {
        choices: [{ delta: { content: "." }, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      },
      { choices: [], usage: null },
      "[DONE]",
    ]);
    expect(response?.usage).toEqual({ ...noUsage, input: 9, output: 2 });
  });

  it("end lines as Windows does, comment, and put data over several events", async () => {
    const lines = stream(
      [{ choices: [{ delta: { content: "Grüße 🗿" }, finish_reason: "stop" }] }, "[DONE]"],
      "\r\n",
    );
    const url = await serveStream(`: processing\r\n\r\nretry: 5\r\n\r\n${lines}`);
    expect((await collect(modelAt(url))).response).toMatchObject({ content: [{ text: "Grüße 🗿" }] });
  });

  it("think under another name", async () => {
    const { response } = await read([
      { choices: [{ delta: { reasoning: "Hm." } }] },
      { choices: [{ delta: { content: "Hi." }, finish_reason: "stop" }] },
    ]);
    expect(response?.content).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Hi." },
    ]);
  });

  it("answer with nothing, with no stream, or with something else", async () => {
    expect((await collect(modelAt(await serveStream("")))).code).toBe("disconnected");
    expect((await read(["[DONE]"])).code).toBe("disconnected");
    expect((await collect(modelAt(await serveStream("<html>Welcome</html>")))).code).toBe("disconnected");
    expect((await read(["null"])).code).toBe("malformed-response");
  });

  it("say in the stream that the prompt is too long", async () => {
    const message = "request (9000 tokens) exceeds the available context size (8192 tokens)";
    const { code } = await read([{ error: { code: 400, type: "exceed_context_size_error", message } }]);
    expect(code).toBe("prompt-too-long");
  });

  it("stay open behind the mark of the end: the answer stands once nothing came for long enough", async () => {
    const clock = createVirtualClock();
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(stream([{ choices: [{ delta: { content: "Hi." }, finish_reason: "stop" }] }, "[DONE]"]));
    });
    let heard = () => {};
    const spoken = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const model = modelAt(url, { clock, idleTimeoutMs: 5_000 });
    const collected = collect(model, hello, undefined, ({ type }) => type === "block-delta" && heard());
    await spoken;
    await clock.advance(10_000);
    expect((await collected).response).toMatchObject({ content: [{ text: "Hi." }], usage: noUsage });
  });
});
