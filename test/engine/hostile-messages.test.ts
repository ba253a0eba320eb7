import { describe, expect, it } from "vitest";
import type { Event, MessageInput } from "../../packages/core/src/spec/index.ts";
import {
  assistant,
  call,
  result,
  texts,
  usageOf,
  user,
  withoutControl,
} from "../support/session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "../support/virtual-session.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

function circular(): MessageInput {
  const block: Record<string, unknown> & { type: string } = { type: "custom" };
  block.self = { block };
  return user([block]);
}

const image = (source: unknown) => user([{ type: "image", source }]);
const holding = (content: unknown) => user([{ type: "tool_result", tool_use_id: "t", content }]);
const said = (more: object) => ({ role: "assistant", content: "x", ...more });

describe("a message that cannot be taken in", () => {
  it.each<[string, unknown, string]>([
    ["whose time is no time", { ...user("x"), at: {} }, "at"],
    ["of blank text", user("   "), "content"],
    ["of blocks of blank text", user([{ type: "text", text: " " }]), "content"],
    ["whose result is an object", holding({ a: 1 }), "content[0].content"],
    ["whose result is a number", holding(5), "content[0].content"],
    ["whose result holds null", holding([null]), "content[0].content"],
    ["whose result holds a text without text", holding([{ type: "text" }]), "content[0].content"],
    ["with an image without data", image({ type: "base64", media_type: "image/png" }), "content[0].source"],
    ["with an image of a number", image({ type: "base64", data: 5 }), "content[0].source"],
    ["with a document of a list", user([{ type: "document", source: [] }]), "content[0].source"],
    ["whose model is a number", { ...user("x"), model: 7 }, "model"],
    ["whose id is an object", { ...user("x"), id: { a: 1 } }, "id"],
    ["with a text that is null", user([{ type: "text", text: null }]), "content[0].text"],
    ["with a call without an id", user([{ type: "tool_use", name: "Read", input: {} }]), "content[0].id"],
    ["without content", { role: "user" }, "content"],
    ["that holds itself", circular(), "message"],
    ["that holds a BigInt", user([{ type: "custom", number: 5n }]), "message"],
    ["that is nested too deeply", user([{ type: "custom", value: nested(4000) }]), "message"],
    ["that is nested beyond the stack", user([{ type: "custom", value: nested(200_000) }]), "message"],
    ["of the assistant that holds itself", { ...circular(), role: "assistant" }, "message"],
  ])("%s is refused with its path, and nothing is lost", async (_, message, path) => {
    const store = createVirtualStore();
    const session = await beginSession({ store });
    await session.add(user("Hello."));
    await expect(session.add(message as MessageInput)).rejects.toMatchObject({ code: "invalid-input", path });
    await session.add(assistant("Well."));
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("Hello.", "Well."));
    await session.close();
    const again = await resumeSession({ store });
    expect(withoutControl((await again.prepare()).request)).toEqual(texts("Hello.", "Well."));
    await again.close();
  });
});

