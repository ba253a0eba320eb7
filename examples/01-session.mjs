// Your own loop around a session: the official SDK asks, you run the tools, the session keeps the context.
// Twelve pages are read in a window that holds five, and no request is ever too long.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { openSession } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";

const pages = 12;
const pageText = (number) =>
  `Page ${number}. ${"The quay has cranes, and cranes have numbers. ".repeat(400)}`;
const page = {
  name: "page",
  description: "Gives a page.",
  input_schema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
};
const answer = ({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: pageText(input.number) });

let asked = 0;
const script = () =>
  asked++ < pages ? callTool("page", { number: asked }, `call_${asked}`) : say("All pages are read.");
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow: 40_000, maxOutput: 4_000 } } };
const emulator = await createEmulator({ catalog, script });
const connection = { baseURL: emulator.url, apiKey: "anything" }; // the real provider: {}, with ANTHROPIC_API_KEY set

const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const client = new Anthropic(connection);
const session = await openSession({
  model: anthropic("claude-opus-4-5", { environment: {} }), // no key: summaries are written from the log alone
  system: "You read pages.",
  tools: [page],
  home,
  settings: { catalog, flags: { "compact-ahead": false } },
});

let text = "";
await session.add({ role: "user", content: "Read all pages." });
while (text === "") {
  const { request, report } = await session.prepare();
  const compaction = report.layers.find(({ layer, outcome }) => layer === "compaction" && outcome === "act");
  if (compaction) console.log(`compacted: ${compaction.reason}`);
  const { id, content, stop_reason, usage } = await client.beta.messages.stream(request).finalMessage();
  await session.add({ role: "assistant", id, content, stopReason: stop_reason, usage });
  const results = content.filter(({ type }) => type === "tool_use").map(answer);
  if (results.length > 0) await session.add({ role: "user", content: results });
  else text = content.find(({ type }) => type === "text").text;
}
console.log(text);
const refused = emulator.requests.where(({ status }) => status !== 200);
console.log(`${emulator.requests.total} requests, ${refused.length} refused`);
console.log(`page 1 can be read back: ${(await session.recall("call_1")).text.includes(pageText(1))}`);
await session.close();
await emulator.close();
await rm(home, { recursive: true });
