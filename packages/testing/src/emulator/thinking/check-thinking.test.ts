import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../core/src/catalog/index.ts";
import type { WireBody } from "../wire.ts";
import { checkThinking, type ThinkingContext } from "./check-thinking.ts";
import { signCompaction, signThinking } from "./sign-thinking.ts";

type Block = Readonly<Record<string, unknown>>;
interface Said {
  readonly role: string;
  readonly content: string | readonly Block[];
}

const catalog = createCatalog();
const boundContext: ThinkingContext = {
  betas: new Set(),
  capabilities: catalog.capabilities("claude-opus-5-5").value,
};
const freeContext: ThinkingContext = {
  ...boundContext,
  capabilities: catalog.capabilities("claude-opus-4-6").value,
};
const controls: ThinkingContext = {
  ...boundContext,
  betas: new Set(["thinking-binding-controls-2026-08-01"]),
};

const text = (words: string): Block => ({ type: "text", text: words });
const marked = (block: Block): Block => ({ ...block, cache_control: { type: "ephemeral" } });
const body = (messages: readonly Said[], more: object = {}): WireBody => ({
  model: "claude-opus-5-5",
  system: "be kind",
  tools: [{ name: "Read", input_schema: { type: "object" } }],
  messages,
  ...more,
});

/** The conversation after the assistant thought, called a tool and was answered. */
function think(messages: readonly Said[], turn: number): readonly Said[] {
  const words = `thought ${turn}`;
  const signature = signThinking({ body: body(messages), text: words });
  const id = `t${turn}`;
  return [
    ...messages,
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: words, signature },
        { type: "tool_use", id, name: "Read", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `result ${turn}` }] },
  ];
}
const start: readonly Said[] = [{ role: "user", content: "hi" }];
/** Thinking in messages 1, 3 and 5. */
const three = [1, 2, 3].reduce(think, start);
const withoutThinking = (...positions: number[]) =>
  three.map((message, index) =>
    positions.includes(index)
      ? { ...message, content: message.content.slice(1) as readonly Block[] }
      : message,
  );
const edited = (index: number, content: Said["content"]) =>
  three.toSpliced(index, 1, { role: three[index]?.role ?? "", content });
const refused = (request: WireBody, context = boundContext) =>
  checkThinking(request, context).violations.map(({ rule, path }) => `${rule} ${path}`);
const bound = (...messages: number[]) =>
  messages.map((index) => `thinking-bound messages.${index}.content.0`);

