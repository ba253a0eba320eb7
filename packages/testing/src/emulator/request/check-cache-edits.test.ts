import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../core/src/catalog/index.ts";
import { checkRequest } from "./check-request.ts";

const { value } = createCatalog().capabilities("claude-opus-4-6");
const broken = (block: unknown, cacheEdits = true, more: object = {}) =>
  checkRequest(
    {
      model: "claude-opus-4-6",
      max_tokens: 100,
      messages: [
        { role: "user", content: "Read." },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t1", content: "x", ...more }, block],
        },
      ],
    },
    { betas: new Set(), capabilities: { ...value, cacheEdits } },
  ).map(({ message }) => message);
const edits = (...list: unknown[]) => ({ type: "cache_edits", edits: list });
const remove = (cache_reference: unknown) => ({ type: "delete", cache_reference });

describe("checkCacheEdits", () => {
  it("takes an edit that names a result in front of it, by its call or by its reference", () => {
    expect(broken(edits(remove("t1")))).toEqual([]);
    expect(broken(edits(remove("one")), true, { cache_reference: "one" })).toEqual([]);
  });

  it.each<[unknown, string]>([
    [edits(), "messages.2.content.1.edits: Input should be a list with at least 1 item"],
    [edits("t1"), "messages.2.content.1.edits.0: Input should be an edit of type 'delete'"],
    [
      edits({ type: "move", cache_reference: "t1" }),
      "messages.2.content.1.edits.0: Input should be an edit of type 'delete'",
    ],
    [edits(remove(1)), "messages.2.content.1.edits.0.cache_reference: Input should be a valid string"],
    [
      edits(remove("t2")),
      "messages.2.content.1.edits.0: no `tool_result` in front of this block has the cache reference `t2`",
    ],
    [
      edits(remove("t1"), remove("t1")),
      "messages.2.content.1.edits.1: the `tool_result` `t1` is deleted already",
    ],
  ])("refuses %j", (block, message) => {
    expect(broken(block)).toEqual([message]);
  });

  it("refuses edits and references on models without the capability", () => {
    expect(broken(edits(remove("t1")), false, { cache_reference: "t1" })).toEqual([
      "messages.2.content.0.tool_result.cache_reference: Extra inputs are not permitted",
      "messages.2.content.1: `cache_edits` blocks are not supported by this model",
    ]);
  });
});
