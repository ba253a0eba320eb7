import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { answerRepair } from "./answer-repair.ts";
import { refusedBlockSteps, refusedLocation, withoutField } from "./refused-blocks.ts";

const item = (
  block: ContentBlock,
  role: ViewItem["role"] = "assistant",
  entry = "e1",
  index = 0,
): ViewItem => ({
  role,
  entry,
  seq: 1,
  index,
  block,
  json: JSON.stringify(block),
});
const location = { entry: "e1", block: 0 };
const call = { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } };
const text = (said: string) => ({ type: "text", text: said });

describe("a block of an answer", () => {
  it.each<[ContentBlock]>([
    [text("a")],
    [{ ...call, caller: { type: "direct" } }],
    [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }],
    [{ type: "ai-sdk-reasoning", part: {} }],
    [{ type: "langchain-image", block: {} }],
  ])("is sent back as it is where the API takes it, or an adapter carries it: %j", (block) => {
    expect(answerRepair(item(block), location)).toBe(null);
  });

  it("of a type that the API does not know is sent as text that shows it", () => {
    const shown = (block: ContentBlock) => answerRepair(item(block), location);
    const title = "[A block of the type “hologram”, which cannot be sent back · recall e1]";
    const step = (words: string) => ({ repair: "to-text", place: location, text: `${title}\n${words}` });
    expect(shown({ type: "hologram", beams: 3 })).toEqual(step('{"type":"hologram","beams":3}'));
    expect(shown({ type: "hologram", text: "Look!" })).toEqual(step("Look!"));
    expect(shown({ type: "hologram", content: "x".repeat(3_000) })).toEqual(step(`${"x".repeat(2_000)}…`));
  });

  it.each(["advisor_tool_result", "fallback", "mcp_tool_listing", "mcp_tool_result", "mcp_tool_use"])(
    "of the type %s is sent as text where the request lacks its beta, whatever the date",
    (type) => {
      const repair = (betas?: readonly string[]) =>
        answerRepair(item({ type }), location, { ...(betas && { betas }) })?.repair;
      const all = ["advisor-tool-2031-01-01", "server-side-fallback-2026-06-01", "mcp-client-2025-11-20"];
      expect([repair([]), repair(["mcp-clients-2026-01-01"]), repair(all), repair()]).toEqual([
        "to-text",
        "to-text",
        undefined,
        undefined,
      ]);
    },
  );

  it("is sent without fields that the API does not know", () => {
    expect(answerRepair(item({ ...call, priority: 1, mood: 2 }), location)).toEqual({
      repair: "replace-block",
      place: location,
      block: call,
      why: "the API knows no field “priority”, “mood” in tool_use",
    });
  });
});

describe("the place that a refusal names", () => {
  it.each([
    ["messages.3.content.1: Input tag 'x' …", { message: 3, block: 1, path: [] }],
    [
      "Invalid (400): messages.12.content.0.tool_use.caller: Extra inputs are not permitted",
      { message: 12, block: 0, path: ["tool_use", "caller"] },
    ],
    ["messages.3: `tool_use` ids were found", { message: 3, path: [] }],
    ["messages.3.role: Input should be", { message: 3, path: [] }],
    ["max_tokens: too many", null],
    ["messages: at least one message is required", null],
  ])("is read from “%s”", (words, expected) => {
    expect(refusedLocation(words)).toEqual(expected);
  });
});

describe("a block without a field", () => {
  it.each<[string, readonly string[], ContentBlock, ContentBlock | null]>([
    ["one it can be without", ["tool_use", "caller"], { ...call, caller: 1 }, call],
    ["what stands in such a one", ["text", "citations", "0"], { ...text("a"), citations: [1] }, text("a")],
    ["one it needs", ["tool_use", "id"], call, null],
    ["what stands in an input", ["tool_use", "input", "path"], call, null],
    ["one that it has not", ["tool_use", "mood"], call, null],
    ["none", [], call, null],
  ])("is %s", (_name, path, block, expected) => {
    expect(withoutField(block, path)).toEqual(expected);
  });

  it("is lighter by what stands deepest in a field it needs", () => {
    const block = {
      type: "web_search_tool_result",
      tool_use_id: "s",
      content: [{ a: 1 }, { a: 2, mood: 3 }],
    };
    expect(withoutField(block, ["web_search_tool_result", "content", "1", "mood"])).toEqual({
      ...block,
      content: [{ a: 1 }, { a: 2 }],
    });
  });
});

describe("what a provider refuses", () => {
  const items = [
    item(text("Hello."), "user", "e1"),
    item(text("I look."), "assistant", "e2", 0),
    item({ ...call, mood: 1 }, "assistant", "e2", 1),
    item({ type: "tool_result", tool_use_id: "t1", content: "ok" }, "user", "e3"),
    item({ ...call, id: "t2", mood: 2 }, "assistant", "e4"),
    item(text("Go on."), "user", "e5"),
  ];

  it("loses the field that is named, wherever it stands", () => {
    expect(refusedBlockSteps(items, "messages.1.content.1.tool_use.mood: Extra inputs")).toMatchObject([
      { repair: "replace-block", place: { entry: "e2", block: 1 }, block: call },
      { repair: "replace-block", place: { entry: "e4", block: 0 }, block: { ...call, id: "t2" } },
    ]);
  });

  it("becomes text where a block is named, with the other half of its call", () => {
    expect(refusedBlockSteps(items, "messages.2.content.0: no")).toEqual([
      { repair: "to-text", place: { entry: "e2", block: 1 }, text: '[Call t1 of Read]\n{"path":"a"}' },
      { repair: "to-text", place: { entry: "e3", block: 0 }, text: "[Result of the call t1]\nok" },
    ]);
  });

  it("is all of a message but its text where only the message is named", () => {
    expect(refusedBlockSteps(items, "messages.1: no")).toMatchObject([
      { repair: "to-text", place: { entry: "e2", block: 1 } },
      { repair: "to-text", place: { entry: "e3", block: 0 } },
    ]);
    expect(refusedBlockSteps(items, "messages.0: no")).toEqual([
      {
        repair: "to-text",
        place: { entry: "e1", block: 0 },
        text: "[A text was here: the provider has refused it · recall e1]",
      },
    ]);
  });

  it("stays where it is the newest thing said, or nothing that stands here", () => {
    for (const words of ["messages.4: no", "messages.9: no", "system: no"])
      expect(refusedBlockSteps(items, words)).toEqual([]);
  });
});
