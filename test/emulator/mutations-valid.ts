import fc from "fast-check";
import type { ContentBlock, ModelRequest, RequestMessage } from "../../packages/core/src/spec/index.ts";
import {
  assistant,
  call,
  image,
  marked,
  readTool,
  requestOf,
  result,
  text,
  thinking,
  user,
} from "./mutations-bases.ts";

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((written) => `.${written}.`);
const someText = words.map(text);

interface Round {
  readonly isThinking: boolean;
  readonly says: readonly ContentBlock[];
  /** How many calls, and the results' order as numbers to sort by. */
  readonly order: readonly number[];
  readonly contents: readonly unknown[];
  readonly adds: readonly ContentBlock[];
}

const content = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.array(fc.oneof(someText, fc.constant(image())), { maxLength: 2 }),
);
const round: fc.Arbitrary<Round> = fc.record({
  isThinking: fc.boolean(),
  says: fc.array(someText, { maxLength: 2 }),
  order: fc.array(fc.nat(), { maxLength: 3 }),
  contents: fc.array(content, { minLength: 3, maxLength: 3 }),
  adds: fc.array(fc.oneof(someText, fc.constant(image(20, 20))), { maxLength: 1 }),
});

function messagesOf(first: ContentBlock, rounds: readonly Round[]): readonly RequestMessage[] {
  return [
    user(first),
    ...rounds.flatMap(({ isThinking, says, order, contents, adds }, index) => {
      const ids = order.map((_, at) => `toolu_${index}_${at}`);
      const said = says.length + ids.length > 0 ? says : [text("So be it.")];
      const results = ids
        .map((id, at) => ({ place: order[at] ?? 0, block: result(id, contents[at]) }))
        .sort((a, b) => a.place - b.place)
        .map(({ block }) => block);
      const answers = [...results, ...adds];
      return [
        assistant(...(isThinking ? [thinking()] : []), ...said, ...ids.map((id) => call(id))),
        user(...(answers.length > 0 ? answers : [text("Go on.")])),
      ];
    }),
  ];
}

/** Puts a marker on the last block of some user messages. */
function withMarkers(
  messages: readonly RequestMessage[],
  positions: readonly number[],
): readonly RequestMessage[] {
  const users = new Set(positions.map((position) => 2 * (position % Math.ceil(messages.length / 2))));
  return messages.map((message, index) => {
    const last = message.content.at(-1);
    if (!users.has(index) || !last) return message;
    return { ...message, content: message.content.with(-1, marked(last)) };
  });
}

/** Conversations with calls, thinking, images and markers, as valid as they come, at most 7 rounds long. */
export const validRequest: fc.Arbitrary<ModelRequest> = fc
  .record({
    first: someText,
    rounds: fc.array(round, { maxLength: 7 }),
    places: fc.array(fc.nat(20), { maxLength: 3 }),
    hasSystem: fc.boolean(),
  })
  .map(({ first, rounds, places, hasSystem }) =>
    requestOf(withMarkers(limitImages(messagesOf(first, rounds)), places), {
      tools: [readTool],
      ...(hasSystem && { system: [{ type: "text" as const, text: "Be careful." }] }),
    }),
  );

/** At most eight images stay; the others become words. */
function limitImages(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  let count = 0;
  const keep = (block: ContentBlock): ContentBlock => {
    if (block.type === "image") {
      count += 1;
      return count > 8 ? text("[image]") : block;
    }
    if (block.type !== "tool_result" || !("content" in block) || !Array.isArray(block.content)) return block;
    return { ...block, content: block.content.map(keep) };
  };
  return messages.map(({ role, content: blocks }) => ({ role, content: blocks.map(keep) }));
}
