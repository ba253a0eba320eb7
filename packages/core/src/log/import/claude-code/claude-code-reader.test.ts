import { describe, expect, it } from "vitest";
import {
  accountedLines,
  claudeLine,
  importOk,
  jsonLines,
} from "../../../../../../test/support/transcripts.ts";
import type { CompactDecision, Entry } from "../../../spec/index.ts";

const at = "2026-02-03T04:05:06.789Z";
const head = (seq: number, id: string) => ({ v: 1, seq, epoch: 1, id, at });
const usage = (output: number) => ({
  input_tokens: 3,
  output_tokens: output,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 20,
});

function decisionOf(entries: readonly Entry[], id: string): CompactDecision {
  const entry = entries.find((candidate) => candidate.id === id);
  if (entry?.kind !== "decision" || entry.decision.type !== "compact") throw new Error(`no decision ${id}`);
  return entry.decision;
}

describe("messages of Claude Code", () => {
  it("become entries of our own, in order, behind a session entry", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        { type: "summary", summary: "Pruning the orchard", leafUuid: "x" },
        claudeLine.user("u1", "prune it"),
        claudeLine.assistant(
          "a1",
          [{ type: "tool_use", id: "t1", name: "Saw", input: { tree: 4 } }],
          { usage: { ...usage(7), cache_creation: { ephemeral_5m_input_tokens: 20 } }, stop_reason: null },
          { parentUuid: "u1" },
        ),
        claudeLine.user("u2", [{ type: "tool_result", tool_use_id: "t1", content: "done" }], {
          isMeta: true,
        }),
      ),
      { file: "orchard.jsonl" },
    );
    expect(entries).toEqual([
      {
        ...head(1, "line-0"),
        kind: "session",
        session: {
          id: "s-1",
          project: "orchard",
          cwd: "/home/ada/orchard",
          model: "claude-x",
          imported: { format: "claude-code", file: "orchard.jsonl" },
        },
      },
      { ...head(2, "line-1"), kind: "note", note: { topic: "title", title: "Pruning the orchard" } },
      { ...head(3, "u1"), kind: "message", message: { type: "user", content: "prune it" } },
      {
        ...head(4, "a1"),
        kind: "message",
        message: {
          type: "assistant",
          content: [{ type: "tool_use", id: "t1", name: "Saw", input: { tree: 4 } }],
          responseId: "msg_1",
          model: "claude-x",
          stopReason: null,
          usage: {
            input: 3,
            output: 7,
            cacheRead: 100,
            cacheCreation: 20,
            cacheCreation5m: 20,
            cacheCreation1h: 0,
          },
        },
        parent: "u1",
      },
      {
        ...head(5, "u2"),
        kind: "message",
        message: {
          type: "user",
          content: [{ type: "tool_result", tool_use_id: "t1", content: "done" }],
          isMeta: true,
        },
      },
    ]);
    expect(report).toMatchObject({ lines: 4, entries: 4, messages: 3, toolResults: 1, responses: 1 });
  });

  it("count a response's usage once, however many lines it has: the last wins", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.assistant("a1", [{ type: "text", text: "one" }], { usage: usage(1) }),
        claudeLine.assistant("a2", [{ type: "text", text: "two" }], { usage: usage(9) }),
        claudeLine.assistant("a3", [{ type: "text", text: "three" }], { id: "msg_2", usage: usage(4) }),
        claudeLine.assistant("a4", "No credit", { id: "made-up", model: "<synthetic>", usage: undefined }),
      ),
    );
    expect(report.responses).toBe(3);
    expect(report.usage).toEqual({ input: 6, output: 13, cacheRead: 200, cacheCreation: 40 });
    const outputs = entries.flatMap((entry) =>
      entry.kind === "message" && entry.message.usage ? [entry.message.usage.output] : [],
    );
    expect(outputs).toEqual([1, 9, 4]);
  });

  it("lose unsigned thinking and nothing else of it, even when nothing is left", async () => {
    const signed = { type: "thinking", thinking: "", signature: "c2ln" };
    const redacted = { type: "redacted_thinking", data: "opaque" };
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.assistant("a1", [{ type: "thinking", thinking: "hm" }], { usage: usage(5) }),
        claudeLine.assistant("a2", [{ type: "thinking", thinking: "hm", signature: "" }, signed, redacted]),
      ),
    );
    expect(report).toMatchObject({ unsignedThinking: 2, messages: 2, usage: { output: 5 } });
    expect(entries.slice(1)).toMatchObject([
      { message: { content: [], usage: { output: 5 } } },
      { message: { content: [signed, redacted] } },
    ]);
  });

  it("keep their flags", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.assistant("a1", "Overloaded", { model: "<synthetic>" }, { isApiErrorMessage: true }),
        claudeLine.user("u1", "sub-task", { isSidechain: true }),
        claudeLine.user("u2", "summary of a lost boundary", {
          isCompactSummary: true,
          isVisibleInTranscriptOnly: true,
        }),
      ),
    );
    expect(entries.slice(1)).toMatchObject([
      { message: { isApiErrorMessage: true, model: "<synthetic>" } },
      { message: { isSidechain: true } },
      { message: { isCompactSummary: true, isVisibleInTranscriptOnly: true } },
    ]);
    expect(report.sidechainLines).toBe(1);
  });

  it("are the main chain in a sub-agent's own file", async () => {
    const agent = { isSidechain: true, agentId: "a7" };
    const { entries, report } = await importOk(
      jsonLines(claudeLine.user("u1", "count the trees", agent), claudeLine.assistant("a1", "4", {}, agent)),
    );
    const flags = entries.map((entry) => entry.kind === "message" && entry.message.isSidechain);
    expect(flags).toEqual([false, undefined, undefined]);
    expect(report.sidechainLines).toBe(2);
  });

  it("have the time they state, or that of the line before them", async () => {
    const { entries } = await importOk(
      jsonLines(
        { type: "tag", sessionId: "s-1" },
        claudeLine.user("u1", "a", { timestamp: "2026-03-01T10:00:00Z" }),
        claudeLine.user("u2", "b", { timestamp: "yesterday" }),
        claudeLine.user("u3", "c", { timestamp: "2026-02-28T12:00:00.5+02:00" }),
        claudeLine.user("u4", "d", { timestamp: undefined }),
      ),
    );
    const first = "2026-03-01T10:00:00.000Z";
    const second = "2026-02-28T10:00:00.500Z";
    expect(entries.map((entry) => entry.at)).toEqual([first, first, first, first, second, second]);
  });

  it("with impossible shapes are skipped, with the reason and the line", async () => {
    const { report } = await importOk(
      jsonLines(
        claudeLine.user("u1", "fine"),
        claudeLine.user("u2", 12),
        claudeLine.user("u3", "x", { message: "x" }),
        claudeLine.user("u4", "x", { message: { role: "assistant", content: "x" } }),
        claudeLine.user("u5", [{ type: "text" }]),
        claudeLine.user("u6", [{ type: "tool_result", tool_use_id: "t", content: ["bare"] }]),
        claudeLine.user("u7", [{ type: "hologram", depth: 3 }]),
        claudeLine.attachment("at1", "not an object"),
        [1, 2],
      ),
    );
    expect(report).toMatchObject({ lines: 9, messages: 2, skipped: 7 });
    expect(report.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "its content is neither text nor a list of blocks"],
      [3, "it has no message"],
      [4, "it is of type “user”, but its role is another"],
      [5, "its block 0 (text) has no text as “text”"],
      [6, "its block 0 (tool_result): its block 0 is not an object"],
      [8, "it is of type “attachment”, but has none"],
      [9, "it is JSON, but not an object"],
    ]);
  });

  it("with the uuid of an earlier line are counted as duplicates", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.user("u1", "first"),
        claudeLine.user("u1", "second"),
        claudeLine.user("u2", "third"),
      ),
    );
    expect(entries.map((entry) => entry.id)).toEqual(["line-0", "u1", "u2"]);
    expect(report).toMatchObject({
      lines: 3,
      messages: 2,
      duplicates: 1,
      problems: [{ kind: "duplicate", line: 2, reason: "an earlier line has the same uuid" }],
    });
  });

  it("never share an id with a line that has none", async () => {
    const { entries } = await importOk(
      jsonLines(
        { type: "tag", tag: "x", sessionId: "s-1" },
        claudeLine.user("line-1", "a"),
        claudeLine.user("line-1", "b"),
      ),
    );
    expect(entries.map((entry) => entry.id)).toEqual(["line-0", "line-1", "line-2", "line-3"]);
  });
});

