// What the gateway adds to the time until the first byte of an answer at 200,000 tokens and one request at a time, with
// nothing due, beside a plain proxy and no proxy at all; and its memory with 200 streams at once.
// npm run bench -- gateway [--tokens 200000] [--samples 100] [--streams 200]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machineLine } from "./machine-line.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    tokens: { type: "string", default: "200000" },
    samples: { type: "string", default: "100" },
    streams: { type: "string", default: "200" },
  },
});
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const children = [];
const bytesPerToken = 4;
const warmUps = 5;
/** Between two requests, as between the steps of an agent: what the gateway does afterwards is not waited for. */
const pauseMs = 150;

async function start(script, ...args) {
  const child = spawn(process.execPath, [path(script), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  return { child, url: JSON.parse(first).url };
}

const agent = new Agent({ keepAlive: true, noDelay: true });

/** Sends a body, and gives the time until the first byte of the answer and the text of it. */
async function ask(url, body) {
  const started = performance.now();
  const headers = { "content-type": "application/json", "content-length": body.length, "x-api-key": "bench" };
  const asked = request(`${url}/v1/messages`, { method: "POST", headers, agent });
  asked.setNoDelay(true);
  asked.end(body);
  const [answer] = await once(asked, "response");
  let time = 0;
  let text = "";
  for await (const chunk of answer) {
    time ||= performance.now() - started;
    text += chunk;
  }
  const [, said] = /"text_delta","text":"([^"]*)"/.exec(text) ?? [];
  if (said === undefined) throw new Error(`No answer from ${url}: ${text.slice(0, 200)}`);
  return { time, said };
}

const words = "All work and no play makes the context of an agent rather long. ";

function conversation(tokens) {
  const messages = [];
  for (let chars = 0; chars < tokens * bytesPerToken; chars += 8_000) {
    const content = `${messages.length}: ${words.repeat(Math.floor(4_000 / words.length))}`;
    messages.push({ role: "user", content }, { role: "assistant", content });
  }
  return messages;
}

const toBody = (messages) =>
  Buffer.from(JSON.stringify({ model: "claude-bench", max_tokens: 1_000, stream: true, messages }));

async function measure(sides, tokens, samples) {
  const lists = sides.map(() => conversation(tokens));
  const times = sides.map(() => []);
  for (let run = 0; run < warmUps + samples; run += 1)
    for (const [at, { url }] of sides.entries()) {
      lists[at].push({ role: "user", content: `Question ${run}: ${words}` });
      const { time, said } = await ask(url, toBody(lists[at]));
      lists[at].push({ role: "assistant", content: said });
      if (run >= warmUps) times[at].push(time);
      await setTimeout(pauseMs);
    }
  return times;
}

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)];

function memoryOf({ pid }) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function manyStreams(gateway, streams) {
  const before = memoryOf(gateway.child);
  let most = before;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      most = Math.max(most, memoryOf(gateway.child));
      await setTimeout(20);
    }
  })();
  const started = performance.now();
  const bodies = Array.from({ length: streams }, (_, index) =>
    toBody([{ role: "user", content: `Stream ${index}: ${words.repeat(60)}` }]),
  );
  const answers = await Promise.all(bodies.map((body) => ask(gateway.url, body)));
  const seconds = (performance.now() - started) / 1000;
  isDone = true;
  await watching;
  return { answered: answers.length, before, most, seconds };
}

const home = await mkdtemp(join(tmpdir(), "palimpsest-bench-"));
try {
  console.log(`gateway on ${machineLine()}`);
  const upstream = await start("gateway-upstream.mjs");
  const proxy = await start("gateway-proxy.mjs", upstream.url);
  const main = "../packages/palimpsest/dist/cli.js";
  const gateway = await start(main, "--home", home, "gateway", "--json", "--upstream", upstream.url);
  const sides = [
    { name: "no proxy", url: upstream.url },
    { name: "plain proxy", url: proxy.url },
    { name: "gateway", url: gateway.url },
  ];
  const [direct, ...others] = await measure(sides, Number(values.tokens), Number(values.samples));
  const size = (toBody(conversation(Number(values.tokens))).length / 1024).toFixed(0);
  console.log(
    `\ntime to the first byte, ${values.tokens} tokens (${size} KB), concurrency 1, ${values.samples} samples`,
  );
  console.log(
    `  ${"".padEnd(14)}${["p50 ms", "p99 ms", "added p50", "added p99"].map((one) => one.padStart(12)).join("")}`,
  );
  for (const [index, times] of [direct, ...others].entries()) {
    const [p50, p99] = [at(times, 0.5), at(times, 0.99)];
    const added = [p50 - at(direct, 0.5), p99 - at(direct, 0.99)];
    const cells = [p50, p99, ...added].map((one) => one.toFixed(2).padStart(12)).join("");
    console.log(`  ${sides[index].name.padEnd(14)}${cells}`);
  }
  const [plain, ours] = others;
  const beside = (share) => (at(ours, share) - at(plain, share)).toFixed(2);
  console.log(`  beside the plain proxy: p50 ${beside(0.5)} ms (goal 2), p99 ${beside(0.99)} ms (goal 10)`);
  const many = await manyStreams(gateway, Number(values.streams));
  console.log(
    `\n${many.answered} streams at once: all answered in ${many.seconds.toFixed(1)} s; memory ${many.before.toFixed(0)} MB before, ${many.most.toFixed(0)} MB at most`,
  );
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.exitCode ?? once(child, "close")));
  await rm(home, { recursive: true, force: true });
  agent.destroy();
}
