import type Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import type { OpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { createMeasure } from "../../packages/core/src/view/tokens/measure.ts";
import { say } from "../../packages/testing/src/index.ts";
import { imageOf } from "../support/images.ts";
import { model, type Stage, smallWindow, stage } from "./gateway-stage.ts";

const windowTokens = 20_000;
const measure = createMeasure();

/** Parts of the window in thousandths, and images beside them. */
const turn = fc.record({
  size: fc.oneof(fc.nat(80), fc.nat(500), fc.nat(1_600)),
  images: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(30) }),
  isWide: fc.boolean(),
});
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;

interface Sent {
  readonly texts: readonly string[];
  readonly images: readonly string[];
}

/** Sends one more prompt with everything before it; what the provider was given in the end. */
type Ask = (text: string, images: readonly string[]) => Promise<Sent>;

const lastBody = ({ emulator }: Stage) =>
  emulator.requests.where(({ outcome, endpoint }) => outcome === "answered" && endpoint !== "model").at(-1)
    ?.body ?? {};

function askMessages(at: Stage): Ask {
  const messages: Anthropic.MessageParam[] = [];
  return async (text, images) => {
    const blocks = images.map((data) => ({
      type: "image" as const,
      source: { type: "base64" as const, media_type: "image/png" as const, data },
    }));
    messages.push({ role: "user", content: [{ type: "text", text }, ...blocks] });
    const { content } = await at.anthropic.messages.create({ model, max_tokens: 100, messages });
    messages.push({ role: "assistant", content });
    const sent = (lastBody(at).messages as readonly Anthropic.MessageParam[]).flatMap(
      (one): readonly Anthropic.ContentBlockParam[] => (typeof one.content === "string" ? [] : one.content),
    );
    return {
      texts: sent.flatMap((block) => (block.type === "text" ? block.text : [])),
      images: sent.flatMap((block) =>
        block.type === "image" && block.source.type === "base64" ? block.source.data : [],
      ),
    };
  };
}

function askChat(at: Stage): Ask {
  const messages: OpenAI.ChatCompletionMessageParam[] = [];
  return async (text) => {
    messages.push({ role: "user", content: text });
    const { choices } = await at.openai.chat.completions.create({ model: "gpt-4.1", messages });
    messages.push(choices[0]?.message as OpenAI.ChatCompletionMessage);
    const sent = lastBody(at).messages as readonly OpenAI.ChatCompletionMessageParam[];
    const texts = sent.flatMap(({ content }) =>
      typeof content === "string"
        ? content
        : (content ?? []).flatMap((part) => (part.type === "text" ? part.text : [])),
    );
    return { texts, images: [] };
  };
}

describe.each([
  ["the Messages API", askMessages],
  ["chat completions", askChat],
] as const)("the newest prompt through the gateway to %s", (_name, begin) => {
  it("is sent word for word, with its images in order, or stored where it alone exceeds the window", async () => {
    let stored = 0;
    let asked = 0;
    const property = fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 7 }), async (turns) => {
      const at = await stage({ ...smallWindow(windowTokens), script: () => say("Well. ".repeat(200)) });
      const ask = begin(at);
      let number = 0;
      for (const { size, images: count, isWide } of turns as readonly Turn[]) {
        number += 1;
        const text = `Prompt ${number}: `.padEnd(
          (size / 1_000) * windowTokens * 3,
          `words of ${number} and more `,
        );
        const images = Array.from({ length: begin === askMessages ? count : 0 }, (_, one) => {
          const image = imageOf(isWide ? 2_500 : 20, 10, number * 100 + one);
          return "source" in image ? (image.source as { readonly data: string }).data : "";
        });
        const sent = await ask(text.trim(), images);
        asked += 1;
        const tokens = measure(text) + images.length * 40;
        const isWhole = sent.texts.includes(text.trim());
        if (!isWhole) {
          stored += 1;
          expect(tokens, `prompt ${number} is stored`).toBeGreaterThan(windowTokens * 0.7);
          const form = sent.texts.find((one) => one.includes("bytes") && one.includes(text.slice(0, 30)));
          expect(form).toContain(text.trim().slice(-30));
        }
        const own = sent.images.filter((data) => images.includes(data));
        if (isWhole) expect(own).toEqual(images.slice(0, isWide ? 20 : images.length));
      }
      await at.gateway.idle();
    });
    await fc.assert(property, { numRuns: 12 });
    expect([asked > 30, stored > 2]).toEqual([true, true]);
  });
});