describe("boundaries of Claude Code", () => {
  const boundary = (fields: object = {}) =>
    claudeLine.system("b1", "compact_boundary", {
      content: "Conversation compacted",
      compactMetadata: { trigger: "auto", preTokens: 155_000, ...fields },
    });
  const summary = claudeLine.user("s1", "We pruned trees 1 to 4.", {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });

  it("become one decision with the summary, whose line stays readable by its id", async () => {
    const { entries, report } = await importOk(
      jsonLines(claudeLine.user("u1", "prune"), boundary(), summary, claudeLine.user("u2", "go on")),
    );
    expect(entries.slice(2)).toEqual([
      {
        ...head(3, "b1"),
        kind: "decision",
        decision: {
          type: "compact",
          layer: "imported",
          reason: "recorded trigger: auto",
          frees: 0,
          basis: 2,
          trigger: "imported",
          strategy: "claude-code",
          tokensBefore: 155_000,
          tokensAfter: 0,
          covers: "u1",
          summary: {
            type: "user",
            content: "We pruned trees 1 to 4.",
            isCompactSummary: true,
            isVisibleInTranscriptOnly: true,
          },
          attachments: [],
          discoveredTools: [],
        },
      },
      { ...head(4, "s1"), kind: "note", note: { topic: "foreign", type: "user", line: summary } },
      { ...head(5, "u2"), kind: "message", message: { type: "user", content: "go on" } },
    ]);
    expect(report).toMatchObject({ lines: 4, messages: 3, boundaries: 1, otherTypes: { system: 1 } });
  });

  it("wait for a summary behind lines that are not messages", async () => {
    const { entries } = await importOk(
      jsonLines(claudeLine.user("u1", "prune"), boundary(), { type: "tag", sessionId: "s-1" }, summary),
    );
    expect(entries.map((entry) => entry.id)).toEqual(["line-0", "u1", "b1", "line-3", "s1"]);
    expect(decisionOf(entries, "b1").summary).toBeDefined();
  });

  it.each([
    ["a message comes first", [claudeLine.user("u2", "go on"), summary]],
    ["too much comes first", [...Array(20).fill({ type: "tag", sessionId: "s-1" }), summary]],
    ["the file ends", []],
  ])("have no summary when %s", async (_when, rest) => {
    const { entries, report } = await importOk(
      jsonLines(claudeLine.user("u1", "prune"), boundary(), ...rest),
    );
    expect(decisionOf(entries, "b1").summary).toBeUndefined();
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_entry, index) => index + 1));
    expect(accountedLines(report)).toBe(report.lines);
    expect(report.entries).toBe(report.lines);
  });

  it("keep the recorded segment by entry ids, the tools and what was left", async () => {
    const segment = { headUuid: "u1", anchorUuid: "s1", tailUuid: "a1" };
    const { entries } = await importOk(
      jsonLines(
        claudeLine.user("u1", "prune"),
        claudeLine.assistant("a1", "done"),
        boundary({ preservedSegment: segment, preCompactDiscoveredTools: ["Saw"], postTokens: 15_000 }),
        summary,
      ),
    );
    expect(decisionOf(entries, "b1")).toMatchObject({
      kept: { head: "u1", headSeq: 2, anchor: "summary", tail: "a1", tailSeq: 3 },
      discoveredTools: ["Saw"],
      tokensAfter: 15_000,
      frees: 140_000,
    });
  });

  it("say so when the kept segment is not in the file", async () => {
    const segment = { headUuid: "gone", anchorUuid: "b1", tailUuid: "u1" };
    const { entries, report } = await importOk(
      jsonLines(claudeLine.user("u1", "prune"), boundary({ preservedSegment: segment }), summary),
    );
    expect(decisionOf(entries, "b1").kept).toBeUndefined();
    expect(report.problems).toMatchObject([{ kind: "boundary", line: 2 }]);
  });

  it("of a side-chain do not touch the main view", async () => {
    const { entries, report } = await importOk(
      jsonLines(claudeLine.user("u1", "prune"), { ...boundary(), isSidechain: true }),
    );
    expect(entries[2]).toMatchObject({
      kind: "message",
      message: { type: "system", subtype: "compact_boundary", isSidechain: true },
    });
    expect(report.boundaries).toBe(0);
  });

  it("of a microcompaction become a clearing of the results it names", async () => {
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.user("u1", "prune"),
        claudeLine.system("m1", "microcompact_boundary", {
          microcompactMetadata: {
            trigger: "auto",
            tokensSaved: 900,
            compactedToolIds: ["t1", "t2"],
            clearedAttachmentUUIDs: ["at1"],
          },
        }),
      ),
    );
    const label = "[Old tool result content cleared]";
    expect(entries[2]).toEqual({
      ...head(3, "m1"),
      kind: "decision",
      decision: {
        type: "clear",
        layer: "imported",
        reason: "recorded trigger: auto; attachments at1",
        frees: 900,
        basis: 2,
        parts: [
          { toolUseId: "t1", part: "result", label },
          { toolUseId: "t2", part: "result", label },
        ],
      },
    });
    expect(report).toMatchObject({ clearings: 1, boundaries: 0 });
  });
});

