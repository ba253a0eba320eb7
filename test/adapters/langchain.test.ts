import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, HumanMessage, tool } from "langchain";
import { palimpsestMiddleware } from "palimpsest/langchain";
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
  new ChatAnthropic({
    model: "claude-opus-4-5",
    apiKey: "sk-test",
    anthropicApiUrl: url,
    maxTokens: 2_000,
    maxRetries: 0,
  });

const tools = [
  tool(async ({ number }: { number: number }) => pageText(number), {
    name: "page",
    description: "Gives a page.",
    schema: z.object({ number: z.number() }),
  }),
];

const prompt = { messages: [new HumanMessage("Read all pages.")] };
const systemPrompt = "You read pages.";
const limits = { recursionLimit: 100 };

describe("LangChain", () => {
  it("outgrows the window without a session", async () => {
    const agent = createAgent({ model: modelAt(await readingModel()), tools, systemPrompt });
    await expect(agent.invoke(prompt, limits)).rejects.toThrow(/too long/);
  });

  it("stays inside the window through the middleware, and its own state keeps everything", async () => {
    const emulator = await readingModel();
    const session = await openReader();
    const middleware = [palimpsestMiddleware(session)];
    const agent = createAgent({ model: modelAt(emulator), tools, systemPrompt, middleware });
    const { messages } = await agent.invoke(prompt, limits);
    expect(messages.at(-1)?.text).toBe("All pages are read.");
    expect(messages).toHaveLength(2 * pages + 2);
    expect(statuses(emulator)).toEqual(Array.from({ length: pages + 1 }, () => 200));
    expect(violations(emulator)).toEqual([]);
    expect(await countedAnswers(session)).toBe(pages);
    expect((await session.recall("call_1")).text).toContain(pageText(1));
  });
});
