import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock, RequestMessage } from "../../packages/core/src/spec/index.ts";
import { fromChatMessages, toChatRequest } from "../../packages/palimpsest/src/models/openai/index.ts";
import { checkChat } from "../../packages/testing/src/emulator/chat/judge-chat.ts";
import { toMessagesBody } from "../../packages/testing/src/emulator/chat/to-messages-body.ts";

const model = { model: "gpt-4.1", max_tokens: 1_000 };
const words = fc.string({ minLength: 1, unit: "grapheme" });
const text = words.map((said): ContentBlock => ({ type: "text", text: said }));
const base64 = fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const image = fc.oneof(
  base64.map((data) => ({ type: "base64" as const, media_type: "image/png", data })),
  fc.webUrl().map((url) => ({ type: "url" as const, url })),
);
const part = fc.oneof(
  text,
  image.map((source): ContentBlock => ({ type: "image", source })),
  fc.tuple(base64, fc.option(words, { nil: undefined })).map(
    ([data, title]): ContentBlock => ({
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data },
      ...(title !== undefined && { title }),
    }),
  ),
);
const result = fc.oneof(fc.string(), fc.array(text, { minLength: 2, maxLength: 3 }));
const input = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));

/** What a round of calls needs: what the assistant says, its calls, their results, and what the user says next. */
const round = fc.record({
  said: fc.array(text, { maxLength: 2 }),
  calls: fc.array(fc.tuple(input, result), { minLength: 1, maxLength: 3 }),
  next: fc.array(part, { maxLength: 2 }),
});

/** Conversations of which the protocol has everything. */
const conversation = fc
  .record({
    system: fc.array(text, { maxLength: 2 }),
    begin: fc.array(part, { minLength: 1, maxLength: 3 }),
    rounds: fc.array(round, { maxLength: 4 }),
  })
  .map(({ system, begin, rounds }) => ({
    system: system as never,
    messages: [
      { role: "user", content: begin } as RequestMessage,
      ...rounds.flatMap(({ said, calls, next }, at): RequestMessage[] => {
        const uses = calls.map(([given], index) => ({
          type: "tool_use" as const,
          id: `call_${at}_${index}`,
          name: "Read",
          input: given,
        }));
        const results = calls.map(([, content], index) => ({
          type: "tool_result" as const,
          tool_use_id: `call_${at}_${index}`,
          content,
        }));
        return [
          { role: "assistant", content: [...said, ...uses] },
          { role: "user", content: [...results, ...next] },
        ];
      }),
    ],
  }));

/** A file has a name in the protocol, whether or not the document had one. */
function named({ role, content }: RequestMessage): RequestMessage {
  return {
    role,
    content: content.map((block) =>
      block.type === "document" ? { title: "document.pdf", ...block } : block,
    ),
  };
}

describe("conversations as chat completions", () => {
  it("are what they were once they are converted back", () => {
    fc.assert(
      fc.property(conversation, (given) => {
        expect(fromChatMessages(toChatRequest({ ...model, ...given }).body.messages)).toEqual(given);
      }),
    );
  });

  it("only grow at their end when the conversation does", () => {
    fc.assert(
      fc.property(conversation, fc.nat(), ({ system, messages }, at) => {
        const whole = toChatRequest({ ...model, system, messages }).body.messages;
        const kept = messages.slice(0, at % (messages.length + 1));
        const begin = toChatRequest({ ...model, system, messages: kept }).body.messages;
        expect(whole.slice(0, begin.length)).toEqual(begin);
      }),
    );
  });

  it("are valid to the emulator, which reads the same in them", () => {
    fc.assert(
      fc.property(conversation, ({ system, messages }) => {
        const { body } = toChatRequest({ ...model, system, messages });
        expect(checkChat(body, { maxOutput: 1_000 })).toEqual([]);
        const whole = toMessagesBody(body as unknown as Readonly<Record<string, unknown>>);
        expect(whole.messages).toEqual(messages.map(named));
        expect(whole.system ?? []).toEqual(system);
      }),
    );
  });
});
