import { describe, expect, it } from "vitest";
import type { ContentBlock } from "../../spec/index.ts";
import { estimateBlock, estimateContent, looksLikeJson, padEstimate } from "./estimate.ts";

const result = (content: string | readonly ContentBlock[]): ContentBlock => ({
  type: "tool_result",
  tool_use_id: "t1",
  content,
});
const image: ContentBlock = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "x".repeat(90_000) },
};

describe("the plain estimate", () => {
  it.each<[string, ContentBlock, number]>([
    ["text: 4 bytes a token", { type: "text", text: "x".repeat(41) }, 11],
    ["bytes, not characters", { type: "text", text: "本".repeat(4) }, 3],
    ["nothing", { type: "text", text: "" }, 0],
    [
      "thinking by its text, not its signature",
      { type: "thinking", thinking: "12345678", signature: "s".repeat(999) },
      2,
    ],
    ["redacted thinking by its data", { type: "redacted_thinking", data: "x".repeat(40) }, 10],
    [
      "a call: its name as text, its input as JSON",
      { type: "tool_use", id: "t1", name: "Read", input: { a: 1 } },
      1 + 4,
    ],
    ["a call without input", { type: "tool_use", id: "t1", name: "Read", input: undefined }, 1],
    ["a result as text", result("x".repeat(40)), 10],
    ["a result that looks like JSON", result(`{"a":"${"x".repeat(32)}"}`), 20],
    [
      "a result of blocks",
      result([{ type: "text", text: "[1, 2]\n" }, { type: "text", text: "1234" }, image]),
      2_005,
    ],
    ["a result without content", { type: "tool_result", tool_use_id: "t1" }, 0],
    ["an image, whatever its size", image, 2_000],
    [
      "a document of plain text, by its text",
      { type: "document", source: { type: "text", media_type: "text/plain", data: "x".repeat(4_000) } },
      1_000,
    ],
    ["a document", { type: "document", source: { type: "url", url: "https://example.org/a.pdf" } }, 2_000],
    [
      "any other block by its JSON",
      { type: "hologram", depth: 12345 },
      Math.ceil('{"type":"hologram","depth":12345}'.length / 2),
    ],
  ])("counts %s", (_what, block, tokens) => {
    expect(estimateBlock(block)).toBe(tokens);
  });

  it("adds up over the blocks of a content, and takes bare text as text", () => {
    expect(estimateContent([{ type: "text", text: "12345" }, image])).toBe(2_002);
    expect(estimateContent("{}{}{}{}")).toBe(2);
    expect(estimateContent([])).toBe(0);
  });

  it("is padded by a third, rounded up, where nothing was measured", () => {
    expect([0, 1, 2, 3, 3_000].map(padEstimate)).toEqual([0, 2, 3, 4, 4_000]);
  });
});

describe("looksLikeJson", () => {
  it.each([
    ['{"a":1}', true],
    [" \n[1]\t", true],
    ["[]", true],
    ["[INFO] ready", false],
    ["{", false],
    ["{]", false],
    ["12", false],
    ["", false],
    ["   ", false],
  ])("says of %j: %s", (text, expected) => {
    expect(looksLikeJson(text)).toBe(expected);
  });
});
