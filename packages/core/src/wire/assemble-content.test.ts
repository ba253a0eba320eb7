import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BlockDelta, ContentBlock, ModelEvent } from "../spec/index.ts";
import { assembleContent } from "./content-assembly.ts";

type Fields = Readonly<Record<string, unknown>>;

const start = (index: number, block: unknown): ModelEvent => ({
  type: "block-start",
  index,
  block: block as ContentBlock,
});
const delta = (index: number, piece: BlockDelta): ModelEvent => ({
  type: "block-delta",
  index,
  delta: piece,
});
const end = (index: number): ModelEvent => ({ type: "block-end", index });
const text = (piece: string): BlockDelta => ({ type: "text", text: piece });
const input = (json: string): BlockDelta => ({ type: "input", json });
const responseEnd = (stopReason = "end_turn"): ModelEvent => ({
  type: "response-end",
  id: "msg_1",
  model: "m",
  content: [],
  stopReason,
  usage: { input: 1, output: 1, cacheRead: 0, cacheCreation: 0 },
});
const tool = (name = "Read") => ({ type: "tool_use", id: "toolu_1", name, input: {} });

const assemble = (...events: readonly ModelEvent[]) => assembleContent([...events, responseEnd()]);
const contentOf = (...events: readonly ModelEvent[]) => {
  const assembled = assemble(...events);
  return assembled.ok ? assembled.value : assembled.error.code;
};

