import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureOutput } from "../request/measure-prompt.ts";
import { type AnswerBlock, answer, callTool, say, think, thinkRedacted } from "../script/answer.ts";
import type { SentBlock } from "./cut-blocks.ts";
import { type AnswerShaping, shapeAnswer } from "./shape-answer.ts";
import { type StreamEvent, streamEvents } from "./stream-events.ts";
import { toMessageBody, toUsage, type WireMessage } from "./to-message.ts";

const shaping: AnswerShaping = {
  maxTokens: 1_000_000,
  roomTokens: 1_000_000,
  stopSequences: [],
  toolUseId: () => "toolu_1",
  sign: (block, before) =>
    block.type === "thinking"
      ? { ...block, signature: `${before.length} ${String(block.thinking).length}` }
      : { ...block, data: "hidden" },
  measure: measureOutput,
};

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
const block: fc.Arbitrary<AnswerBlock> = fc.oneof(
  text.map(say),
  text.map(think),
  fc.constant(thinkRedacted()),
  fc
    .dictionary(fc.string({ maxLength: 9 }), fc.jsonValue(), { maxKeys: 4 })
    .map((input) => callTool("T", input)),
);
const blocks = fc.array(block, { maxLength: 6 });

function toMessage(shaped: ReturnType<typeof shapeAnswer>): WireMessage {
  const outcome = { inputTokens: 1, readTokens: 2, written5mTokens: 3, written1hTokens: 4, hitBlock: 0 };
  const usage = toUsage(outcome, shaped.outputTokens, shaped.thinkingTokens);
  return { id: "msg_1", model: "m", answer: shaped, usage, extra: {} };
}

/** Assembles a stream as a client does: start, deltas, stop. */
function assemble(events: Iterable<StreamEvent>) {
  const content: Record<string, unknown>[] = [];
  const inputs = new Map<number, string>();
  let end: Readonly<Record<string, unknown>> = {};
  for (const event of events) {
    const {
      index,
      delta,
      content_block: started,
    } = event as never as {
      readonly index: number;
      readonly delta: Readonly<Record<string, string>>;
      readonly content_block: Record<string, unknown>;
    };
    const current = content[index];
    if (event.type === "content_block_start") content.push({ ...started });
    if (event.type === "message_delta") end = { ...delta };
    if (event.type !== "content_block_delta" || current === undefined) continue;
    if (delta.type === "text_delta") current.text = `${current.text}${delta.text}`;
    if (delta.type === "thinking_delta") current.thinking = `${current.thinking}${delta.thinking}`;
    if (delta.type === "signature_delta") current.signature = delta.signature;
    if (delta.type === "input_json_delta")
      inputs.set(index, `${inputs.get(index) ?? ""}${delta.partial_json}`);
  }
  return { content, inputs, end };
}

describe("shapeAnswer", () => {
  it("is the same in pieces as whole, and no piece ends inside a character", () => {
    fc.assert(
      fc.property(blocks, (given) => {
        const message = toMessage(shapeAnswer(answer(given), shaping));
        const { content, inputs, end } = assemble(streamEvents(message));
        for (const [index, json] of inputs) Object.assign(content[index] ?? {}, { input: JSON.parse(json) });
        const whole = JSON.parse(JSON.stringify(toMessageBody(message)));
        expect(content).toEqual(whole.content);
        expect(end.stop_reason).toBe(whole.stop_reason);
        for (const event of streamEvents(message)) expect(JSON.stringify(event).isWellFormed()).toBe(true);
      }),
    );
  });

  it("never has more tokens than its limits, and says which of them ended it", () => {
    fc.assert(
      fc.property(blocks, fc.nat({ max: 150 }), fc.nat({ max: 150 }), (given, maxTokens, roomTokens) => {
        const shaped = shapeAnswer(answer(given), { ...shaping, maxTokens, roomTokens });
        const limit = Math.min(maxTokens, roomTokens);
        expect(shaped.outputTokens).toBeLessThanOrEqual(limit);
        const whole = shapeAnswer(answer(given), shaping);
        if (whole.outputTokens <= limit) expect(shaped).toEqual(whole);
        else {
          expect(shaped.stopReason).toBe(
            roomTokens < maxTokens ? "model_context_window_exceeded" : "max_tokens",
          );
          expect(shaped.content.length).toBeLessThanOrEqual(whole.content.length);
        }
      }),
    );
  });

  it("has the input of a cut call as far as it is whole, and streams it as far as it came", () => {
    const input = { path: "a.ts", text: "x".repeat(400) };
    const shaped = shapeAnswer(answer([callTool("Write", input)]), { ...shaping, maxTokens: 60 });
    expect(shaped.content).toMatchObject([{ type: "tool_use", input: { path: "a.ts" } }]);
    const { inputs } = assemble(streamEvents(toMessage(shaped)));
    const json = inputs.get(0) ?? "";
    expect(JSON.stringify(input).startsWith(json)).toBe(true);
    expect(json.length).toBeGreaterThan(20);
    expect(() => JSON.parse(json)).toThrow();
  });

  it("signs what is left of thinking that was cut", () => {
    const shaped = shapeAnswer(answer([think("word ".repeat(100))]), { ...shaping, maxTokens: 20 });
    const [cut] = shaped.content as [SentBlock];
    expect(cut.signature).toBe(`0 ${String(cut.thinking).length}`);
  });

  it("stops in front of the first stop sequence, whichever it is", () => {
    const { content, stopReason, stopSequence } = shapeAnswer(
      answer([say("one END two STOP"), callTool("T")]),
      { ...shaping, stopSequences: ["STOP", "END"] },
    );
    expect({ content, stopReason, stopSequence }).toEqual({
      content: [{ type: "text", text: "one " }],
      stopReason: "stop_sequence",
      stopSequence: "END",
    });
  });

  it("takes the script's word for stop reason and count", () => {
    const refused = answer([say("No.")], { stopReason: "refusal", outputTokens: 7 });
    expect(shapeAnswer(refused, shaping)).toMatchObject({ stopReason: "refusal", outputTokens: 7 });
    expect(shapeAnswer(answer([callTool("T")]), shaping).stopReason).toBe("tool_use");
    expect(shapeAnswer(answer([]), shaping)).toMatchObject({ stopReason: "end_turn", content: [] });
  });
});
