// Goes one walk through the built packages, and prints the files and functions of ours that ran, as JSON.
// node scripts/house/walk-files.mjs add|prepare|compaction|memory|gateway
import { mkdtemp, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { register } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

register("./resolve-builds.mjs", import.meta.url);
const { openMemory, openSession } = await import("palimpsest");
const { createEmulator, otherwise, say } = await import("palimpsest/testing");
const { createGateway } = await import("palimpsest/gateway");

const home = await mkdtemp(join(tmpdir(), "palimpsest-walk-"));
const inspector = new Session();
inspector.connect();

/** What runs between its beginning and its end, by V8's own count. Loading a file is not running it. */
async function ranIn(work) {
  // What is still at work for what came before is not a part of it.
  await setTimeout(500);
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await inspector.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  await inspector.post("Profiler.stopPreciseCoverage");
  const ran = new Map();
  for (const { url, functions } of result) {
    const path = /\/(packages\/(?:core|palimpsest)\/)build\/(.+)\.js$/.exec(url);
    if (!path) continue;
    const called = functions.filter(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0);
    if (called.length > 0) ran.set(`${path[1]}src/${path[2]}.ts`, called.length);
  }
  return ran;
}

const words = "Words about the harbour, the crane and the tide. ";

async function sessionWithPast() {
  const session = await openSession({ home, cwd: home, model: "claude-sonnet-4-5", system: "Be careful." });
  for (let round = 0; round < 12; round++) {
    const id = `toolu_${round}`;
    await session.add({ role: "user", content: `Part ${round}: look at it. ${words}` });
    await session.prepare();
    const use = { type: "tool_use", id, name: "Read", input: { file_path: `part-${round}.ts` } };
    await session.add({ role: "assistant", id: `msg_${round}`, content: [use] });
    await session.add({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: words.repeat(200) }],
    });
    await session.prepare();
    await session.add({ role: "assistant", id: `end_${round}`, content: [{ type: "text", text: "Seen." }] });
  }
  return session;
}

const walks = {
  async add() {
    const session = await sessionWithPast();
    return ranIn(() => session.add({ role: "user", content: "And now?" }));
  },
  async prepare() {
    const session = await sessionWithPast();
    await session.add({ role: "user", content: "And now?" });
    return ranIn(() => session.prepare());
  },
  async compaction() {
    const session = await sessionWithPast();
    return ranIn(() => session.compact());
  },
  async memory() {
    const memory = await openMemory({ dir: join(home, "memory") });
    const text = (name) =>
      `---\nname: ${name}\ndescription: ${name}\ntype: reference\n---\n\nThe tide turns at six.\n`;
    await memory.write("crane.md", text("crane"));
    return ranIn(() => memory.write("tide.md", text("tide")));
  },
  async gateway() {
    const emulator = await createEmulator({ script: [otherwise(() => say("Seen."))] });
    const gateway = await createGateway({ home, cwd: home, upstream: emulator.url });
    const messages = [{ role: "user", content: "Look at it." }];
    const ask = async () => {
      const answer = await fetch(`${gateway.url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": "k", "anthropic-version": "2023-06-01" },
        body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 100, messages }),
      });
      if (!answer.ok) throw new Error(`The gateway answered ${answer.status}: ${await answer.text()}`);
      messages.push(
        { role: "assistant", content: (await answer.json()).content },
        { role: "user", content: "On." },
      );
    };
    await ask();
    return ranIn(ask);
  },
};

try {
  const ran = await walks[process.argv[2]]();
  console.log(JSON.stringify(Object.fromEntries([...ran].sort())));
} finally {
  await rm(home, { recursive: true, force: true });
}
process.exit();