describe("assembleContent", () => {
  it("joins text, thinking and its signature, and keeps every other field where it stood", () => {
    const events = [
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking", thinking: "Let me" }),
      delta(0, { type: "thinking", thinking: " see." }),
      delta(0, { type: "signature", signature: "c2ln" }),
      end(0),
      start(1, { type: "text", text: "", citations: null, later: 1 }),
      delta(1, text("Hello")),
      delta(1, text(" there")),
      end(1),
    ];
    expect(JSON.stringify(contentOf(...events))).toBe(
      JSON.stringify({
        content: [
          { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
          { type: "text", text: "Hello there", citations: null, later: 1 },
        ],
        brokenCalls: [],
        isWhole: true,
      }),
    );
  });

  it("reads the input of a call at its end, and takes one without pieces as it began", () => {
    expect(
      contentOf(
        start(0, { ...tool(), caller: { type: "direct" } }),
        delta(0, input("")),
        delta(0, input('{"file_')),
        delta(0, input('path":"a"}')),
        end(0),
        start(1, { ...tool("List"), id: "toolu_2" }),
        end(1),
      ),
    ).toEqual({
      content: [
        { ...tool(), input: { file_path: "a" }, caller: { type: "direct" } },
        { ...tool("List"), id: "toolu_2" },
      ],
      brokenCalls: [],
      isWhole: true,
    });
  });

  it.each(['{"file_path', "{} {}", '"a.ts"', "[1]", "null", "undefined"])(
    "names a call with the input %s as broken and leaves it out",
    (json) => {
      const events = [
        start(0, tool()),
        delta(0, input(json)),
        end(0),
        start(1, { type: "text", text: "x" }),
        end(1),
      ];
      expect(contentOf(...events)).toEqual({
        content: [{ type: "text", text: "x" }],
        brokenCalls: [{ toolUseId: "toolu_1", name: "Read", json }],
        isWhole: true,
      });
    },
  );

  it("takes a call that the limit cut before its first byte for a broken one", () => {
    const events = [start(0, tool()), delta(0, input("")), end(0)];
    const broken = [{ toolUseId: "toolu_1", name: "Read", json: "" }];
    for (const reason of ["max_tokens", "model_context_window_exceeded"]) {
      expect(assembleContent([...events, responseEnd(reason)])).toEqual({
        ok: true,
        value: { content: [], brokenCalls: broken, isWhole: true },
      });
    }
    expect(contentOf(...events)).toMatchObject({ content: [tool()], brokenCalls: [] });
  });

  it("passes blocks through that it has no name for, and puts their pieces together as the API does", () => {
    const citation = { type: "char_location", cited_text: "a" };
    const other = (piece: unknown): BlockDelta => ({ type: "other", delta: piece });
    expect(
      contentOf(
        start(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
        delta(0, input('{"query":"x"}')),
        end(0),
        start(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ deep: [1] }] }),
        end(1),
        start(2, { type: "text", text: "", citations: null }),
        delta(2, other({ type: "citations_delta", citation })),
        delta(2, text("said")),
        delta(2, other({ type: "citations_delta", citation })),
        end(2),
        start(3, { type: "compaction", content: null, encrypted_content: null, signature: "s" }),
        delta(3, other({ type: "compaction_delta", content: "Sum.", encrypted_content: "e" })),
        end(3),
        start(4, { type: "hologram", beam: "a", parts: [1], colour: "red" }),
        delta(4, other({ type: "hologram_delta", beam: "b", parts: [2], colour: null, depth: 3 })),
        delta(4, text("?")),
        end(4),
      ),
    ).toEqual({
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ deep: [1] }] },
        { type: "text", text: "said", citations: [citation, citation] },
        { type: "compaction", content: "Sum.", encrypted_content: "e", signature: "s" },
        { type: "hologram", beam: "ab", parts: [1, 2], colour: null, depth: 3, text: "?" },
      ],
      brokenCalls: [],
      isWhole: true,
    });
  });

  it("does not let a piece reach the prototype of anything", () => {
    const hostile = JSON.parse('{"type":"x_delta","__proto__":{"polluted":true},"constructor":"c"}');
    const assembled = contentOf(start(0, { type: "x" }), delta(0, { type: "other", delta: hostile }), end(0));
    expect(({} as Fields).polluted).toBeUndefined();
    expect(JSON.stringify(assembled)).toContain(
      '{"type":"x","__proto__":{"polluted":true},"constructor":"c"}',
    );
  });

  const whole = { type: "text", text: "" };
  it.each<readonly [string, readonly ModelEvent[]]>([
    ["a block that begins twice", [start(0, whole), start(0, whole), end(0)]],
    ["a number that is used twice", [start(0, whole), start(0, whole), end(0), end(1)]],
    ["a block that begins again", [start(0, whole), end(0), start(0, whole), end(0)]],
    ["blocks out of order", [start(1, whole), end(1), start(0, whole), end(0)]],
    ["a gap between blocks", [start(0, whole), end(0), start(2, whole), end(2)]],
    ["a piece of no block", [delta(0, text("a"))]],
    ["a piece behind the end", [start(0, whole), end(0), delta(0, text("a"))]],
    ["an end without a start", [end(0)]],
    ["a block that ends twice", [start(0, whole), end(0), end(0)]],
    ["a block that never ends", [start(0, whole), start(1, whole), end(1)]],
    ["a block that is none", [start(0, null), end(0)]],
    ["a block without a type", [start(0, { text: "a" }), end(0)]],
    ["a negative index", [start(-1, whole), end(-1)]],
    ["a piece of the wrong kind", [start(0, whole), delta(0, input("{}")), end(0)]],
    ["a piece for a block that comes whole", [start(0, { type: "image" }), delta(0, text("a")), end(0)]],
    ["a piece that is no text", [start(0, whole), delta(0, { type: "text", text: 7 as never }), end(0)]],
    ["a piece that is nothing", [start(0, whole), delta(0, null as never), end(0)]],
    ["a piece of an unknown kind", [start(0, whole), delta(0, { type: "odd" } as never), end(0)]],
  ])("refuses %s, as something to try again", (_, events) => {
    const assembled = assemble(...events);
    expect(assembled).toMatchObject({ ok: false, error: { code: "malformed-response", retryable: true } });
  });

  it("gives of a cut response the text so far, names the open call and leaves out what has not begun", () => {
    const events = [
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking", thinking: "Hm" }),
      start(1, { type: "text", text: "" }),
      delta(1, text("As far")),
      start(2, tool()),
      delta(2, input('{"a":1}')),
      start(3, { type: "text", text: "" }),
    ];
    expect(assembleContent(events)).toEqual({
      ok: true,
      value: {
        content: [
          { type: "thinking", thinking: "Hm", signature: "" },
          { type: "text", text: "As far" },
        ],
        brokenCalls: [{ toolUseId: "toolu_1", name: "Read", json: '{"a":1}' }],
        isWhole: false,
      },
    });
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const someText = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
const anyBlock: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({ type: fc.constant("text"), text: someText, citations: fc.constant(null) }),
  fc.record({ type: fc.constant("thinking"), thinking: someText, signature: anyText }),
  fc.record({ type: fc.constant("redacted_thinking"), data: anyText }),
  fc.record({
    type: fc.constantFrom("tool_use", "server_tool_use", "mcp_tool_use"),
    id: fc.uuid(),
    name: fc.string(),
    input: fc.dictionary(anyText, fc.jsonValue()),
  }),
  fc.record({ type: fc.constantFrom("web_search_tool_result", "hologram"), content: fc.jsonValue() }),
);

/** Cuts of a text at any places, within characters too. */
const piecesOf = (whole: string) =>
  fc.array(fc.nat({ max: whole.length }), { maxLength: 6 }).map((positions) => {
    const cuts = [0, ...positions.sort((a, b) => a - b), whole.length];
    return cuts.slice(1).map((to, at) => whole.slice(cuts[at], to));
  });

/** The events of one block, cut anywhere. */
function eventsOf(block: Fields, index: number): fc.Arbitrary<readonly ModelEvent[]> {
  const framed = (first: unknown, deltas: fc.Arbitrary<readonly BlockDelta[]>) =>
    deltas.map((pieces) => [start(index, first), ...pieces.map((piece) => delta(index, piece)), end(index)]);
  if (block.type === "text") {
    return framed(
      { ...block, text: "" },
      piecesOf(String(block.text)).map((pieces) => pieces.map(text)),
    );
  }
  if (block.type === "thinking") {
    const thoughts = piecesOf(String(block.thinking)).map((pieces) =>
      pieces.map((thinking): BlockDelta => ({ type: "thinking", thinking })),
    );
    const signatures = piecesOf(String(block.signature)).map((pieces) =>
      pieces.map((signature): BlockDelta => ({ type: "signature", signature })),
    );
    const both = fc.tuple(thoughts, signatures).map(([first, second]) => [...first, ...second]);
    return framed({ ...block, thinking: "", signature: "" }, both);
  }
  if ("input" in block) {
    const json = piecesOf(JSON.stringify(block.input)).map((pieces) => pieces.map(input));
    return framed({ ...block, input: {} }, json);
  }
  return framed(block, fc.constant([]));
}

const anyResponse = fc.array(anyBlock, { maxLength: 6 }).chain((blocks) =>
  fc.record({
    blocks: fc.constant(blocks),
    streams: fc.tuple(...blocks.map((block, at) => eventsOf(block, at))),
  }),
);

describe("assembleContent on any response", () => {
  it("gives the same bytes however it is split", () => {
    fc.assert(
      fc.property(anyResponse, ({ blocks, streams }) => {
        const assembled = assemble(...streams.flat());
        expect(assembled.ok && JSON.stringify(assembled.value.content)).toBe(JSON.stringify(blocks));
        expect(assembled.ok && assembled.value.brokenCalls).toEqual([]);
      }),
    );
  });

  it("gives the same bytes when blocks come beside each other", () => {
    fc.assert(
      fc.property(anyResponse, fc.infiniteStream(fc.nat()), ({ blocks, streams }, choices) => {
        const starts = streams.map(([first]) => first as ModelEvent);
        const rests = streams.map(([, ...rest]) => rest);
        const mixed: ModelEvent[] = [];
        for (const choice of choices) {
          const open = rests.filter((rest) => rest.length > 0);
          if (open.length === 0) break;
          mixed.push(open[choice % open.length]?.shift() as ModelEvent);
        }
        const assembled = assemble(...starts, ...mixed);
        expect(assembled.ok && JSON.stringify(assembled.value.content)).toBe(JSON.stringify(blocks));
      }),
    );
  });

  it("gives a prefix of it wherever it is cut", () => {
    fc.assert(
      fc.property(anyResponse, fc.nat(), ({ blocks, streams }, position) => {
        const events = streams.flat();
        const cut = assembleContent(events.slice(0, position % (events.length + 1)));
        if (!cut.ok) throw cut.error;
        const { content, brokenCalls } = cut.value;
        expect(content.length + brokenCalls.length).toBeLessThanOrEqual(blocks.length);
        expect(brokenCalls.length).toBeLessThanOrEqual(1);
        for (const [at, block] of content.entries())
          expect(isPrefix(block as Fields, blocks[at] as Fields)).toBe(true);
        for (const { toolUseId, json } of brokenCalls) {
          const cutCall = blocks[content.length] as Fields;
          expect(cutCall.id).toBe(toolUseId);
          expect(JSON.stringify(cutCall.input).startsWith(json)).toBe(true);
        }
      }),
    );
  });

  it("fails when a start or an end is lost or comes twice", () => {
    fc.assert(
      fc.property(anyResponse, fc.nat(), fc.boolean(), ({ streams }, position, isLost) => {
        const events = streams.flat();
        const frames = events.flatMap(({ type }, at) => (type === "block-delta" ? [] : [at]));
        fc.pre(frames.length > 0);
        const at = frames[position % frames.length] ?? 0;
        const changed = events.toSpliced(at, isLost ? 1 : 0, ...(isLost ? [] : [events[at] as ModelEvent]));
        expect(assemble(...changed)).toMatchObject({ ok: false, error: { code: "malformed-response" } });
      }),
    );
  });
});

function isPrefix(part: Fields, whole: Fields): boolean {
  return Object.entries(whole).every(([field, value]) =>
    typeof value === "string" && ["text", "thinking", "signature"].includes(field)
      ? value.startsWith(String(part[field]))
      : JSON.stringify(part[field]) === JSON.stringify(value),
  );
}
