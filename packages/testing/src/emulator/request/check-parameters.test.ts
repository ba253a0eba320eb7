import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../core/src/catalog/index.ts";
import type { RequestContext } from "../wire.ts";
import { checkRequest } from "./check-request.ts";

type Fields = Record<string, unknown>;
const capabilities = createCatalog().capabilities("claude-opus-4-6").value;
const context: RequestContext = { betas: new Set(), capabilities };
const withBetas = (...betas: string[]): RequestContext => ({ betas: new Set(betas), capabilities });
const tool = (more: Fields = {}): Fields => ({ name: "Read", input_schema: { type: "object" }, ...more });
const body = (more: Fields): Fields => ({
  model: "claude-opus-4-6",
  max_tokens: 4_096,
  messages: [{ role: "user", content: "hi" }],
  ...more,
});
const clearThinking: Fields = { type: "clear_thinking_20251015" };
const clearToolUses: Fields = { type: "clear_tool_uses_20250919" };

describe("checkRequest, of what stands beside the messages", () => {
  it.each<[string, unknown, RequestContext?]>([
    ["model model", body({ model: undefined })],
    ["max-tokens max_tokens", body({ max_tokens: undefined })],
    ["max-tokens max_tokens", body({ max_tokens: 1.5 })],
    ["max-tokens max_tokens", body({ max_tokens: -1 })],
    ["max-tokens max_tokens", body({ max_tokens: 128_001 })],
    ["unknown-field betas", body({ betas: [] })],
    ["temperature temperature", body({ temperature: 1.1 })],
    ["top-p top_p", body({ top_p: -0.1 })],
    ["top-k top_k", body({ top_k: 0.5 })],
    ["stop-sequences stop_sequences.1", body({ stop_sequences: ["a", " "] })],
    ["stream stream", body({ stream: "yes" })],
    ["metadata metadata.mail", body({ metadata: { mail: "a@b" } })],
    ["diagnostics diagnostics.previous_message_id", body({ diagnostics: { previous_message_id: 1 } })],
    ["tool-name tools.0.name", body({ tools: [tool({ name: "a.b" })] })],
    ["unknown-field tools.0.custom.isReadOnly", body({ tools: [tool({ isReadOnly: true })] })],
    ["tool-name-unique tools", body({ tools: [tool(), tool()] })],
    ["tool-schema tools.0.input_schema", body({ tools: [tool({ input_schema: undefined })] })],
    ["tool-schema tools.0.input_schema.type", body({ tools: [tool({ input_schema: {} })] })],
    ["tools tools.0", body({ tools: [tool({ type: "magic" })] })],
    ["tool-choice tool_choice", body({ tool_choice: { type: "maybe" } })],
    ["tool-choice tool_choice", body({ tools: [tool()], tool_choice: { type: "tool", name: "Write" } })],
    ["tool-choice tool_choice", body({ tool_choice: { type: "any" } })],
    ["thinking-config thinking", body({ thinking: { type: "deep" } })],
    [
      "thinking-config thinking.enabled.budget_tokens",
      body({ thinking: { type: "enabled", budget_tokens: 1_023 } }),
    ],
    ["thinking-config max_tokens", body({ thinking: { type: "enabled", budget_tokens: 4_096 } })],
    ["thinking-companions temperature", body({ thinking: { type: "adaptive" }, temperature: 0.5 })],
    [
      "thinking-companions tool_choice",
      body({ thinking: { type: "adaptive" }, tools: [tool()], tool_choice: { type: "any" } }),
    ],
    ["beta context_management", body({ context_management: { edits: [] } })],
    ["beta compaction", body({ compaction: { type: "summarize" } })],
    ["beta thinking.block_binding", body({ thinking: { type: "adaptive", block_binding: {} } })],
    [
      "context-management context_management.edits.0.trigger.value",
      body({
        context_management: {
          edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 49_999 } }],
        },
      }),
      withBetas("context-management-2025-06-27", "compact-2026-01-12"),
    ],
    [
      "context-management context_management.edits.0",
      body({ context_management: { edits: [{ type: "forget" }] } }),
      withBetas("context-management-2025-06-27"),
    ],
    ...[
      [clearToolUses, clearThinking],
      [clearToolUses, clearToolUses],
    ].map((edits): [string, Fields, RequestContext] => [
      "context-management context_management.edits.1",
      body({ thinking: { type: "adaptive" }, context_management: { edits } }),
      withBetas("context-management-2025-06-27"),
    ]),
    [
      "context-management context_management.edits.0",
      body({ context_management: { edits: [clearThinking] } }),
      withBetas("context-management-2025-06-27"),
    ],
    [
      "context-management context_management.edits.0.pause_after_compaction",
      body({ context_management: { edits: [{ type: "compact_20260112", pause_after_compaction: 1 }] } }),
      withBetas("context-management-2025-06-27", "compact-2026-01-12"),
    ],
    [
      "compaction compaction",
      body({ compaction: { type: "summarize" }, stop_sequences: ["x"] }),
      withBetas("compact-2026-09-04"),
    ],
  ])("refuses %s", (expected, request, given) => {
    const broken = checkRequest(request, given ?? context).map(({ rule, path }) => `${rule} ${path}`);
    expect(broken).toEqual([expected]);
  });

  it("takes a budget larger than an answer where thinking is interleaved", () => {
    const request = body({ thinking: { type: "enabled", budget_tokens: 8_000 } });
    expect(checkRequest(request, withBetas("interleaved-thinking-2025-05-14"))).toEqual([]);
  });

  it("refuses the API's edits and compaction on models that have none", () => {
    const old = { ...withBetas("context-management-2025-06-27", "compact-2026-09-04") };
    const model = createCatalog().capabilities("claude-3-5-haiku").value;
    const rules = (request: Fields) =>
      checkRequest(request, { ...old, capabilities: model }).map(({ rule }) => rule);
    expect(rules(body({ context_management: { edits: [] } }))).toEqual(["context-management"]);
    expect(rules(body({ compaction: { type: "summarize" } }))).toEqual(["compaction"]);
  });
});
