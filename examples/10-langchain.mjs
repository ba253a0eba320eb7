// A LangChain agent over a session: twelve pages are read in a window that holds five, by one middleware.
// Needs: npm install langchain @langchain/core @langchain/anthropic zod
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, tool } from "langchain";
import { openSession } from "palimpsest";
import { palimpsestMiddleware } from "palimpsest/langchain";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { z } from "zod";

const pages = 12;
const pageText = (number) =>
  `Page ${number}. ${"The quay has cranes, and cranes have numbers. ".repeat(400)}`;
const page = tool(async ({ number }) => pageText(number), {
  name: "page",
  description: "Gives a page.",
  schema: z.object({ number: z.number() }),
});

let asked = 0;
const script = () =>
  asked++ < pages ? callTool("page", { number: asked }, `call_${asked}`) : say("All pages are read.");
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow: 40_000, maxOutput: 4_000 } } };
const emulator = await createEmulator({ catalog, script });
const connection = { anthropicApiUrl: emulator.url, apiKey: "anything" }; // the real provider: {}, with ANTHROPIC_API_KEY set

const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const session = await openSession({
  model: anthropic("claude-opus-4-5", { environment: {} }), // no key: summaries are written from the log alone
  home,
  settings: { catalog, flags: { "compact-ahead": false } },
});
const agent = createAgent({
  model: new ChatAnthropic({ model: "claude-opus-4-5", maxTokens: 2_000, ...connection }),
  tools: [page],
  middleware: [palimpsestMiddleware(session)],
});
const prompt = { messages: [{ role: "user", content: "Read all pages." }] };
const { messages } = await agent.invoke(prompt, { recursionLimit: 100 });

console.log(messages.at(-1).text);
const refused = emulator.requests.where(({ status }) => status !== 200);
console.log(
  `${emulator.requests.total} requests, ${refused.length} refused; the agent has ${messages.length} messages`,
);
console.log(`page 1 can be read back: ${(await session.recall("call_1")).text.includes(pageText(1))}`);
await session.close();
await emulator.close();
await rm(home, { recursive: true });