describe("an answer that no careful server gives", () => {
  const shown = (value: unknown) => ({
    type: "text",
    text: `[Content that cannot be sent: ${JSON.stringify(value)}]`,
  });
  const answerTo = async (answer: unknown) => {
    const store = createVirtualStore();
    const events: Event[] = [];
    const session = await beginSession({ store, onEvent: (event) => events.push(event) });
    await session.add(user("Hello."));
    await session.prepare();
    const entry = await session.add(answer as MessageInput);
    await session.add(user("Go on."));
    const sent = withoutControl((await session.prepare()).request);
    const { count } = session.usage();
    await session.close();
    const again = await resumeSession({ store });
    expect(withoutControl((await again.prepare()).request)).toEqual(sent);
    await again.close();
    const ignored = events.flatMap((event) => (event.type === "usage-ignored" ? event.message : []));
    const message = entry.kind === "message" ? entry.message : undefined;
    return { message, sent, count, ignored };
  };

  it.each<[string, unknown]>([
    ["a word", "12"],
    ["negative", { input_tokens: -5, output_tokens: "7" }],
    ["in words", { input: "5" }],
    ["more than can be counted", { input_tokens: 1e18 }],
    ["a list", [1]],
    ["of chat completions, in words", { prompt_tokens: "50" }],
    ["without end", { input: 1e308, output: 1, cacheRead: 0, cacheCreation: 0 }],
  ])("is logged with its usage as it came, and not counted by, where that is %s", async (_name, usage) => {
    const { message, count, ignored } = await answerTo({ ...said({}), usage });
    expect(message).toMatchObject({ content: "x", usage: usageOf(0, 0), reportedUsage: usage });
    expect([count.source, ignored.length]).toEqual(["plain", 1]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("is logged with a usage of %d", async (usage) => {
    const { message, ignored } = await answerTo({ ...said({}), usage });
    expect([message?.reportedUsage, ignored.length]).toEqual([String(usage), 1]);
  });

  it.each([600, 4_000, 200_000])(
    "is logged with texts for what is nested %d deep, and the rest as it came",
    async (depth) => {
      const value = nested(depth);
      const { message, sent } = await answerTo({
        ...said({ model: { value }, stray: value }),
        content: [
          { type: "text", text: "PAID ANSWER" },
          { type: "hologram", beams: 3, value },
          { type: "text", text: "So it is.", value },
          call("t1", value),
          value,
          { type: "text", text: "The end." },
        ],
      });
      const shows = (words: string) => ({ type: "text", text: expect.stringContaining(words) });
      const recorded = [
        { type: "text", text: "PAID ANSWER" },
        shows(
          'A block of the type “hologram” is nested more than 500 deep and cannot be recorded. It begins:]\n{"type":"hologram","beams":3,"value":{"value":',
        ),
        { type: "text", text: "So it is." },
        shows("Fields of the block of the type “text” before"),
        shows("A block of the type “tool_use”"),
        shows("A part is nested"),
        { type: "text", text: "The end." },
      ];
      expect(message?.content).toEqual(recorded);
      expect(message).toMatchObject({ stray: expect.stringContaining("The field “stray”") });
      expect(message?.model).toBeUndefined();
      expect(JSON.stringify(message).length).toBeLessThan(12_000);
      expect(sent).toEqual([
        ...texts("Hello."),
        { role: "assistant", content: recorded },
        ...texts("Go on."),
      ]);
    },
  );

  it.each<[string, unknown]>([
    ["a text that is null", { type: "text", text: null }],
    ["a call without input", { type: "tool_use", id: "t1", name: "Read" }],
    ["a call without an id", { type: "tool_use", name: "Read", input: {} }],
    ["thinking signed by a number", { type: "thinking", thinking: "x", signature: 5 }],
    ["a result without an id", { type: "tool_result", content: "x" }],
  ])("is logged with %s as it came, which is sent as text that shows it", async (_name, block) => {
    const { message, sent } = await answerTo(assistant([block as never]));
    expect(message?.content).toEqual([block]);
    expect(sent).toEqual([
      ...texts("Hello."),
      { role: "assistant", content: [shown(block)] },
      ...texts("Go on."),
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ["nothing", undefined, []],
    ["null", null, []],
    ["a block", { type: "text", text: "Well." }, [{ type: "text", text: "Well." }]],
    ["a number", 5, [shown(5)]],
    [
      "blocks that are none",
      [null, "Well.", { text: "Well." }],
      [null, "Well.", { text: "Well." }].map(shown),
    ],
  ])("is logged where its content is %s", async (_name, content, logged) => {
    const { message } = await answerTo({ role: "assistant", content });
    expect(message?.content).toEqual(logged);
  });

  it.each<[string, object]>([
    ["model", { model: 7 }],
    ["id", { id: { a: 1 } }],
    ["stop reason", { stopReason: 5 }],
    ["stop reason in the API's words", { stop_reason: {} }],
    ["context management", { context_management: "yes" }],
  ])("is taken without a %s that is none", async (_name, more) => {
    const { message } = await answerTo(said(more));
    expect(message).toEqual({ type: "assistant", content: "x", prefixDigest: expect.any(String) });
  });
});

describe("an unusual message", () => {
  it.each<[string, unknown, object]>([
    ["whose model is null", said({ model: null, usage: usageOf(5) }), { usage: usageOf(5) }],
    ["whose usage is null", said({ usage: null }), {}],
    ["whose id is empty", said({ id: "" }), {}],
    ["whose context management is null", said({ contextManagement: null }), {}],
    [
      "with the usage of a response as it came",
      said({ usage: { input_tokens: 500, output_tokens: 3, cache_read_input_tokens: null } }),
      { usage: usageOf(500, 3) },
    ],
    ["with part of a usage", said({ usage: { input: 5, output: 1 } }), { usage: usageOf(5) }],
  ])("%s is stored as what it means", async (_, message, expected) => {
    const session = await beginSession();
    const entry = await session.add(message as MessageInput);
    const prefixDigest = expect.any(String);
    expect(entry).toMatchObject({ kind: "message" });
    expect(entry.kind === "message" && entry.message).toEqual({
      type: "assistant",
      content: "x",
      prefixDigest,
      ...expected,
    });
    await session.close();
  });

  it.each(["constructor", "__proto__", "toString"])(
    "with a block of type %s passes through",
    async (type) => {
      const session = await beginSession();
      await session.add(user([{ type }]));
      expect(withoutControl((await session.prepare()).request)).toEqual([
        { role: "user", content: [{ type }] },
      ]);
      await session.close();
    },
  );

  it("with a value that JSON leaves out is stored without it", async () => {
    const session = await beginSession();
    await session.add(user([{ type: "custom", kept: 1, gone: { toJSON: () => undefined } }]));
    expect(withoutControl((await session.prepare()).request)).toEqual([
      { role: "user", content: [{ type: "custom", kept: 1 }] },
    ]);
    await session.close();
  });

  it("is a copy: what its owner does to it later changes nothing", async () => {
    const session = await beginSession();
    const block = { type: "text", text: "Hello." };
    await session.add(user([block]));
    block.text = "changed later";
    expect(withoutControl((await session.prepare()).request)).toEqual(texts("Hello."));
    await session.close();
  });

  it("with numbers written as text keeps digits that a number cannot hold", async () => {
    const number = { type: "number" };
    const input_schema = { type: "object", properties: { id: number, far: number, count: number } };
    const session = await beginSession({ tools: [{ name: "Read", input_schema }] });
    await session.add(user("Hello."));
    await session.add(assistant([call("t1", { id: "12345678901234567890", far: "1e999", count: "3" })]));
    expect((await entriesOf(session)).at(-1)).toMatchObject({
      message: { content: [{ input: { id: "12345678901234567890", far: "1e999", count: 3 } }] },
    });
    await session.close();
  });

  it("of the user has no usage, whatever it says", async () => {
    const session = await beginSession();
    const entry = await session.add({ ...user("Hello."), usage: usageOf(190_000) });
    expect(entry.kind === "message" && entry.message).toEqual({ type: "user", content: "Hello." });
    expect(session.usage().count.source).not.toBe("usage");
    await session.close();
  });

  it("with two calls and two results of one id makes a valid request", async () => {
    const session = await beginSession();
    await session.add(user("Hello."));
    await session.add(assistant([call("t1"), call("t1")]));
    await session.add(user([result("t1", "a"), result("t1", "b")]));
    const { request, report } = await session.prepare();
    expect(report.repairs).toEqual(["to-text", "to-text"]);
    expect(request.messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ["text"],
      ["tool_use", "text"],
      ["tool_result", "text"],
    ]);
    await session.close();
  });
});

describe("responses without an id of their own", () => {
  it.each(["", "always-the-same"])("are as many as they are, with the id “%s”", async (id) => {
    const session = await beginSession();
    await session.add(user("Hello."));
    for (let round = 1; round <= 10; round += 1) {
      const more = { id, usage: usageOf(1000 * round), stopReason: "tool_use" };
      await session.add(assistant([call(`t${round}`)], more));
      await session.add(user([result(`t${round}`)]));
    }
    const { request, report } = await session.prepare();
    expect(request.messages).toHaveLength(21);
    expect(report.repairs).toEqual([]);
    expect(report.count.source).toBe("usage");
    expect(report.count.tokens).toBeGreaterThan(10_000);
    expect(report.count.tokens).toBeLessThan(10_050);
    await session.close();
  });
});
