import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromChatMessages } from "./from-chat-messages.ts";

const anyMessage = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "tool", "function", "system", "developer", "robot"),
    content: fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ type: fc.constantFrom("text", "image_url", "file"), text: fc.jsonValue() })),
    ),
    tool_calls: fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ id: fc.jsonValue(), function: fc.jsonValue() })),
    ),
    function_call: fc.jsonValue(),
    tool_call_id: fc.jsonValue(),
  },
  { requiredKeys: ["role"] },
);

describe("messages from chat completions", () => {
  it("take what other clients send, also the older kind", () => {
    expect(
      fromChatMessages([
        { role: "developer", content: "Be short." },
        { role: "user", content: "Time?" },
        { role: "assistant", content: null, function_call: { name: "now", arguments: "" } },
        { role: "function", name: "now", content: "noon" },
        {
          role: "assistant",
          content: "",
          refusal: "No.",
          tool_calls: [{ id: "c", function: { name: "f", arguments: "[" } }],
        },
        { role: "tool", tool_call_id: "c", content: "" },
        {
          role: "user",
          content: [
            { type: "input_audio", input_audio: {} },
            { type: "file", file: { file_id: "f" } },
          ],
        },
      ]),
    ).toEqual({
      system: [{ type: "text", text: "Be short." }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Time?" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "now", name: "now", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "now", content: "noon" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "No." },
            { type: "tool_use", id: "c", name: "f", input: { arguments: "[" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c", content: "" },
            { type: "input_audio", input_audio: {} },
            { type: "document", source: { type: "file", file_id: "f" } },
          ],
        },
      ],
    });
  });

  it("never throw, whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyMessage, fc.jsonValue())), (messages) => {
        const { messages: made } = fromChatMessages(messages);
        expect(made.every(({ content }) => content.length > 0)).toBe(true);
      }),
    );
  });
});
