import { describe, expect, it } from "vitest";
import { accountedLines, importOk, jsonLines } from "../../../../../../test/support/transcripts.ts";

const line = (id: string, parentId: string | null, message: unknown) => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-02-03T04:05:06.789Z",
  message,
});
const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, cost: { total: 0.01 } };

const session = [
  {
    type: "session",
    version: 3,
    id: "ses-1",
    timestamp: "2026-02-03T04:05:00.000Z",
    cwd: "/home/ada/orchard",
  },
  { type: "model_change", id: "m1", parentId: null, provider: "anthropic", modelId: "claude-x" },
  line("a", "m1", { role: "user", content: "How tall is it?" }),
  line("b", "a", {
    role: "assistant",
    model: "claude-x",
    usage,
    stopReason: "toolUse",
    content: [
      { type: "thinking", thinking: "measure", thinkingSignature: "sig" },
      { type: "thinking", thinking: "unsigned" },
      { type: "toolCall", id: "t1", name: "bash", arguments: { command: "measure" } },
    ],
  }),
  line("c", "b", {
    role: "toolResult",
    toolCallId: "t1",
    toolName: "bash",
    content: [{ type: "text", text: "4 m" }],
    isError: true,
  }),
  {
    type: "compaction",
    id: "d",
    parentId: "c",
    summary: "A tree.",
    firstKeptEntryId: "b",
    tokensBefore: 900,
  },
  line("e", "d", { role: "bashExecution", command: "ls", output: "tree" }),
];

describe("a pi session", () => {
  it("becomes messages, with tool calls and results as blocks, usage and boundary", async () => {
    const { entries, report } = await importOk(jsonLines(...session), { file: "pi.jsonl" });
    expect(entries[0]).toMatchObject({
      session: { id: "ses-1", cwd: "/home/ada/orchard", model: "claude-x", imported: { format: "pi" } },
    });
    const messages = entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
    expect(messages).toEqual([
      { type: "user", content: "How tall is it?" },
      {
        type: "assistant",
        content: [
          { type: "thinking", thinking: "measure", signature: "sig" },
          { type: "tool_use", id: "t1", name: "bash", input: { command: "measure" } },
        ],
        responseId: "b",
        model: "claude-x",
        stopReason: "tool_use",
        usage: { input: 10, cacheRead: 100, cacheCreation: 20, output: 5 },
      },
      {
        type: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "text", text: "4 m" }],
            is_error: true,
          },
        ],
      },
      { type: "user", content: "<bash-stdout>ls\ntree</bash-stdout>" },
    ]);
    expect(entries.flatMap((entry) => (entry.kind === "decision" ? [entry.decision] : []))).toMatchObject([
      { strategy: "pi", tokensBefore: 900, kept: { head: "b", headSeq: 5, tail: "c", tailSeq: 6 } },
    ]);
    expect(report).toMatchObject({ format: "pi", messages: 4, boundaries: 1, unsignedThinking: 1 });
    expect(accountedLines(report)).toBe(7);
  });

  it("keeps unsigned thinking where it is asked to", async () => {
    const { entries, report } = await importOk(jsonLines(...session), { keepsUnsignedThinking: true });
    expect(entries[4]).toMatchObject({
      message: { content: [{ signature: "sig" }, { thinking: "unsigned", signature: "lost" }, {}] },
    });
    expect(report.unsignedThinking).toBe(0);
  });

  it("counts what it cannot read", async () => {
    const { report } = await importOk(
      jsonLines(
        ...session,
        line("c", null, { role: "user", content: "again" }),
        line("x", null, { role: "ghost" }),
        line("y", null, { role: "toolResult", content: "of nothing" }),
        { type: "message", id: "z" },
        { type: "hologram", id: "h" },
      ),
    );
    expect(report).toMatchObject({ duplicates: 1, skipped: 3, unknownTypes: { hologram: 1 } });
    expect(accountedLines(report)).toBe(12);
  });
});
