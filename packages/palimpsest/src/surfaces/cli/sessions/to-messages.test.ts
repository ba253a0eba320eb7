import { describe, expect, it } from "vitest";
import type { Entry, Message } from "../../../../../core/src/spec/index.ts";
import { toMessages } from "./export-command.ts";

function entries(
  ...items: readonly (Partial<Message> | { readonly decision: object; readonly id?: string })[]
): readonly Entry[] {
  return items.map((item, index) => {
    const head = { v: 1, seq: index + 1, epoch: 1, id: `e${index + 1}`, at: "2026-01-01T00:00:00.000Z" };
    const body = "decision" in item ? { kind: "decision", ...item } : { kind: "message", message: item };
    return { ...head, ...body } as Entry;
  });
}

const text = (words: string) => ({ type: "text", text: words });
const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "…" });

describe("toMessages", () => {
  it("makes one message of a response that was written down in parts, its results behind it", () => {
    const { messages } = toMessages(
      entries(
        { type: "user", content: "look" },
        { type: "assistant", responseId: "r1", content: [text("two files"), call("a")] },
        { type: "user", content: [result("a")] },
        { type: "assistant", responseId: "r1", content: [call("b")] },
        { type: "user", content: [result("b")] },
        { type: "user", content: "and now?" },
        { type: "assistant", responseId: "r2", content: "done" },
      ),
    );
    expect(messages).toEqual([
      { role: "user", content: [text("look")] },
      { role: "assistant", content: [text("two files"), call("a"), call("b")] },
      { role: "user", content: [result("a"), result("b"), text("and now?")] },
      { role: "assistant", content: [text("done")] },
    ]);
  });

  it("leaves out what is not part of the conversation, and counts it", () => {
    const { messages, leftOut } = toMessages(
      entries(
        { type: "user", content: "hello" },
        { type: "attachment", content: "a file" },
        { type: "system", content: "a notice" },
        { type: "assistant", content: "of an agent", isSidechain: true },
        { type: "assistant", content: "cut", isAborted: true },
        { type: "user", content: "summary", isCompactSummary: true },
        { type: "assistant", content: "overloaded", isApiErrorMessage: true, model: "<synthetic>" },
        { type: "assistant", content: "hi" },
        { type: "user", content: "" },
      ),
    );
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(leftOut).toEqual({
      attachments: 1,
      notices: 1,
      "messages of sub-agents": 1,
      "aborted responses": 1,
      summaries: 1,
      "local errors": 1,
    });
  });

  it("follows a rewind, and its restoration", () => {
    const rewind = { decision: { type: "rewind", to: "e1" } };
    const said = (items: readonly Entry[]) =>
      toMessages(items).messages.map(({ content }) => (content[0] as { readonly text?: string }).text);
    const before = [
      { type: "user", content: "one" },
      { type: "assistant", content: "two" },
    ] as const;
    expect(said(entries(...before, rewind, { type: "assistant", content: "three" }))).toEqual([
      "one",
      "three",
    ]);
    expect(said(entries(...before, rewind, { decision: { type: "restore", decision: "e3" } }))).toEqual([
      "one",
      "two",
    ]);
  });
});
