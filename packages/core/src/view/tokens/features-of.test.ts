import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock } from "../../spec/index.ts";
import { estimateContent } from "./estimate.ts";
import { addFeatures, type Features, featuresOf, noFeatures } from "./features.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", minLength: 200, maxLength: 900 }),
);
const innerBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  text.map((value) => ({ type: "text", text: value })),
  fc.constant<ContentBlock>({ type: "image", source: { type: "url", url: "https://example.org" } }),
);
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  innerBlock,
  fc.record({ type: fc.constant("thinking"), thinking: text, signature: text }),
  fc.record({ type: fc.constant("redacted_thinking"), data: text }),
  fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: fc.jsonValue() }),
  fc.record({
    type: fc.constant("tool_result"),
    tool_use_id: text,
    content: fc.oneof(text, fc.array(innerBlock, { maxLength: 3 })),
  }),
  fc.record({ type: fc.constant("hologram"), depth: fc.jsonValue() }),
);

const zeros = { ...noFeatures };
const characters = ({ letters, digits, newlines, spaces, punctuation }: Features) =>
  letters + digits + newlines + spaces + punctuation;

describe("featuresOf", () => {
  it("says of every content what the plain rule says", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.array(block, { maxLength: 4 })), (content) => {
        expect(featuresOf(content).plain).toBe(estimateContent(content));
      }),
    );
  });

  it("adds up over blocks, never negative", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const whole = featuresOf(blocks);
        const sum = blocks.map(featuresOf).reduce(addFeatures, noFeatures);
        for (const [name, value] of Object.entries(whole)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(sum[name as keyof Features]).toBeCloseTo(value, 6);
        }
      }),
    );
  });

  it("counts every character of a text in one class", () => {
    expect(featuresOf("func main() {\n\tx := 42 // ё本\n}")).toEqual({
      ...zeros,
      letters: 8 + 1 + 2,
      digits: 2,
      newlines: 2,
      spaces: 7,
      punctuation: 8,
      extraBytes: 1 + 2,
      plain: 9,
    });
  });

  it("projects the characters of a long text from a sample that adds up to its length", () => {
    const source = 'if (count >= 10) {\n    return names["total"];\n}\n'.repeat(400);
    const features = featuresOf(source);
    expect(characters(features)).toBeCloseTo(source.length, 6);
    for (const [name, pattern] of [
      ["letters", /[a-z]/g],
      ["digits", /\d/g],
      ["newlines", /\n/g],
      ["spaces", / /g],
      ["punctuation", /[^a-z\d\n ]/g],
    ] as const) {
      const actual = source.match(pattern)?.length ?? 0;
      expect(Math.abs(features[name] - actual)).toBeLessThan(source.length * 0.06);
    }
    expect(featuresOf(source)).toEqual(features);
  });

  it("samples lines of one length, whatever the length", () => {
    for (let length = 2; length <= 40; length += 1) {
      const line = `\n${"x".repeat(length - 1)}`;
      const { newlines } = featuresOf(line.repeat(512));
      expect(Math.abs(newlines - 512)).toBeLessThan(512 * length * 0.03);
    }
  });

  it("counts tool inputs as the model sees them, without quotes and escapes", () => {
    const features = featuresOf({
      type: "tool_use",
      id: "t1",
      name: "Edit",
      input: { path: "a", lines: ['"\n"', 7, true, null] },
    });
    expect(features).toEqual({
      ...zeros,
      letters: "Editpathalinestruenull".length,
      digits: 1,
      newlines: 1,
      punctuation: 2,
      toolUses: 1,
      plain: estimateContent("Edit") + Math.ceil('{"path":"a","lines":["\\"\\n\\"",7,true,null]}'.length / 2),
    });
  });

  it("sees thinking that is not shown by what its signature carries", () => {
    const thinking = (shown: string, signatureLength: number): ContentBlock => ({
      type: "thinking",
      thinking: shown,
      signature: "s".repeat(signatureLength),
    });
    const opaque = (content: ContentBlock) => featuresOf(content).opaqueBytes;
    expect(opaque(thinking("", 232 + 4_000))).toBe(3_000);
    expect(opaque(thinking("x".repeat(1_000), 232 + 4_000))).toBe(2_000);
    expect(opaque(thinking("x".repeat(3_000), 232 + 4_000))).toBe(0);
    expect(opaque(thinking("", 100))).toBe(0);
    expect(opaque({ type: "redacted_thinking", data: "s".repeat(232 + 400) })).toBe(300);
  });

  it("counts images and documents, inside results too", () => {
    const image: ContentBlock = { type: "image", source: { type: "url", url: "https://example.org" } };
    expect(featuresOf([image, { type: "tool_result", tool_use_id: "t1", content: [image] }])).toEqual({
      ...zeros,
      media: 2,
      plain: 4_000,
    });
  });
});
