import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock, ModelRequest, ViewItem } from "../../../../core/src/spec/index.ts";
import { estimatedTokens } from "../sizes/prompt-content.ts";
import { createRequestMeasure } from "./measure-request.ts";

const fit = { overhead: 1_000, scale: 2 };
const text = (words: number): ContentBlock => ({ type: "text", text: "word ".repeat(words) });
const thinking: ContentBlock = { type: "thinking", thinking: "word ".repeat(50), signature: "lost" };
const itemOf = (block: ContentBlock, role: ViewItem["role"], seq: number): ViewItem => ({
  role,
  entry: `e${seq}`,
  seq,
  index: 0,
  block,
  json: JSON.stringify(block),
});
const ask = (items: readonly ViewItem[], model = "claude-opus-4-5") => ({
  request: { model, max_tokens: 1, messages: [] } satisfies ModelRequest,
  state: { items, prefixDigest: String },
  fit,
  sharedOverhead: 600,
  segment: 0,
});

describe("measuring requests", () => {
  it("gives the same for a view however the one before it began", () => {
    const pool = Array.from({ length: 12 }, (_, at) => itemOf(text(at + 1), "user", at));
    const view = fc.array(
      fc.nat({ max: 11 }).map((at) => pool[at] as ViewItem),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.array(view, { minLength: 2, maxLength: 5 }), (views) => {
        const measure = createRequestMeasure();
        for (const items of views) {
          const positions = Array.from({ length: items.length + 2 }, (_, at) => at);
          const again = createRequestMeasure()(ask(items)).input;
          const { input } = measure(ask(items));
          expect(positions.map(input.tokensTo)).toEqual(positions.map(again.tokensTo));
        }
      }),
    );
  });

  it("counts the overhead, the part that all segments share first, and then every item", () => {
    const { totalTokens, input } = createRequestMeasure()(ask([itemOf(text(10), "user", 1)]));
    const end = 1_000 + 2 * estimatedTokens(text(10));
    expect([0, 1, 2].map(input.tokensTo)).toEqual([600, 1_000, end]);
    expect(totalTokens).toBe(end);
  });

  it("counts no thinking before the newest message for models whose API leaves it out", () => {
    const items = [
      itemOf(text(3), "user", 1),
      itemOf(thinking, "assistant", 2),
      itemOf(text(3), "user", 3),
      itemOf(thinking, "assistant", 4),
    ];
    const size = (model: string, count: number) =>
      createRequestMeasure()(ask(items.slice(0, count), model)).totalTokens;
    const thought = 2 * estimatedTokens(thinking);
    expect(size("claude-sonnet-4-5", 2)).toBeCloseTo(size("claude-opus-4-5", 2));
    expect(size("claude-opus-4-5", 4) - size("claude-sonnet-4-5", 4)).toBeCloseTo(thought);
  });
});
