// From a key to the screen with a long session open: what a person feels. Typed slowly, and in a burst.
// npm run bench -- keystroke [--messages 5000] [--keys 200] [--json]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRuntime } from "../packages/core/build/runtime.js";
import { openAgent } from "../packages/palimpsest/build/loop/agent/open-agent.js";
import { createDoors } from "../packages/palimpsest/build/surfaces/cli/chat/create-chat-environment.js";
import { createStyle } from "../packages/palimpsest/build/surfaces/terminal/style.js";
import { loadChat } from "../packages/palimpsest/build/surfaces/tui/load-chat.js";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    messages: { type: "string", default: "5000" },
    keys: { type: "string", default: "200" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("keystroke", values.json);
const goalMs = 30;
const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
process.env.ANTHROPIC_API_KEY = "not-asked";

async function fill() {
  const session = await openAgent({ home, cwd: home, id: "long", durability: "relaxed" });
  for (let at = 0; at < Number(values.messages); at += 2) {
    await session.add({ role: "user", content: `Question ${at}: what stands in part ${at}?` });
    const text = `Part ${at} has **three** things:\n\n- one\n- two\n- \`three\`\n\nThat is all of it.`;
    await session.add({ role: "assistant", id: `msg_${at}`, content: [{ type: "text", text }] });
  }
  await session.close();
}

let onWrite = () => {};
const stdout = Object.assign(
  new Writable({
    decodeStrings: false,
    write(_chunk, _encoding, done) {
      onWrite();
      done();
    },
  }),
  { isTTY: true, columns: 120, rows: 40 },
);
const stdin = Object.assign(new PassThrough(), {
  isTTY: true,
  setRawMode: () => stdin,
  ref() {},
  unref() {},
});
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function measure(name, gapMs) {
  const times = [];
  for (let key = 0; key < Number(values.keys); key += 1) {
    const drawn = new Promise((resolve) => {
      onWrite = resolve;
    });
    const started = performance.now();
    stdin.write("abcde "[key % 6]);
    await drawn;
    times.push(performance.now() - started);
    onWrite = () => {};
    if (gapMs > 0) await sleep(gapMs);
  }
  stdin.write("\u0015");
  await sleep(100);
  times.sort((a, b) => a - b);
  const [p50, p95, most] = [at(times, 0.5), at(times, 0.95), times.at(-1)];
  headline({ what: `key to screen, p95, ${name}`, value: p95, unit: "ms", atMost: goalMs });
  say(
    `${name.padEnd(24)} p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (goal ≤ ${goalMs}), most ${most.toFixed(1)} ms`,
  );
}

try {
  say(`keystroke on ${machineLine()}`);
  await fill();
  const stopping = new AbortController();
  const terminal = { columns: 120, style: createStyle(true), signal: stopping.signal };
  const runChat = await loadChat();
  const started = performance.now();
  let opened = () => {};
  const opening = new Promise((resolve) => {
    opened = resolve;
  });
  const ended = runChat({
    doors: createDoors({
      context: { terminal, home, folder: home, now: () => Date.now() },
      agent: {},
      workspace: [home],
      environment: process.env,
      prompts: { read: async () => [], add: async () => undefined },
      isColoured: true,
    }),
    clock: createRuntime().clock,
    stdin,
    stdout,
    style: createStyle(true),
    isPlain: false,
    history: [],
    first: { id: "long" },
    signal: stopping.signal,
    onOpen: opened,
  });
  await opening;
  const openMs = performance.now() - started;
  headline({ what: `a session of ${values.messages} messages on the screen`, value: openMs, unit: "ms" });
  say(`${values.messages} messages open after ${openMs.toFixed(0)} ms`);
  await sleep(200);
  await measure("typed, a key each 60 ms", 60);
  await measure("typed in a burst", 0);
  stopping.abort();
  await ended;
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit();
