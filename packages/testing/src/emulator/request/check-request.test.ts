import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../core/src/catalog/index.ts";
import type { RequestContext } from "../wire.ts";
import { checkRequest } from "./check-request.ts";

const capabilities = createCatalog().capabilities("claude-opus-4-6").value;
const context: RequestContext = { betas: new Set(), capabilities };
const withBetas = (...betas: string[]): RequestContext => ({ betas: new Set(betas), capabilities });

type Block = Record<string, unknown>;
const text = (words = "hi"): Block => ({ type: "text", text: words });
const thinking = (signature: unknown = "s"): Block => ({ type: "thinking", thinking: "hm", signature });
const call = (id = "t1", more: Block = {}): Block => ({
  type: "tool_use",
  id,
  name: "Read",
  input: {},
  ...more,
});
const result = (id = "t1", content: unknown = "x"): Block => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const user = (...content: Block[]) => ({ role: "user", content });
const assistant = (...content: Block[]) => ({ role: "assistant", content });
const tool = (more: Block = {}): Block => ({ name: "Read", input_schema: { type: "object" }, ...more });
const marked = (block: Block, ttl?: string): Block => ({
  ...block,
  cache_control: { type: "ephemeral", ...(ttl && { ttl }) },
});
const body = (more: Block = {}): Block => ({
  model: "claude-opus-4-6",
  max_tokens: 4_096,
  messages: [user(text())],
  ...more,
});
const talk = (...messages: unknown[]) => body({ messages });
const round = (...content: Block[]) => talk(user(text()), assistant(...content), user(result()));

/** The header of a PNG, which is all that is read of it. */
function image(width = 10, height = 10, mediaType = "image/png"): Block {
  const header = Buffer.alloc(24);
  header.write("\x89PNG\r\n\x1a\n", "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return {
    type: "image",
    source: { type: "base64", media_type: mediaType, data: header.toString("base64") },
  };
}

const broken = (request: unknown, given = context) =>
  checkRequest(request, given).map(({ rule, path }) => `${rule} ${path}`);

