// The gateway between a program that knows nothing of Palimpsest and its provider. The program sends its whole history
// every time, which outgrows the window; the gateway makes room. `palimpsest gateway` does the same for agents.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { createGateway } from "palimpsest/gateway";
import { callTool, createEmulator, say } from "palimpsest/testing";

const pages = 12;
const pageText = (number) =>
  `Page ${number}. ${"The quay has cranes, and cranes have numbers. ".repeat(400)}`;
const input_schema = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
const tools = [{ name: "page", description: "Gives a page.", input_schema }];

/** A loop as many programs have it. */
async function readPages(baseURL) {
  const client = new Anthropic({ baseURL, apiKey: "anything", maxRetries: 0 });
  const messages = [{ role: "user", content: "Read all pages." }];
  for (;;) {
    const asked = { model: "claude-opus-4-5", max_tokens: 1_000, tools, messages };
    const { content, stop_reason } = await client.messages.create(asked);
    if (stop_reason !== "tool_use") return content[0].text;
    const [{ id, input }] = content;
    const result = { type: "tool_result", tool_use_id: id, content: pageText(input.number) };
    messages.push({ role: "assistant", content }, { role: "user", content: [result] });
  }
}

let asked = 0;
const script = () => (asked++ < pages ? callTool("page", { number: asked }) : say("All pages are read."));
const catalog = { capabilities: { "*": { contextWindow: 40_000 } } };
const emulator = await createEmulator({ catalog, script });
console.log(
  `without: ${await readPages(emulator.url).catch(({ error }) => error.error.message.split(":")[0])}`,
);

asked = 0;
const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const gateway = await createGateway({ upstream: emulator.url, home }); // the real provider: without `upstream`, with your key
console.log(`with: ${await readPages(gateway.url)}`);
await gateway.idle();
console.log(`sessions recorded: ${gateway.status().sessions.length}`);
await gateway.close();
await emulator.close();
await rm(home, { recursive: true });
