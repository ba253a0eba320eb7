// The AI SDK over a session: twelve pages are read in a window that holds five, by one middleware.
// Needs: npm install ai @ai-sdk/anthropic zod
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, stepCountIs, tool, wrapLanguageModel } from "ai";
import { openSession } from "palimpsest";
import { palimpsestMiddleware } from "palimpsest/ai-sdk";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { z } from "zod";

const pages = 12;
const pageText = (number) =>
  `Page ${number}. ${"The quay has cranes, and cranes have numbers. ".repeat(400)}`;
const page = tool({
  description: "Gives a page.",
  inputSchema: z.object({ number: z.number() }),
  execute: async ({ number }) => pageText(number),
});

let asked = 0;
const script = () =>
  asked++ < pages ? callTool("page", { number: asked }, `call_${asked}`) : say("All pages are read.");
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow: 40_000, maxOutput: 4_000 } } };
const emulator = await createEmulator({ catalog, script });
const connection = { baseURL: `${emulator.url}/v1`, apiKey: "anything" }; // the real provider: {}, with ANTHROPIC_API_KEY set

const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const session = await openSession({
  model: anthropic("claude-opus-4-5", { environment: {} }), // no key: summaries are written from the log alone
  home,
  settings: { catalog, flags: { "compact-ahead": false } },
});
const model = wrapLanguageModel({
  model: createAnthropic(connection)("claude-opus-4-5"),
  middleware: palimpsestMiddleware(session),
});
const stopWhen = stepCountIs(pages + 1);
const { text } = await generateText({
  model,
  tools: { page },
  prompt: "Read all pages.",
  stopWhen,
  maxOutputTokens: 2_000,
});

console.log(text);
const refused = emulator.requests.where(({ status }) => status !== 200);
console.log(`${emulator.requests.total} requests, ${refused.length} refused`);
console.log(`page 1 can be read back: ${(await session.recall("call_1")).text.includes(pageText(1))}`);
await session.close();
await emulator.close();
await rm(home, { recursive: true });
