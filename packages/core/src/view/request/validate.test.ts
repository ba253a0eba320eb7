import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../../../../../test/support/amount.ts";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ContentBlock, RequestMessage } from "../../spec/index.ts";
import { createProjection } from "../projection/projection.ts";
import { firstMarkedMessage, placeBreakpoints, withBreakpoints } from "./breakpoints.ts";
import { createMessageRenderer } from "./message-renderer.ts";
import { createValidator, validate } from "./validator.ts";

const limits = { images: { maxBytes: 6, maxSidePixels: 8_000, maxCount: 2 }, maxBreakpoints: 4 };
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const call = (id: string, name = "Read"): ContentBlock => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, content: string | ContentBlock[] = "x"): ContentBlock =>
  ({ type: "tool_result", tool_use_id: id, content }) as ContentBlock;
const image = (data = "AAAA"): ContentBlock => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});
const user = (...content: ContentBlock[]): RequestMessage => ({ role: "user", content });
const assistant = (...content: ContentBlock[]): RequestMessage => ({ role: "assistant", content });
const marked = (block: ContentBlock) => ({ ...block, cache_control: { type: "ephemeral" } }) as ContentBlock;

const thought: ContentBlock = { type: "thinking", thinking: "", signature: "s" };

const valid = [
  user(text("hi"), image()),
  assistant({ type: "thinking", thinking: "", signature: "s" }, text("ok"), call("t1"), call("t2")),
  user(result("t2"), result("t1", [text("in"), image()]), text("go on"), {
    type: "hologram",
    anything: "\ud800",
  }),
  assistant(text("done")),
];

