import fc from "fast-check";
import { allBetas, betaBlocks } from "./beta-blocks.ts";
import { hostileChats } from "./hostile-chats.ts";
import { hostileMessages } from "./hostile-messages.ts";
import type { HostileAnswer } from "./wire-answer.ts";

const value = fc.jsonValue({ maxDepth: 2 });
const word = fc.constantFrom("", " ", "Well.", "a\ud800", "__proto__", "constructor", "x".repeat(300));
const count = fc.oneof(
  fc.nat(2_000),
  fc.constantFrom(0, -1, 0.5, 1e7, 1e12, 2 ** 60, "5", null, true),
  value,
);
const type = fc.oneof(
  fc.constantFrom("text", "tool_use", "thinking", "redacted_thinking", "image", "document", "tool_result"),
  fc.constantFrom("server_tool_use", "web_search_tool_result", "compaction", "hologram", "fallback"),
  fc.string({ maxLength: 12 }),
);
const field = fc.constantFrom("text", "id", "name", "input", "thinking", "signature", "data", "content");
const otherField = fc.constantFrom("citations", "caller", "source", "tool_use_id", "is_error", "verdict");

/** Blocks: sensible ones with a field more, less or wrong, and any others. */
const sensible = fc.constantFrom<object>(
  { type: "text", text: "Well." },
  { type: "tool_use", id: "toolu_r", name: "Echo", input: { text: "x" } },
  { type: "thinking", thinking: "Hm.", signature: "c2ln" },
);
const changes = fc.dictionary(fc.oneof(field, otherField), fc.oneof(word, value), { maxKeys: 2 });
const block: fc.Arbitrary<unknown> = fc.oneof(
  sensible,
  fc.tuple(sensible, changes).map(([one, more]) => ({ ...one, ...more })),
  fc.tuple(type, changes).map(([kind, more]) => ({ ...more, type: kind })),
  { weight: 1, arbitrary: value },
);
/** Blocks that need beta headers, each with what belongs to it or without, in any order. */
const betaBlock = fc.constantFrom<object>(...Object.values(betaBlocks).flat());
const betaContent = fc.array(fc.oneof(betaBlock, betaBlock, sensible), { minLength: 1, maxLength: 8 });
const betas = fc.option(fc.subarray(allBetas), { nil: undefined });

const piece = fc.oneof(
  fc.constantFrom<unknown>(
    { type: "text_delta", text: "We" },
    { type: "input_json_delta", partial_json: '{"te' },
    { type: "signature_delta", signature: "c2ln" },
    { type: "mood_delta", mood: 1 },
  ),
  value,
);
const index = fc.nat(2);
const event = fc.oneof(
  fc.record({ type: fc.constant("content_block_start"), index, content_block: block }),
  fc.record({ type: fc.constant("content_block_delta"), index, delta: piece }),
  fc.record({ type: fc.constant("content_block_stop"), index }),
  fc.record({ type: fc.string({ maxLength: 8 }), index: value }),
);

const reason = fc.constantFrom<unknown>(
  "end_turn",
  "tool_use",
  "max_tokens",
  "pause_turn",
  "refusal",
  "moon",
  null,
  5,
);
const usage = fc.record(
  { input_tokens: count, output_tokens: count, cache_read_input_tokens: count },
  { requiredKeys: [] },
);
const cutAt = fc.option(fc.nat(900), { nil: undefined, freq: 6 });

const randomMessage: fc.Arbitrary<HostileAnswer> = fc
  .record({
    body: fc.oneof(
      { weight: 3, arbitrary: fc.record({ content: fc.array(block, { maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ events: fc.array(event, { maxLength: 6 }) }) },
      { weight: 1, arbitrary: fc.record({ content: betaContent, betas }) },
    ),
    stop: fc.record({ stop_reason: reason }),
    start: fc.dictionary(
      fc.constantFrom("id", "model", "role", "content", "context_management", "mood"),
      value,
      {
        maxKeys: 1,
      },
    ),
    usage: fc.oneof(usage, value),
    cutAt,
  })
  .map(({ body, ...rest }) => ({ name: "", ...body, ...rest }));

const called = fc.record(
  { index: fc.oneof(fc.nat(1), value), id: fc.oneof(word, value), type: word, function: changes },
  { requiredKeys: [] },
);
const chatDelta = fc.record(
  {
    content: fc.oneof(word, value),
    tool_calls: fc.oneof(fc.array(called, { maxLength: 3 }), value),
    reasoning_content: fc.oneof(word, value),
    refusal: fc.oneof(word, value),
    function_call: value,
  },
  { requiredKeys: [] },
);
const finish = fc.constantFrom<unknown>("stop", "tool_calls", "length", "content_filter", "moon", 5, null);

const randomChat: fc.Arbitrary<HostileAnswer> = fc
  .record({
    delta: chatDelta,
    finish,
    usage: fc.oneof(
      fc.record({ prompt_tokens: count, completion_tokens: count }, { requiredKeys: [] }),
      value,
    ),
    fields: fc.dictionary(fc.constantFrom("id", "model", "object", "mood"), value, { maxKeys: 1 }),
    cutAt,
  })
  .map(({ cutAt: at, ...chat }) => ({ name: "", chat, ...(at !== undefined && { cutAt: at }) }));

/** So many answers at random of one protocol, some of the table among them; the same for the same seed. */
export function randomAnswers(isChat: boolean, numRuns: number, seed: number): readonly HostileAnswer[] {
  const table = fc.constantFrom(...(isChat ? hostileChats : hostileMessages));
  const arbitrary = fc.oneof({ weight: 9, arbitrary: isChat ? randomChat : randomMessage }, table);
  return fc.sample(arbitrary, { numRuns, seed }).map((answer, at) => ({
    ...answer,
    name: `${answer.name || JSON.stringify(answer).slice(0, 3_000)} (seed ${seed}, ${at})`,
  }));
}
