import { describe, expect, it } from "vitest";
import { accountedLines, importOk, jsonLines } from "../../../../../../test/support/transcripts.ts";

const at = (second: number) => `2026-02-03T04:05:${String(second).padStart(2, "0")}.000Z`;
const line = (second: number, type: string, payload: unknown) => ({ timestamp: at(second), type, payload });
const item = (second: number, payload: unknown) => line(second, "response_item", payload);
const said = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const counted = (input: number, cached: number, output: number) => ({
  type: "token_count",
  info: {
    last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
    total_token_usage: { input_tokens: 999_999 },
  },
});

const rollout = [
  line(1, "session_meta", { id: "ses-1", cwd: "/home/ada/orchard", cli_version: "0.50.0" }),
  item(2, said("user", "<environment_context>\n<cwd>/home/ada/orchard</cwd>\n</environment_context>")),
  item(3, said("user", "How tall is the tree?")),
  line(4, "turn_context", { cwd: "/home/ada/orchard", model: "gpt-x" }),
  item(5, { type: "reasoning", summary: [], encrypted_content: "…" }),
  item(6, said("assistant", "Measuring.")),
  item(7, { type: "function_call", name: "shell", arguments: '{"command":["measure"]}', call_id: "c1" }),
  line(8, "event_msg", counted(1000, 400, 20)),
  item(9, { type: "function_call_output", call_id: "c1", output: '{"output":"4 m"}' }),
  line(10, "event_msg", counted(1000, 400, 20)),
  item(11, { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch", call_id: "c2" }),
  item(12, { type: "custom_tool_call_output", call_id: "c2", output: { content: "no", success: false } }),
  line(13, "event_msg", counted(1100, 1000, 30)),
  line(14, "compacted", { message: "A tree was measured." }),
  item(15, said("user", "And now?")),
  item(16, said("assistant", "4 m.")),
];

describe("a Codex rollout", () => {
  it("becomes messages, with calls and outputs as tool uses and results and one response a request", async () => {
    const { entries, report } = await importOk(jsonLines(...rollout), { file: "rollout.jsonl" });
    expect(entries[0]).toMatchObject({
      kind: "session",
      session: { id: "ses-1", cwd: "/home/ada/orchard", model: "gpt-x", imported: { format: "codex" } },
    });
    const messages = entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
    const first = { responseId: "line-6", model: "gpt-x" };
    expect(messages).toEqual([
      { type: "user", isMeta: true, content: [expect.objectContaining({ type: "text" })] },
      { type: "user", content: [{ type: "text", text: "How tall is the tree?" }] },
      { type: "assistant", content: [{ type: "text", text: "Measuring." }], ...first },
      {
        type: "assistant",
        content: [{ type: "tool_use", id: "c1", name: "shell", input: { command: ["measure"] } }],
        ...first,
        usage: { input: 600, cacheRead: 400, cacheCreation: 0, output: 20 },
      },
      { type: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: '{"output":"4 m"}' }] },
      {
        type: "assistant",
        content: [{ type: "tool_use", id: "c2", name: "apply_patch", input: { input: "*** Begin Patch" } }],
        responseId: "line-11",
        model: "gpt-x",
        usage: { input: 100, cacheRead: 1000, cacheCreation: 0, output: 30 },
      },
      {
        type: "user",
        content: [{ type: "tool_result", tool_use_id: "c2", content: "no", is_error: true }],
      },
      { type: "user", content: [{ type: "text", text: "And now?" }] },
      {
        type: "assistant",
        content: [{ type: "text", text: "4 m." }],
        responseId: "line-16",
        model: "gpt-x",
      },
    ]);
    expect(entries.flatMap((entry) => (entry.kind === "decision" ? [entry.decision] : []))).toMatchObject([
      { type: "compact", strategy: "codex", summary: { content: "A tree was measured." } },
    ]);
    expect(report).toMatchObject({ format: "codex", lines: 16, boundaries: 1, responses: 3, toolResults: 2 });
    expect(report.usage).toEqual({ input: 700, cacheRead: 1400, cacheCreation: 0, output: 50 });
    expect(accountedLines(report)).toBe(16);
  });

  it("may have bare items, as early ones did, and keeps arguments that are no JSON", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        said("user", "Measure."),
        { type: "function_call", name: "shell", arguments: "{oops", call_id: "c1" },
        { type: "function_call_output", call_id: "c1", output: "4 m" },
      ),
    );
    expect(entries.slice(2)).toMatchObject([
      { message: { content: [{ type: "tool_use", input: { _unparsed: "{oops" } }] } },
      { message: { content: [{ type: "tool_result", content: "4 m" }] } },
    ]);
    expect(report).toMatchObject({ format: "codex", messages: 3 });
  });

  it("counts what it cannot read", async () => {
    const { report } = await importOk(
      jsonLines(
        ...rollout.slice(0, 3),
        item(20, { type: "function_call", arguments: "{}" }),
        item(21, { type: "message", role: "ghost", content: [] }),
        item(22, { type: "message", role: "user", content: 7 }),
        item(23, { type: "hologram" }),
        line(24, "weather", { rain: true }),
      ),
    );
    expect(report).toMatchObject({ skipped: 3, unknownTypes: { hologram: 1, weather: 1 } });
    expect(accountedLines(report)).toBe(8);
  });
});