describe("validate", () => {
  it.each([
    ["legal-tool", { tools: [{ name: "two words", input_schema: {} }] }],
    ["legal-tool", { tools: [1, 2].map(() => ({ name: "Read", input_schema: {} })) }],
    ["well-formed", { tools: [{ name: "Read", description: "\ud800", input_schema: {} }] }],
    ["well-formed", { system: [{ type: "text" as const, text: "a\ud800" }] }],
    ["text-not-empty", { system: [{ type: "text" as const, text: " \n" }] }],
    ["thinking-turn", { messages: [user(text("a")), assistant(call("t1")), user(result("t1"))] }],
  ])("finds %s in %j", (rule, more) => {
    const request = { messages: [user(text("a"))], thinking: { type: "enabled" }, ...more };
    expect(validate(request, limits).map((one) => one.rule)).toEqual([rule]);
  });

  it("asks for thinking only where a turn is open, and only at its beginning", () => {
    const thinking = { type: "enabled" };
    const round = [user(text("a")), assistant(thought, call("t1")), user(result("t1"))];
    const next = [...round, assistant(call("t2")), user(result("t2"))];
    const closed = [...next, assistant(text("b")), user(text("c"))];
    for (const messages of [round, next, closed])
      expect(validate({ messages, thinking }, limits)).toEqual([]);
  });

  it("finds nothing in a valid request, unknown blocks included", () => {
    expect(validate({ messages: valid }, limits)).toEqual([]);
  });

  it.each<[string, string, RequestMessage[], { system?: never[]; tools?: never[] }?]>([
    ["begins-with-user", "messages[0]", [assistant(text("hi"))]],
    ["roles-alternate", "messages[1]", [user(text("a")), user(text("b"))]],
    ["content-not-empty", "messages[0]", [user()]],
    ["text-not-empty", "messages[0].content[0]", [user(text(" \n"))]],
    [
      "text-not-empty",
      "messages[2].content[0].content[0]",
      [user(text("a")), assistant(call("t")), user(result("t", [text("")]))],
    ],
    ["call-has-result", "messages[1].content[0]", [user(text("a")), assistant(call("t"))]],
    ["call-has-result", "messages[1].content[0]", [user(text("a")), assistant(call("t")), user(text("b"))]],
    [
      "call-has-result",
      "messages[1].content[0]",
      [user(text("a")), assistant(call("t")), user(result("t"), result("t"))],
    ],
    ["result-has-call", "messages[0].content[0]", [user(result("t"))]],
    [
      "result-first",
      "messages[2].content[1]",
      [user(text("a")), assistant(call("t")), user(text("b"), result("t"))],
    ],
    [
      "call-once",
      "messages[3].content[0]",
      [user(text("a")), assistant(call("t")), user(result("t")), assistant(call("t")), user(result("t"))],
    ],
    ["block-role", "messages[0].content[0]", [user({ type: "thinking", thinking: "x", signature: "s" })]],
    ["block-role", "messages[1].content[0]", [user(text("a")), assistant(image())]],
    [
      "legal-call",
      "messages[1].content[0]",
      [user(text("a")), assistant(call("t", "no spaces")), user(result("t"))],
    ],
    ["legal-call", "messages[1].content[0]", [user(text("a")), assistant(call("a b")), user(result("a b"))]],
    ["well-formed", "messages[0].content[0]", [user(text("\ud800"))]],
    [
      "thinking-signed",
      "messages[1].content[0]",
      [user(text("a")), assistant({ type: "thinking", thinking: "x" }, text("b"))],
    ],
    [
      "thinking-signed",
      "messages[1].content[0]",
      [user(text("a")), assistant({ type: "redacted_thinking", data: "" }, text("b"))],
    ],
    ["thinking-first", "messages[1]", [user(text("a")), assistant(text("b"), thought, text("c"))]],
    ["thinking-last", "messages[1]", [user(text("a")), assistant(thought), user(text("b"))]],
    [
      "well-formed",
      "messages[1].content[0]",
      [
        user(text("a")),
        assistant({ type: "tool_use", id: "t1", name: "Read", input: { a: "\ud800" } }),
        user(result("t1")),
      ],
    ],
    [
      "block-role",
      "messages[2].content[0].content[0]",
      [user(text("a")), assistant(call("t1")), user(result("t1", [result("t1")]))],
    ],
    ["image-size", "messages[0].content[0]", [user(image("A".repeat(12)))]],
    ["image-count", "messages", [user(image(), image(), image())]],
    ["breakpoints", "request", [user(...["a", "b", "c", "d", "e"].map((word) => marked(text(word))))]],
  ])("finds %s at %s and nothing else", (rule, path, messages) => {
    expect(validate({ messages }, limits).map((one) => [one.rule, one.path])).toEqual([[rule, path]]);
  });

  it("gives the same when it is asked again and again about a growing request", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 50, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const renderer = createMessageRenderer();
        const validator = createValidator(limits);
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const messages = [...renderer.render(projection.projected.items, projection.takeChanged())];
          expect(validator.validate({ messages })).toEqual(validate({ messages }, limits));
        }
      }),
      { numRuns: amount({ quick: 200, slow: 500 }) },
    );
  });

  it("gives the same when it is told which messages are the very same, wherever markers stand", () => {
    const asked = fc.option(fc.nat({ max: 1_000 }), { nil: null });
    const operations = fc.array(fc.tuple(operation, asked), { minLength: 1, maxLength: 50, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const renderer = createMessageRenderer();
        const validator = createValidator(limits);
        let same = 0;
        let formerMarked = 0;
        for (const [one, former] of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          const rendered = renderer.render(items, projection.takeChanged());
          same = Math.min(same, renderer.keptMessages);
          if (former === null) continue;
          const locations = placeBreakpoints(items, former % Math.max(1, items.length));
          const request = { model: "m", max_tokens: 1, messages: rendered };
          const { messages } = withBreakpoints(request, locations, "5m", items.length);
          const firstMarked = firstMarkedMessage(messages, locations, items.length);
          const isMarked = (block: ContentBlock) => "cache_control" in block;
          expect(messages.slice(0, firstMarked).some(({ content }) => content.some(isMarked))).toBe(false);
          expect(validator.validate({ messages }, Math.min(same, formerMarked, firstMarked))).toEqual(
            validate({ messages }, limits),
          );
          same = messages.length;
          formerMarked = firstMarked;
        }
      }),
      { numRuns: amount({ quick: 200, slow: 500 }) },
    );
  });

  it("looks at the same number of messages for every turn of a long session", () => {
    const validator = createValidator(limits);
    const messages: RequestMessage[] = [user(text("begin"))];
    const perTurn = new Set<string>();
    for (let turn = 0; turn < 2000; turn += 1) {
      const same = messages.length;
      messages.push(assistant(text("a")), user(text("b")));
      const { checkedMessages, comparedMessages } = validator;
      validator.validate({ messages }, same - 1);
      const checked = validator.checkedMessages - checkedMessages;
      if (turn > 0)
        perTurn.add(`${checked} checked, ${validator.comparedMessages - comparedMessages} compared`);
    }
    expect([...perTurn]).toEqual(["3 checked, 1 compared"]);
  });
});