describe("checkThinking", () => {
  it("takes thinking back as it was given out, whatever the markers and shorthands", () => {
    const request = body(edited(0, [marked(text("hi"))]), { system: [marked(text("be kind"))] });
    expect(checkThinking(request, boundContext)).toEqual({ violations: [], dropped: [], body: request });
  });

  it.each<[string, WireBody, readonly string[]]>([
    ["the system prompt", body(three, { system: "be quick" }), bound(1, 3, 5)],
    ["the tools", body(three, { tools: [] }), bound(1, 3, 5)],
    ["the first message", body(edited(0, "hello")), bound(1, 3, 5)],
    [
      "a result in the middle",
      body(edited(2, [{ type: "tool_result", tool_use_id: "t1", content: "cleared" }])),
      bound(3, 5),
    ],
    [
      "the last result",
      body(edited(6, [{ type: "tool_result", tool_use_id: "t3", content: "cleared" }])),
      [],
    ],
    ["the messages' number", body(three.slice(2)), bound(1, 3)],
  ])("binds thinking to %s", (_, request, expected) => {
    expect(refused(request)).toEqual(expected);
    expect(refused(request, freeContext)).toEqual([]);
  });

  it("binds thinking neither to cache edits nor to references for them", () => {
    const result = { type: "tool_result", tool_use_id: "t1", content: "result 1", cache_reference: "one" };
    const edits = { type: "cache_edits", edits: [{ type: "delete", cache_reference: "one" }] };
    expect(refused(body(edited(2, [result, edits])))).toEqual([]);
  });

  it("keeps thinking bound that follows the API's compaction in one message", () => {
    const request = body(three.slice(0, 3));
    const sealed = signCompaction({ body: request, content: "so far" });
    const compaction = { type: "compaction", content: "so far", encrypted_content: sealed };
    const signature = signThinking({ body: request, before: [compaction], text: "hm" });
    const thought = { type: "thinking", thinking: "hm", signature };
    const answer = (summary: Block) => [
      { role: "assistant", content: [summary, thought, text("ok")] },
      ...start,
    ];
    expect(refused(body([...three.slice(0, 3), ...answer(compaction)]))).toEqual([]);
    expect(refused(body(answer(compaction)))).toEqual([]);
    expect(refused(body(answer({ ...compaction, content: "other" })))).toEqual([
      "compaction-signature messages.0.content.0",
      "thinking-bound messages.0.content.1",
    ]);
  });

  it("says that the block is bound to a different conversation", () => {
    const [violation] = checkThinking(body(three, { system: "" }), boundContext).violations;
    expect(violation?.message).toContain("bound to a different conversation");
  });

  it.each<[string, readonly number[], readonly string[]]>([
    ["the first", [1], []],
    ["the first two", [1, 3], []],
    ["all", [1, 3, 5], []],
    ["the last", [5], []],
    ["the one in the middle", [3], bound(5)],
  ])("lets thinking be removed from the front only: %s", (_, positions, expected) => {
    expect(refused(body(withoutThinking(...positions)))).toEqual(expected);
  });

  it("refuses to have removed thinking back behind what came after its removal", () => {
    const later = think(withoutThinking(1, 3, 5), 4);
    expect(refused(body(later))).toEqual([]);
    expect(refused(body([...three, ...later.slice(7)]))).toEqual(bound(7));
  });

  it("refuses a changed text and a forged signature on every model", () => {
    const [thought, call] = (three[1]?.content ?? []) as readonly Block[];
    const changed = body(edited(1, [{ ...thought, thinking: "other" }, call as Block]));
    const forged = body(edited(1, [{ ...thought, signature: "c2lnbmVk" }, call as Block]));
    const foreign = { ...freeContext, secret: "another server" };
    for (const context of [freeContext, boundContext, controls]) {
      expect(refused(changed, context)).toEqual(["thinking-modified messages.1.content.0"]);
      expect(refused(forged, context)).toContain("thinking-modified messages.1.content.0");
    }
    expect(refused(body(three), foreign)).toHaveLength(3);
  });

  it("knows redacted thinking, and several blocks in one response", () => {
    const request = body(start);
    const first = { type: "thinking", thinking: "a", signature: signThinking({ body: request, text: "a" }) };
    const data = signThinking({ body: request, before: [first], text: "", isRedacted: true });
    const hidden = { type: "redacted_thinking", data };
    const answer = (...content: Block[]) =>
      body([...start, { role: "assistant", content: [...content, text("ok")] }, ...start]);
    expect(refused(answer(first, hidden))).toEqual([]);
    expect(refused(answer(hidden))).toEqual([]);
    expect(refused(answer(hidden, first))).toEqual(["thinking-bound messages.1.content.1"]);
    expect(refused(answer(first, { ...hidden, data: `${data}AAAA` }))).toEqual([
      "thinking-modified messages.1.content.1",
    ]);
  });

  it("drops what does not match where the request and its header ask for it", () => {
    const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const messages = edited(2, [{ type: "tool_result", tool_use_id: "t1", content: "cleared" }]);
    const request = body(messages, { thinking });
    const kept = messages.map((message, index) =>
      index === 3 || index === 5 ? { ...message, content: message.content.slice(1) } : message,
    );
    expect(checkThinking(request, controls)).toEqual({
      violations: [],
      dropped: [3, 5].map((index) => ({
        type: "thinking_dropped",
        path: `messages.${index}.content.0`,
        reason: "prefix_binding_mismatch",
      })),
      body: { ...request, messages: kept },
    });
    expect(refused(request)).toEqual(bound(3, 5));
    expect(refused(body(messages, { thinking: { type: "adaptive", block_binding: {} } }), controls)).toEqual(
      bound(3, 5),
    );
  });

  it("keeps what was thought after a drop, though the dropped blocks are still sent", () => {
    const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const messages = edited(2, [{ type: "tool_result", tool_use_id: "t1", content: "cleared" }]);
    const signed = checkThinking(body(messages, { thinking }), controls).body;
    const signature = signThinking({ body: signed, text: "later" });
    const answer = {
      role: "assistant",
      content: [{ type: "thinking", thinking: "later", signature }, text("ok")],
    };
    const { dropped } = checkThinking(body([...messages, answer, ...start], { thinking }), controls);
    expect(dropped.map(({ path }) => path)).toEqual(["messages.3.content.0", "messages.5.content.0"]);
  });

  it("drops the rest of a row of thinking with its first block", () => {
    const request = body(start);
    const first = { type: "thinking", thinking: "a", signature: signThinking({ body: request, text: "a" }) };
    const other = body([{ role: "user", content: "hello" }]);
    const second = {
      type: "thinking",
      thinking: "b",
      signature: signThinking({ body: other, before: [first], text: "b" }),
    };
    const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    const sent = body(
      [...(other.messages as Said[]), { role: "assistant", content: [first, second, text("ok")] }, ...start],
      { thinking },
    );
    expect(checkThinking(sent, controls).dropped).toHaveLength(2);
  });

  it("keeps what follows the API's own compaction bound", () => {
    const signature = signCompaction({ body: body(three.slice(0, 3)), content: "so far" });
    const compacted = (content: string) => [
      { role: "assistant", content: [{ type: "compaction", content, signature }] },
      ...three.slice(3),
    ];
    expect(refused(body(compacted("so far")))).toEqual([]);
    expect(refused(body(compacted("something else")))).toEqual([
      "compaction-signature messages.0.content.0",
      ...bound(1, 3),
    ]);
    expect(refused(body([{ role: "user", content: "so far" }, ...three.slice(3)]))).toEqual(bound(1, 3));
  });

  it("wants the thinking of an open round, where the server remembers it", () => {
    const remembering = { ...freeContext, hadThinking: (id: string) => id === "t3" };
    const adaptive = { thinking: { type: "adaptive" } };
    expect(refused(body(three, adaptive), remembering)).toEqual([]);
    expect(refused(body(withoutThinking(5), adaptive), remembering)).toEqual([
      "thinking-removed messages.5.content.0.type",
    ]);
    expect(refused(body(withoutThinking(5), { thinking: { type: "disabled" } }), remembering)).toEqual([]);
    const closed = [
      ...withoutThinking(5),
      { role: "assistant", content: "done" },
      { role: "user", content: "more" },
    ];
    expect(refused(body(closed, adaptive), remembering)).toEqual([]);
  });
});