describe("other lines of Claude Code", () => {
  it("become notes, known or not", async () => {
    const snapshot = { type: "file-history-snapshot", messageId: "u1", snapshot: {} };
    const strange = { type: "__proto__", sessionId: "s-1" };
    const nameless = { uuid: "n1", payload: 1 };
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.user("u1", "prune"),
        { type: "ai-title", aiTitle: "Orchard", sessionId: "s-1" },
        { type: "permission-mode", permissionMode: "plan", sessionId: "s-1" },
        snapshot,
        strange,
        nameless,
      ),
    );
    expect(entries.slice(2).map((entry) => entry.kind === "note" && entry.note)).toEqual([
      { topic: "title", title: "Orchard" },
      { topic: "mode", mode: "plan" },
      { topic: "foreign", type: "file-history-snapshot", line: snapshot },
      { topic: "foreign", type: "__proto__", line: strange },
      { topic: "foreign", type: "(none)", line: nameless },
    ]);
    expect(report.otherTypes).toEqual({ "ai-title": 1, "permission-mode": 1, "file-history-snapshot": 1 });
    expect(Object.entries(report.unknownTypes)).toEqual([
      ["__proto__", 1],
      ["(none)", 1],
    ]);
  });

  it("keep all that a system line says, as a message that is never sent", async () => {
    const { entries } = await importOk(
      jsonLines(
        claudeLine.user("u1", "prune"),
        claudeLine.system("y1", "api_error", {
          content: "Overloaded",
          error: { status: 529 },
          retryAttempt: 2,
        }),
        claudeLine.system("y2", "turn_duration", { durationMs: 12 }),
      ),
    );
    expect(entries.slice(2).map((entry) => entry.kind === "message" && entry.message)).toEqual([
      {
        type: "system",
        subtype: "api_error",
        content: [
          { type: "text", text: "Overloaded" },
          { type: "text", text: '{"error":{"status":529},"retryAttempt":2}' },
        ],
      },
      { type: "system", subtype: "turn_duration", content: [{ type: "text", text: '{"durationMs":12}' }] },
    ]);
  });

  it("keep an attachment whole, its images as blocks", async () => {
    const plain = { type: "date_change", content: "A new day" };
    const image = { type: "image", file: { base64: "aW1n", type: "image/png", originalSize: 3 } };
    const { entries, report } = await importOk(
      jsonLines(
        claudeLine.user("u1", "prune"),
        claudeLine.attachment("at1", plain, { parentUuid: "u1" }),
        claudeLine.attachment("at2", { type: "file", filename: "tree.png", content: image }),
        claudeLine.attachment("at3", { allowedTools: [] }),
      ),
    );
    expect(entries.slice(2).map((entry) => entry.kind === "message" && entry.message)).toEqual([
      { type: "attachment", subtype: "date_change", content: [{ type: "text", text: "A new day" }] },
      {
        type: "attachment",
        subtype: "file",
        content: [
          {
            type: "text",
            text: JSON.stringify({
              type: "file",
              filename: "tree.png",
              content: {
                type: "image",
                file: { base64: "attached as block 1", type: "image/png", originalSize: 3 },
              },
            }),
          },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } },
        ],
      },
      { type: "attachment", content: [{ type: "text", text: '{"allowedTools":[]}' }] },
    ]);
    expect(entries[2]).toMatchObject({ parent: "u1" });
    expect(report).toMatchObject({ attachments: 3, messages: 1 });
  });
});
