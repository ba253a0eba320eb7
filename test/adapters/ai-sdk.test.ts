import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, type ModelMessage, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { palimpsestMiddleware, palimpsestPrepareStep } from "palimpsest/ai-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Emulator } from "../../packages/testing/src/index.ts";
import {
  countedAnswers,
  openReader,
  pages,
  pageText,
  readingModel,
  statuses,
  violations,
} from "./adapter-work.ts";

const modelAt = ({ url }: Emulator) =>
  createAnthropic({ baseURL: `${url}/v1`, apiKey: "sk-test" })("claude-opus-4-5");

const work = {
  system: "You read pages.",
  prompt: "Read all pages.",
  stopWhen: stepCountIs(pages + 2),
  maxOutputTokens: 2_000,
  maxRetries: 0,
  tools: {
    page: tool({
      description: "Gives a page.",
      inputSchema: z.object({ number: z.number() }),
      execute: async ({ number }) => pageText(number),
    }),
  },
};

describe("the AI SDK", () => {
  it("outgrows the window without a session", async () => {
    const emulator = await readingModel();
    await expect(generateText({ ...work, model: modelAt(emulator) })).rejects.toThrow(/too long/);
  });

  it("stays inside the window through the middleware, in one piece and as a stream", async () => {
    for (const generate of [
      async (model: ReturnType<typeof wrapLanguageModel>) => (await generateText({ ...work, model })).text,
      async (model: ReturnType<typeof wrapLanguageModel>) => await streamText({ ...work, model }).text,
    ]) {
      const emulator = await readingModel();
      const session = await openReader();
      const model = wrapLanguageModel({
        model: modelAt(emulator),
        middleware: palimpsestMiddleware(session),
      });
      expect(await generate(model)).toBe("All pages are read.");
      expect(statuses(emulator)).toEqual(Array.from({ length: pages + 1 }, () => 200));
      expect(violations(emulator)).toEqual([]);
      expect(await countedAnswers(session)).toBe(pages);
      expect((await session.recall("call_1")).text).toContain(pageText(1));
    }
  });

  it("stays inside the window by prepareStep", async () => {
    const emulator = await readingModel();
    const session = await openReader();
    const prepareStep = palimpsestPrepareStep(session);
    const { text } = await generateText({ ...work, model: modelAt(emulator), prepareStep });
    expect(text).toBe("All pages are read.");
    expect(violations(emulator)).toEqual([]);
    expect((await session.recall("call_1")).text).toContain(pageText(1));
  });

  it("reads from the cache what it marked there, once that is enough to be cached", async () => {
    const emulator = await readingModel();
    const model = wrapLanguageModel({
      model: modelAt(emulator),
      middleware: palimpsestMiddleware(await openReader()),
    });
    const { steps } = await generateText({ ...work, model, stopWhen: stepCountIs(4) });
    const isRead = steps.map(({ usage }) => (usage.inputTokenDetails.cacheReadTokens ?? 0) > 0);
    expect(isRead).toEqual([false, false, true, true]);
  });

  it("gets back the very messages it gave where nothing is to be done", async () => {
    const prepareStep = palimpsestPrepareStep(await openReader());
    const messages: ModelMessage[] = [
      { role: "system", content: "You read." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image", image: new Uint8Array([1, 2]) },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s" } } },
          { type: "tool-call", toolCallId: "c", toolName: "page", input: { number: 1 } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c",
            toolName: "page",
            output: { type: "json", value: { a: 1 } },
          },
        ],
      },
      { role: "user", content: "Go on." },
    ];
    const given = await prepareStep({ messages, steps: [] });
    expect(given.messages).toEqual(messages);
    expect(given.messages.every((message, at) => message === messages[at])).toBe(true);
  });

  it("follows a conversation that was edited, and refuses another one", async () => {
    const session = await openReader();
    const prepareStep = palimpsestPrepareStep(session);
    const say = (role: "user" | "assistant", content: string): ModelMessage => ({ role, content });
    await prepareStep({
      messages: [say("user", "One."), say("assistant", "Yes."), say("user", "Two.")],
      steps: [],
    });
    const edited = [say("user", "One."), say("assistant", "Yes."), say("user", "Three.")];
    expect((await prepareStep({ messages: edited, steps: [] })).messages).toEqual(edited);
    await expect(prepareStep({ messages: [say("user", "Other.")], steps: [] })).rejects.toThrow(
      /begins otherwise/,
    );
  });
});
