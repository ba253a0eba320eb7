import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVirtualIds } from "../../../../testing/src/index.ts";
import { fail, type ModelEvent, type ModelResponse, ok, type Result } from "../../spec/index.ts";
import { toRequestId } from "../../view/request/request-ids.ts";
import { fromChatChunks } from "./chunk-reader.ts";

const chunk = (delta: unknown, finish: string | null = null, more: object = {}) => ({
  id: "chatcmpl-1",
  model: "m-1",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  json: unknown,
) => ({
  tool_calls: [{ index, id, type: "function", function: { name, arguments: json } }],
});

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

async function read(chunks: readonly unknown[], options: object = {}, end?: Result<unknown>) {
  async function* source(): AsyncGenerator<Result<unknown>> {
    for (const one of chunks) yield ok(one);
    if (end !== undefined) yield end;
  }
  const results: Result<ModelEvent>[] = [];
  const given = { ids: createVirtualIds(), model: "asked", ...options };
  for await (const result of fromChatChunks(source(), given)) results.push(result);
  return results;
}

async function events(chunks: readonly unknown[], options: object = {}) {
  const results = await read(chunks, options);
  return results.map((result) => (result.ok ? result.value : result.error.code));
}

const last = async (chunks: readonly unknown[], options: object = {}) =>
  (await events(chunks, options)).at(-1);

const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });

describe("chunks of a chat completion", () => {
  it("become the events of a response", async () => {
    expect(
      await events([
        chunk({ role: "assistant", content: "" }),
        chunk({ reasoning_content: "Hm" }),
        chunk({ reasoning_content: "." }),
        chunk({ content: "Hel" }),
        chunk({ content: "lo." }),
        chunk(piece(0, "call_a", "Read", "")),
        chunk(piece(1, "call_b", "Now", "")),
        chunk(piece(0, undefined, undefined, '{"path":')),
        chunk(piece(1, undefined, undefined, "{}")),
        chunk(piece(0, undefined, undefined, '"a"}')),
        chunk({}, "tool_calls"),
        {
          id: "chatcmpl-1",
          choices: [],
          usage: {
            prompt_tokens: 1_500,
            completion_tokens: 20,
            prompt_tokens_details: { cached_tokens: 1_024 },
          },
        },
      ]),
    ).toEqual([
      { type: "response-start", id: "chatcmpl-1", model: "m-1" },
      { type: "block-start", index: 0, block: { type: "thinking", thinking: "" } },
      { type: "block-delta", index: 0, delta: { type: "thinking", thinking: "Hm" } },
      { type: "block-delta", index: 0, delta: { type: "thinking", thinking: "." } },
      { type: "block-end", index: 0, block: { type: "thinking", thinking: "Hm." } },
      { type: "block-start", index: 1, block: { type: "text", text: "" } },
      { type: "block-delta", index: 1, delta: { type: "text", text: "Hel" } },
      { type: "block-delta", index: 1, delta: { type: "text", text: "lo." } },
      { type: "block-end", index: 1, block: { type: "text", text: "Hello." } },
      { type: "block-start", index: 2, block: use("call_a", "Read", {}) },
      { type: "block-start", index: 3, block: use("call_b", "Now", {}) },
      { type: "block-delta", index: 2, delta: { type: "input", json: '{"path":' } },
      { type: "block-delta", index: 3, delta: { type: "input", json: "{}" } },
      { type: "block-delta", index: 2, delta: { type: "input", json: '"a"}' } },
      { type: "block-end", index: 2, block: use("call_a", "Read", { path: "a" }) },
      { type: "block-end", index: 3, block: use("call_b", "Now", {}) },
      {
        type: "response-end",
        id: "chatcmpl-1",
        model: "m-1",
        content: [
          { type: "thinking", thinking: "Hm." },
          { type: "text", text: "Hello." },
          use("call_a", "Read", { path: "a" }),
          use("call_b", "Now", {}),
        ],
        stopReason: "tool_use",
        usage: { input: 476, output: 20, cacheRead: 1_024, cacheCreation: 0 },
      },
    ]);
  });

  it.each([
    ["stop", { content: "Hi." }, { stopReason: "end_turn" }],
    ["length", { content: "Hi." }, { stopReason: "max_tokens" }],
    ["content_filter", { content: "Hi." }, { stopReason: "refusal", stopDetails: "content_filter" }],
    ["stop", { refusal: "I will not." }, { stopReason: "refusal", stopDetails: "I will not." }],
    ["stop", piece(0, "c", "f", "{}"), { stopReason: "tool_use" }],
    ["tool_calls", { content: "Hi." }, { stopReason: "end_turn" }],
    ["eos", { content: "Hi." }, { stopReason: "end_turn", stopDetails: "eos" }],
  ])("that end with %s and %j say so", async (finish, delta, expected) => {
    const end = await last([chunk(delta), chunk({}, finish)]);
    const { stopReason, stopDetails } = end as { stopReason: string; stopDetails?: string };
    expect({ stopReason, ...(stopDetails !== undefined && { stopDetails }) }).toEqual(expected);
  });

  it("keep a refusal as what was said", async () => {
    expect(await last([chunk({ refusal: "I " }), chunk({ refusal: "won't." }, "stop")])).toMatchObject({
      content: [{ type: "text", text: "I won't." }],
      stopDetails: "I won't.",
    });
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      "without ids",
      [chunk(piece(0, undefined, "f", "{}")), chunk(piece(1, "", "f", "{}"))],
      [use("call_000001", "f", {}), use("call_000002", "f", {})],
    ],
    [
      "without an index",
      [
        chunk(piece(undefined, "a", "f", "{")),
        chunk(piece(undefined, undefined, undefined, "}")),
        chunk(piece(undefined, "b", "g", "")),
      ],
      [use("a", "f", {}), use("b", "g", {})],
    ],
    [
      "that are whole and all have the index 0",
      [chunk(piece(0, "a", "f", '{"x":1}')), chunk(piece(0, "b", "f", '{"x":2}'))],
      [use("a", "f", { x: 1 }), use("b", "f", { x: 2 })],
    ],
    [
      "that are whole, all at index 0, and without ids",
      [chunk(piece(0, undefined, "f", '{"x":1}')), chunk(piece(0, undefined, "f", '{"x":2}'))],
      [use("call_000001", "f", { x: 1 }), use("call_000002", "f", { x: 2 })],
    ],
    [
      "with a new id for every piece",
      [chunk(piece(0, "a", "f", '{"x"')), chunk(piece(0, "b", undefined, ":1}"))],
      [use("a", "f", { x: 1 })],
    ],
    [
      "with id and name in every piece",
      [chunk(piece(0, "a", "f", '{"x"')), chunk(piece(0, "a", "f", ":1}"))],
      [use("a", "f", { x: 1 })],
    ],
    [
      "with a name that comes late",
      [chunk(piece(0, "a", undefined, '{"x":')), chunk(piece(0, undefined, "f", "1}"))],
      [use("a", "f", { x: 1 })],
    ],
    ["with an object for arguments", [chunk(piece(0, "a", "f", { x: 1 }))], [use("a", "f", { x: 1 })]],
    ["with null for arguments", [chunk(piece(0, "a", "f", null))], [use("a", "f", {})]],
    [
      "of the older kind",
      [
        chunk({ function_call: { name: "f", arguments: "" } }),
        chunk({ function_call: { arguments: '{"x":1}' } }),
      ],
      [use("call_000001", "f", { x: 1 })],
    ],
    [
      "with an id that others refuse, and a session maps",
      [chunk(piece(0, "functions.f:0", "f", "{}"))],
      [use("functions.f:0", "f", {})],
    ],
    [
      "with an id that is too long",
      [chunk(piece(0, "a".repeat(65), "f", "{}"))],
      [use("call_000001", "f", {})],
    ],
    [
      "with one id for two",
      [chunk(piece(0, "a", "f", "{}")), chunk(piece(1, "a", "g", "{}"))],
      [use("a", "f", {}), use("call_000001", "g", {})],
    ],
  ])("take calls %s", async (_, chunks, content) => {
    expect(await last([...chunks, chunk({}, "tool_calls")])).toMatchObject({
      content,
      stopReason: "tool_use",
    });
  });

  it("give no id that the conversation has already", async () => {
    const end = await last([chunk(piece(0, "call_0", "f", "{}"), "tool_calls")], { takenIds: ["call_0"] });
    expect(end).toMatchObject({ content: [use("call_000001", "f", {})] });
    const mapped = toRequestId("functions.f:0");
    const chunks = [chunk(piece(0, "functions.f:0", "f", "{}"), "tool_calls")];
    expect(await last(chunks, { takenIds: [mapped] })).toMatchObject({
      content: [use("call_000001", "f", {})],
    });
  });

  it.each(['{"path":"a', "[1]", "nonsense"])(
    "keep a call with %s for input out of the content",
    async (json) => {
      const all = await events([
        chunk({ content: "Hi." }),
        chunk(piece(0, "a", "f", json)),
        chunk({}, "length"),
      ]);
      expect(all.at(-2)).toEqual({ type: "block-end", index: 1 });
      expect(all.at(-1)).toMatchObject({
        content: [{ type: "text", text: "Hi." }],
        brokenCalls: [{ toolUseId: "a", name: "f", json }],
        stopReason: "max_tokens",
      });
    },
  );

  it("keep a call without a name out of the content", async () => {
    expect(await last([chunk(piece(0, "a", undefined, "{}")), chunk({}, "tool_calls")])).toMatchObject({
      content: [],
      brokenCalls: [{ toolUseId: "a", name: "", json: "{}" }],
    });
  });

  it("bear what local servers leave out or add", async () => {
    const [start, ...rest] = await events([
      { choices: [{ delta: { content: null } }] },
      { choices: [{ delta: { content: [{ type: "text", text: "Hi" }] }, finish_reason: "" }], extra: 1 },
      { choices: [{ message: { content: "!" } }] },
      { choices: [{ index: 1, delta: { content: "the other choice" } }] },
      { choices: null },
      {},
      { choices: [{ finish_reason: "stop" }] },
    ]);
    expect(start).toEqual({ type: "response-start", id: "chatcmpl_000001", model: "asked" });
    expect(rest.at(-1)).toEqual({
      type: "response-end",
      id: "chatcmpl_000001",
      model: "asked",
      content: [{ type: "text", text: "Hi!" }],
      stopReason: "end_turn",
      usage: noUsage,
    });
  });

  it("make no block of white space alone, and lose none in front of words", async () => {
    const end = await last([
      chunk({ reasoning: "\n" }),
      chunk({ content: "\n\n" }),
      chunk(piece(0, "a", "f", "{}")),
      chunk({ content: " " }),
      chunk({ content: "x " }, "tool_calls"),
    ]);
    expect(end).toMatchObject({ content: [use("a", "f", {}), { type: "text", text: " x " }] });
  });

  it("that end without a reason are disconnected", async () => {
    expect((await events([])).at(-1)).toBe("disconnected");
    expect((await events([chunk({ content: "Hi." })])).at(-1)).toBe("disconnected");
  });

  it("that are no objects are malformed, and an error of the server is one", async () => {
    expect(await events([chunk({ content: "Hi." }), 3])).toContain("malformed-response");
    expect(
      await last([{ choices: [{ delta: {}, finish_reason: "error", error: { message: "Out." } }] }]),
    ).toBe("server-error");
    const error = { message: "Overflow.", code: "context_length_exceeded" };
    expect(await last([{ choices: [{ delta: {}, finish_reason: "error", error }] }])).toBe("prompt-too-long");
  });

  it("are whole once the reason is there, unless the caller aborts", async () => {
    const chunks = [chunk({ content: "Hi." }, "stop")];
    expect((await read(chunks, {}, fail("disconnected", "gone"))).at(-1)).toMatchObject({
      ok: true,
      value: { type: "response-end", usage: noUsage },
    });
    expect((await read(chunks, {}, fail("aborted", "enough"))).at(-1)).toMatchObject({
      ok: false,
      error: { code: "aborted" },
    });
  });

  it("give the same response however they are cut", async () => {
    const cut = (text: string, at: readonly number[]) => {
      const positions = [0, ...at.map((position) => position % (text.length + 1)), text.length].sort(
        (a, b) => a - b,
      );
      return positions.slice(1).map((position, index) => text.slice(positions[index], position));
    };
    const cuts = fc.array(fc.nat(), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme" }).map((text) => `x${text}`),
        fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), { maxLength: 3 }),
        cuts,
        fc.infiniteStream(fc.nat()),
        async (text, inputs, at, order) => {
          const queues = inputs.map((input, index) => [
            piece(index, `call_${index}`, "f", ""),
            ...cut(JSON.stringify(input), at).map((json) => piece(index, undefined, undefined, json)),
          ]);
          const mixed: unknown[] = [];
          while (queues.some((queue) => queue.length > 0)) {
            const open = queues.filter((queue) => queue.length > 0);
            const chosen = open[(order.next().value as number) % open.length] ?? [];
            mixed.push(chunk(chosen.shift()));
          }
          const said = cut(text, at).map((content) => chunk({ content }));
          const end = await last([...said, ...mixed, chunk({}, "stop")]);
          const { content } = end as ModelResponse;
          const calls = inputs.map((input, index) =>
            use(`call_${index}`, "f", JSON.parse(JSON.stringify(input))),
          );
          expect(content[0]).toEqual({ type: "text", text });
          const byId = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
          expect(content.slice(1).sort(byId)).toEqual(calls.sort(byId));
        },
      ),
    );
  });

  it("never throw, and end with exactly one end, whatever comes", async () => {
    const delta = fc.record(
      {
        content: fc.oneof(fc.jsonValue(), fc.string()),
        reasoning: fc.jsonValue(),
        refusal: fc.jsonValue(),
        tool_calls: fc.oneof(
          fc.jsonValue(),
          fc.array(
            fc.record(
              {
                index: fc.oneof(fc.nat(2), fc.jsonValue()),
                id: fc.oneof(fc.constantFrom("a", "b", ""), fc.jsonValue()),
                function: fc.oneof(
                  fc.jsonValue(),
                  fc.record({
                    name: fc.constantFrom("f", "g", ""),
                    arguments: fc.constantFrom("{", "}", "{}", ""),
                  }),
                ),
              },
              { requiredKeys: [] },
            ),
          ),
        ),
        function_call: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const any = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(delta, fc.constantFrom(null, "", "stop", "length"))
        .map(([given, finish]) => chunk(given, finish)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any), async (chunks) => {
        const results = await read(chunks);
        const isEnd = (result: Result<ModelEvent>) => !result.ok || result.value.type === "response-end";
        expect(results.findIndex(isEnd)).toBe(results.length - 1);
        const starts = results.filter((result) => result.ok && result.value.type === "block-start").length;
        const ends = results.filter((result) => result.ok && result.value.type === "block-end").length;
        if (results.at(-1)?.ok) expect(ends).toBe(starts);
      }),
    );
  });
});
