import { describe, expect, it } from "vitest";
import type { MessageInput } from "../../spec/index.ts";
import { toMessage } from "./to-message.ts";

describe("an added message", () => {
  it("takes an answer of the official SDK by its own names", () => {
    const edits = { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 2 }] };
    const answer = {
      ...{ id: "msg_1", type: "message", role: "assistant" as const, model: "m", stop_sequence: null },
      ...{ content: [], stop_reason: "model_context_window_exceeded", context_management: edits },
    };
    expect(toMessage(answer as never)).toEqual({
      ok: true,
      value: {
        ...{ type: "assistant", responseId: "msg_1", model: "m", stop_sequence: null, content: [] },
        ...{ stopReason: "model_context_window_exceeded", contextManagement: edits },
      },
    });
  });

  it("keeps its fields, with its id as the response's", () => {
    const usage = { input: 1, output: 2, cacheRead: 3, cacheCreation: 4 };
    expect(
      toMessage({
        role: "assistant",
        content: "hi",
        id: "msg_1",
        model: "m",
        usage,
        stopReason: "end_turn",
        at: 5,
      }),
    ).toEqual({
      ok: true,
      value: {
        type: "assistant",
        content: "hi",
        responseId: "msg_1",
        model: "m",
        usage,
        stopReason: "end_turn",
      },
    });
  });

  it("has its results first, in their order, and everything else behind them", () => {
    const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });
    const added = toMessage({
      role: "user",
      content: [{ type: "text", text: "a" }, result("1"), { type: "odd", deep: [1] }, result("2")],
    });
    expect(added).toMatchObject({
      value: { content: [result("1"), result("2"), { type: "text", text: "a" }, { type: "odd", deep: [1] }] },
    });
  });

  it.each(["system", "tool", "attachment", undefined])(
    "of the kind %s is refused with the kinds there are",
    (role) => {
      expect(toMessage({ role, content: "x" } as unknown as MessageInput)).toMatchObject({
        error: {
          code: "invalid-input",
          path: "role",
          message: expect.stringContaining("expected “user” or “assistant”"),
          fix: expect.stringMatching(/“system”.*“tool_result”.*session\.attach/),
        },
      });
    },
  );

  it("that is too long is refused with the limit", () => {
    const control = "\u0001".repeat(23_000_000);
    expect(toMessage({ role: "user", content: control })).toMatchObject({
      error: {
        code: "too-large",
        message: "The message has 138000028 characters as JSON; at most 134217728 are taken.",
      },
    });
    const endless = {
      toJSON() {
        throw new RangeError("Invalid string length");
      },
    };
    expect(toMessage({ role: "user", content: endless as never })).toMatchObject({
      error: { code: "too-large", message: expect.stringContaining("at most 134217728 are taken") },
    });
  });

  it("has well-formed text, and thinking as it came", () => {
    const thinking = { type: "thinking", thinking: "\ud800", signature: "\ud800" };
    expect(
      toMessage({ role: "assistant", content: [{ type: "text", text: "a\ud800" }, thinking] }),
    ).toMatchObject({
      value: { content: [{ type: "text", text: "a\ufffd" }, thinking] },
    });
  });

  it.each([
    [null, "message: expected an object with role and content, got null."],
    [{ role: "system", content: "x" }, 'role: expected “user” or “assistant”, got "system".'],
    [{ role: "user" }, "content: expected a string or an array of blocks, got nothing."],
    [{ role: "user", content: "" }, "The message is empty."],
    [{ role: "user", content: [] }, "The message is empty."],
    [{ role: "user", content: ["x"] }, 'content[0]: expected a block, got "x".'],
    [{ role: "user", content: [{ text: "x" }] }, "content[0].type: expected a string, got nothing."],
    [{ role: "user", content: [{ type: "text" }] }, "content[0].text: expected a string, got nothing."],
    [
      { role: "user", content: [{ type: "tool_result" }] },
      "content[0].tool_use_id: expected a string, got nothing.",
    ],
    [
      { role: "user", content: [{ type: "image", source: 5 }] },
      "content[0].source: expected an object, got 5.",
    ],
  ])("is refused with the path of what is wrong: %j", (input, message) => {
    expect(toMessage(input as MessageInput)).toMatchObject({
      ok: false,
      error: { code: "invalid-input", message },
    });
  });
});
