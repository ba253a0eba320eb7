import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock } from "../../spec/index.ts";
import { isIdOf, repeatedId, toRequestBlock, toRequestId } from "./request-ids.ts";

const anyId = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.stringMatching(/^functions\.[a-z]{1,9}:\d{1,3}$/),
);

describe("the id of a call in requests", () => {
  it("is the server's own where every provider takes it", () => {
    for (const id of ["toolu_01", "call-1", "a".repeat(200)]) expect(toRequestId(id)).toBe(id);
  });

  it("says what it stands for, and ends with a digest", () => {
    expect(toRequestId("functions.Bash:0")).toBe("functions_Bash__a97d15071f75fb2043da80d3");
    expect(toRequestId("")).toMatch(/^_[0-9a-f]{24}$/);
  });

  it("is legal, short, and the same again when it is mapped again", () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const mapped = toRequestId(id);
        expect(mapped).toMatch(/^[a-zA-Z0-9_-]+$/);
        expect(toRequestId(mapped)).toBe(mapped);
        expect(isIdOf(mapped, id) && isIdOf(id, id)).toBe(true);
        if (mapped !== id) expect(mapped.length).toBeLessThanOrEqual(40);
      }),
    );
  });

  it("is one of its own where the server's comes again, the same at the same place of a log", () => {
    for (const id of ["call_0", "functions.page:0"]) {
      const ids = [toRequestId(id), repeatedId(id, 7), repeatedId(id, 8)];
      expect(new Set(ids).size).toBe(3);
      expect(ids.map(toRequestId)).toEqual(ids);
      expect(repeatedId(id, 7)).toBe(ids[1]);
    }
  });

  it("is another one for another call", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { maxLength: 50 }), (ids) => {
        expect(new Set(ids.map((id) => toRequestId(id.toWellFormed()))).size).toBe(
          new Set(ids.map((id) => id.toWellFormed())).size,
        );
      }),
    );
  });
});

describe("a block in requests", () => {
  it("is the very same where its ids are legal, and for a foreign id always the same other one", () => {
    const text: ContentBlock = { type: "text", text: "functions.Bash:0" };
    const call: ContentBlock = { type: "tool_use", id: "functions.Bash:0", name: "Bash", input: {} };
    expect(toRequestBlock(text)).toBe(text);
    expect(toRequestBlock(call)).toBe(toRequestBlock(call));
    expect(toRequestBlock(call)).toEqual({ ...call, id: toRequestId("functions.Bash:0") });
  });

  it("names results, and results that are deleted from a cache, in the same way", () => {
    const id = "functions.Bash:0";
    const mapped = toRequestId(id);
    expect(toRequestBlock({ type: "tool_result", tool_use_id: id, content: "x" })).toEqual({
      type: "tool_result",
      tool_use_id: mapped,
      content: "x",
    });
    const edits = [
      { type: "delete", cache_reference: id },
      { type: "delete", cache_reference: "call_1" },
      null,
    ];
    expect(toRequestBlock({ type: "cache_edits", edits })).toEqual({
      type: "cache_edits",
      edits: [{ type: "delete", cache_reference: mapped }, edits[1], null],
    });
    const legal: ContentBlock = { type: "cache_edits", edits: [edits[1]] };
    expect(toRequestBlock(legal)).toBe(legal);
  });
});
