import { describe, expect, it } from "vitest";
import type { ContentBlock, ModelRequest, Role, ViewItem } from "../../spec/index.ts";
import { placeBreakpoints, withBreakpoints } from "./breakpoints.ts";
import { renderMessages } from "./message-renderer.ts";

const item = (role: Role, block: ContentBlock, seq: number): ViewItem => ({
  role,
  block,
  json: JSON.stringify(block),
  entry: `e${seq}`,
  seq,
  index: 0,
});
const text = (role: Role, words: string, seq: number) => item(role, { type: "text", text: words }, seq);
const thinking = (seq: number) =>
  item("assistant", { type: "thinking", thinking: "hm", signature: "s" }, seq);

const first = text("user", "one", 1);
const items = [first, text("assistant", "two", 2), text("user", "three", 3)];

describe("cache breakpoints", () => {
  it("mark the newest block, and the one that was the newest before", () => {
    expect(placeBreakpoints(items, null)).toEqual({ newest: 2 });
    expect(placeBreakpoints(items, 0)).toEqual({ newest: 2, former: 0 });
  });

  it("forget the former block where it is the newest again, or gone", () => {
    expect(placeBreakpoints(items, 2)).toEqual({ newest: 2 });
    expect(placeBreakpoints(items, 7)).toEqual({ newest: 2 });
    expect(placeBreakpoints([first], 0)).toEqual({ newest: 0 });
  });

  it("never mark thinking, and nothing where there is nothing", () => {
    expect(placeBreakpoints([first, thinking(2)], null)).toEqual({ newest: 0 });
    expect(placeBreakpoints([thinking(1)], null)).toEqual({});
    expect(placeBreakpoints([], null)).toEqual({});
  });

  it("are put on a copy, at most four of them, and leave every other block the very same", () => {
    const request: ModelRequest = {
      model: "m",
      max_tokens: 1,
      system: [
        { type: "text", text: "be brief" },
        { type: "text", text: "be kind" },
      ],
      tools: [{ name: "Read", input_schema: {} }],
      messages: renderMessages(items),
    };
    const before = structuredClone(request);
    const marked = withBreakpoints(request, placeBreakpoints(items, 0), "1h", items.length);
    expect(request).toEqual(before);
    const control = { cache_control: { type: "ephemeral", ttl: "1h" } };
    expect(marked).toEqual({
      ...before,
      system: [before.system?.[0], { ...before.system?.[1], ...control }],
      tools: [{ name: "Read", input_schema: {}, ...control }],
      messages: [
        { role: "user", content: [{ type: "text", text: "one", ...control }] },
        before.messages[1],
        { role: "user", content: [{ type: "text", text: "three", ...control }] },
      ],
    });
    expect(marked.messages[1]).toBe(request.messages[1]);
  });
});