describe("checkRequest", () => {
  it.each<[string, unknown, RequestContext?]>([
    ["a string as content", body({ messages: [{ role: "user", content: "hi" }] })],
    ["system as a string and as blocks", body({ system: "be kind" })],
    ["zero tokens, which only fill the cache", body({ max_tokens: 0 })],
    [
      "parallel calls answered in any order",
      talk(
        user(text()),
        assistant(thinking(), text(), call("a"), call("b")),
        user(result("b", [text(), image()]), result("a", ""), text("go on")),
      ),
    ],
    ["a last word of the assistant to go on from", talk(user(text()), assistant(text("The answer is")))],
    [
      "thinking with its round open",
      { ...round(thinking(), call()), thinking: { type: "enabled", budget_tokens: 2_000 } },
    ],
    [
      "a turn whose later messages have no thinking",
      {
        ...talk(
          user(text()),
          assistant(thinking(), call()),
          user(result()),
          assistant(call("t2")),
          user(result("t2")),
        ),
        thinking: { type: "enabled", budget_tokens: 2_000 },
      },
    ],
    [
      "system messages between the others",
      talk(user(text()), { role: "system", content: "from now on" }, assistant(text()), user(text())),
    ],
    [
      "blocks the server wrote, with thinking between them",
      talk(
        user(text()),
        assistant(
          thinking(),
          { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
          { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] },
          thinking(),
          text(),
        ),
        user(text()),
      ),
    ],
    [
      "four breakpoints, the long ones first",
      body({
        tools: [marked(tool(), "1h")],
        system: [marked(text(), "1h")],
        messages: [user(marked(text()), marked(text()))],
      }),
    ],
    [
      "a replayed compaction in front",
      talk(assistant({ type: "compaction", content: "so far", signature: "s" }), user(text())),
      withBetas("compact-2026-09-04"),
    ],
    [
      "tools the API defines",
      body({
        tools: [
          { type: "memory_20250818", name: "memory" },
          { type: "mcp_toolset", mcp_server_name: "m" },
        ],
      }),
    ],
    [
      "the API's own edits",
      body({
        thinking: { type: "adaptive" },
        context_management: {
          edits: [
            { type: "clear_thinking_20251015", keep: { type: "thinking_turns", value: 1 } },
            { type: "clear_tool_uses_20250919", trigger: { type: "input_tokens", value: 1_000 } },
            { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } },
          ],
        },
      }),
      withBetas("context-management-2025-06-27", "compact-2026-01-12"),
    ],
  ])("takes %s", (_, request, given) => {
    expect(checkRequest(request, given ?? context)).toEqual([]);
  });

  it.each<[string, unknown, RequestContext?]>([
    ["body-object ", []],
    ["messages messages", body({ messages: undefined })],
    ["messages messages", body({ messages: [] })],
    ["message messages.0", talk("hi")],
    ["message messages.0.id", talk({ ...user(text()), id: "1" })],
    ["role messages.0.role", talk({ role: "tool", content: "hi" })],
    ["first-user messages.0", talk(assistant(text()), user(text()))],
    ["first-user messages.0", talk({ role: "system", content: "x" }, user(text()))],
    ["roles-alternate messages.1", talk(user(text()), user(text()))],
    ["roles-alternate messages.2", talk(user(text()), { role: "system", content: "x" }, user(text()))],
    ["content messages.0.content", talk({ role: "user" })],
    ["content-empty messages.0", talk(user())],
    ["content-empty messages.0", talk({ role: "user", content: "" })],
    ["text-empty messages.0", talk({ role: "user", content: " \n" })],
    ["text-empty messages.0.content.0", talk(user(text("")))],
    ["text-empty messages.0.content.0", talk(user(text("\t")))],
    ["text messages.0.content.0.text", talk(user({ type: "text" }))],
    ["block-type messages.0.content.0", talk(user({ type: "hologram" }))],
    ["block-type messages.0.content.0.type", talk(user({}))],
    ["unknown-field messages.0.content.0.text.seq", talk(user({ ...text(), seq: 1 }))],
    [
      "unknown-field messages.1.content.0.container_upload.seq",
      talk(user(text()), assistant({ type: "container_upload", file_id: "f", seq: 1 })),
    ],
    [
      "unknown-field messages.2.content.0.content.0.text.blob",
      talk(user(text()), assistant(call()), user(result("t1", [{ ...text(), blob: "x" }]))),
    ],
    ["block-role messages.0.content.0", talk(user(thinking()))],
    ["block-role messages.1.content.0", talk(user(text()), assistant(image()))],
    ["trailing-space messages.1", talk(user(text()), assistant(text("so ")))],
    ["system system.0.type", body({ system: [image()] })],
    ["text-empty system.0", body({ system: [text(" ")] })],
    ["tool-result-missing messages.1", talk(user(text()), assistant(call()))],
    ["tool-result-missing messages.1", talk(user(text()), assistant(call()), user(text()))],
    ["tool-result-unexpected messages.0.content.0", talk(user(result()))],
    [
      "tool-result-once messages.2.content.1",
      talk(user(text()), assistant(call()), user(result(), result())),
    ],
    ["tool-result-first messages.2.content.1", talk(user(text()), assistant(call()), user(text(), result()))],
    [
      "tool-id-unique messages.3.content.0",
      talk(user(text()), assistant(call()), user(result()), assistant(call()), user(result())),
    ],
    ["tool-name messages.1.content.0.name", round(call("t1", { name: "no spaces" }))],
    ["tool-input messages.1.content.0.input", round(call("t1", { input: "{}" }))],
    [
      "tool-result messages.2.content.0.content",
      talk(user(text()), assistant(call()), user(result("t1", 5))),
    ],
    [
      "block-type messages.2.content.0.content.0",
      talk(user(text()), assistant(call()), user(result("t1", [call("x")]))),
    ],
    [
      "text-empty messages.2.content.0.content.0",
      talk(user(text()), assistant(call()), user(result("t1", [text("")]))),
    ],
    ["thinking-signature messages.1.content.0.signature", round(thinking(""), call())],
    ["thinking-first messages.1.content.0.type", round(text(), thinking(), call())],
    ["thinking-last messages.1", talk(user(text()), assistant(thinking()), user(text()))],
    [
      "thinking-turn messages.1.content.0.type",
      { ...round(call()), thinking: { type: "enabled", budget_tokens: 2_000 } },
    ],
    [
      "document-source messages.0.content.0.source.base64.media_type",
      talk(user({ type: "document", source: { type: "base64", media_type: "image/png", data: "AAAA" } })),
    ],
    ["cache-control messages.0.content.0.cache_control.ephemeral.ttl", talk(user(marked(text(), "2h")))],
    [
      "cache-control messages.0.content.0.cache_control",
      talk(user({ ...text(), cache_control: { type: "forever" } })),
    ],
    [
      "cache-control-order messages.0.content.0.cache_control.ttl",
      body({ system: [marked(text())], messages: [user(marked(text(), "1h"))] }),
    ],
    ["cache-control-place messages.1.content.0.cache_control", round(marked(thinking()), call())],
    ["cache-control-count ", talk(user(...Array.from({ length: 5 }, () => marked(text()))))],
    [
      "cache-control-count ",
      {
        ...talk(user(...Array.from({ length: 4 }, () => marked(text())))),
        cache_control: { type: "ephemeral" },
      },
    ],
    ["unicode messages.0.content.0.text", talk(user(text("\ud800")))],
    ["unicode messages.1.content.0.input.path", round(call("t1", { input: { path: "\udc00" } }))],
    ["beta messages.1.clear_at", talk(user(text()), { role: "system", content: "x", clear_at: "never" })],
    [
      "beta messages.1.content.0",
      talk(user(text()), assistant({ type: "mcp_tool_use", id: "m", name: "n", input: {} })),
    ],
    ["beta messages.0.content.0", talk(user({ type: "cache_edits", edits: [] }))],
    [
      "compaction messages",
      { ...round(call()), compaction: { type: "summarize" } },
      withBetas("compact-2026-09-04"),
    ],
  ])("refuses %s", (expected, request, given) => {
    expect(broken(request, given)).toEqual([expected]);
  });

  it("gives every violation, with the API's sentences", () => {
    const request = { ...talk(user(text(""), result("a")), assistant(call("t"))), max_tokens: 0.5 };
    expect(checkRequest(request, context)).toEqual([
      { rule: "max-tokens", path: "max_tokens", message: "max_tokens: Input should be a valid integer" },
      {
        rule: "text-empty",
        path: "messages.0.content.0",
        message: "messages.0.content.0: text content blocks must be non-empty",
      },
      expect.objectContaining({ rule: "tool-result-first", path: "messages.0.content.1" }),
      expect.objectContaining({ rule: "tool-result-unexpected", path: "messages.0.content.1" }),
      {
        rule: "tool-result-missing",
        path: "messages.1",
        message:
          "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
      },
    ]);
  });

  it.each([
    null,
    "x",
    { messages: 3 },
    {
      messages: [null, 3, { content: [null, { type: null }] }],
      tools: [1],
      system: [null],
      thinking: 1,
      tool_choice: 1,
      context_management: 1,
      compaction: 1,
      cache_control: 1,
    },
  ])("survives %j", (request) => expect(checkRequest(request, context).length).toBeGreaterThan(0));
});
