// Your own loop with OpenAI's SDK: requests are converted on the way out, answers on the way in.
// Twelve pages are read in a window that holds five, and no request is ever too long.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { openSession } from "palimpsest";
import { fromChatMessages, openai, toChatRequest } from "palimpsest/models/openai";
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
const catalog = { capabilities: { "gpt-5.6": { contextWindow: 40_000, maxOutput: 4_000 } } };
const emulator = await createEmulator({ catalog, script });
const connection = { baseURL: `${emulator.url}/v1`, apiKey: "anything" }; // OpenAI itself: {}, with OPENAI_API_KEY set

const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const client = new OpenAI(connection);
const session = await openSession({
  model: openai("gpt-5.6", { environment: {} }), // no key: summaries are written from the log alone
  system: "You read pages.",
  tools: [page],
  home,
  settings: { catalog },
});

let text = null;
await session.add({ role: "user", content: "Read all pages." });
while (text === null) {
  const { request } = await session.prepare();
  const { body } = toChatRequest(request, { stream: false });
  const { id, choices, usage } = await client.chat.completions.create(body);
  const { content } = fromChatMessages([choices[0].message]).messages[0];
  await session.add({ role: "assistant", id, content, usage });
  const results = content.filter(({ type }) => type === "tool_use").map(answer);
  if (results.length > 0) await session.add({ role: "user", content: results });
  else text = content[0].text;
}
console.log(text);
const refused = emulator.requests.where(({ status }) => status !== 200);
console.log(`${emulator.requests.total} requests, ${refused.length} refused`);
console.log(`page 1 can be read back: ${(await session.recall("call_1")).text.includes(pageText(1))}`);
await session.close();
await emulator.close();
await rm(home, { recursive: true });
