// A fork: a second conversation that begins where a session stands. Its prompt is the session's own, byte for byte, so
// the provider's cache serves nearly all of it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { createEmulator, say } from "palimpsest/testing";

const emulator = await createEmulator({ script: () => say("Understood.") });
// The real provider: `const model = "claude-opus-4-5";`, with ANTHROPIC_API_KEY set.
const model = anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "anything" });

const home = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const session = await openSession({ model, system: "You keep books.", home });
for await (const event of session.run(`Look at this: ${"a line of the ledger; ".repeat(10_000)}`))
  if (event.type === "run-end") console.log(`the session: ${event.text}`);

const questions = ["Which lines look wrong?", "Write a title for the ledger."];
const forks = await Promise.all(questions.map((question) => session.fork(question, { kind: "agent" })));
for (const { text, cache } of forks)
  console.log(`a fork: ${text} ${Math.floor(cache.share * 100)} % of its prompt came from the cache`);

let messages = 0;
for await (const { kind } of session.entries()) if (kind === "message") messages += 1;
console.log(`messages in the session: ${messages}`);
await session.close();
await emulator.close();
await rm(home, { recursive: true });
