import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOutcome } from "./result-content.ts";

const contentOf = (...content: readonly unknown[]) => toOutcome({ content }, 1_000).content;

describe("toOutcome", () => {
  it("joins texts by lines", () => {
    const texts = ["a", "", "b"].map((text) => ({ type: "text", text }));
    expect(toOutcome({ content: texts, structuredContent: { ignored: true } }, 1_000)).toEqual({
      content: "a\nb",
    });
  });

  it.each<[unknown, unknown]>([
    [
      { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      "[audio, audio/wav, 3 bytes: it cannot be shown]",
    ],
    [
      { type: "image", mimeType: "image/svg+xml", data: "AAAA" },
      "[image, image/svg+xml, 3 bytes: it cannot be shown]",
    ],
    [{ type: "image" }, "[image, of unknown type, without content: it cannot be shown]"],
    [{ type: "resource" }, "[a resource without content]"],
    [
      { type: "resource", resource: { uri: "a:b", mimeType: "application/zip", blob: "AAAA" } },
      "[resource a:b, application/zip, 3 bytes: it cannot be shown]",
    ],
    [
      { type: "resource", resource: { uri: "a:b", mimeType: "image/gif", blob: "AAAA" } },
      [{ type: "image", source: { type: "base64", media_type: "image/gif", data: "AAAA" } }],
    ],
    [{ type: "resource_link", uri: "a:b" }, "[link to the resource a:b]"],
  ])("says what %j is", (item, content) => {
    expect(contentOf(item)).toEqual(content);
  });

  it("drops what is beyond the cap, says so, and cuts no character in half", () => {
    const content = [
      { type: "text", text: "12345" },
      { type: "text", text: "1234😀" },
      { type: "text", text: "never" },
    ];
    expect(toOutcome({ content }, 10)).toEqual({
      content: "12345\n1234\ufffd\n[The result is longer than 10 characters: the rest was dropped.]",
    });
  });

  it("makes something of any answer", () => {
    const item = fc.record(
      {
        type: fc.constantFrom("text", "image", "audio", "resource", "resource_link", "other"),
        text: fc.jsonValue(),
        data: fc.jsonValue(),
        mimeType: fc.constantFrom("image/png", "x", 1),
        resource: fc.jsonValue(),
        uri: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const answer = fc.oneof(fc.jsonValue(), fc.record({ content: fc.array(fc.oneof(item, fc.jsonValue())) }));
    fc.assert(
      fc.property(answer, (given) => {
        const { content } = toOutcome(given, 1_000);
        const blocks = typeof content === "string" ? [] : content;
        expect(blocks.filter(({ type }) => type !== "text" && type !== "image")).toEqual([]);
        expect(blocks).not.toContainEqual({ type: "text", text: "" });
      }),
    );
  });
});
