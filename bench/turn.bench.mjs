// What a turn costs at 200,000 tokens: add + prepare with nothing due, beside JSON.stringify of the same request.
// npm run bench -- turn [--tokens 200000] [--turns 200] [--json]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSession } from "../packages/core/build/session/open-session.js";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    tokens: { type: "string", default: "200000" },
    turns: { type: "string", default: "200" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("turn", values.json);

const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const line = "  const settled = await queue.append(lines); // one write for all who wait\n";

async function round(session, number, bytes) {
  const id = `toolu_${number}`;
  const use = { type: "tool_use", id, name: "Read", input: { file_path: `src/part-${number}.ts` } };
  await session.add({
    role: "assistant",
    id: `msg_${number}`,
    content: [{ type: "text", text: "Reading on." }, use],
  });
  const content = line.repeat(Math.ceil(bytes / line.length));
  await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
}

const nothingDue = { microcompact: { economicMinBatchTokens: 100_000_000 } };
const variants = [
  { name: "no layers", options: { layers: [] } },
  { name: "usual layers, nothing due", options: { settings: nothingDue } },
];

async function open(id, options) {
  const session = await openSession({
    home,
    cwd: home,
    id,
    model: "claude-sonnet-4-5[1m]",
    system: "Be brief.",
    durability: "relaxed",
    ...options,
  });
  await session.add({ role: "user", content: "Read the whole source." });
  const wanted = Number(values.tokens) * 3;
  for (let number = 0, bytes = 0; bytes < wanted; number += 1, bytes += 2000)
    await round(session, number, 2000);
  return session;
}

async function measureTurns({ name, options }, at) {
  const session = await open(`turns-${at}`, options);
  const full = (await session.prepare()).report;
  const times = { add: [], prepare: [], stringify: [] };
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    const started = performance.now();
    await round(session, 1_000_000 + turn, 300);
    const added = performance.now();
    const { request } = await session.prepare();
    const prepared = performance.now();
    JSON.stringify(request);
    times.add.push((added - started) / 2);
    times.prepare.push(prepared - added);
    times.stringify.push(performance.now() - prepared);
  }
  await session.close();
  const { blocks, messages, count } = full;
  say(`${name}: ${blocks} blocks, ${messages} messages, about ${count.tokens} tokens (${count.source})`);
  for (const [part, all] of Object.entries(times))
    say(`  ${part.padEnd(26)} p50 ${median(all).toFixed(3)} ms`);
  const both = median(times.add.map((add, index) => add + times.prepare[index]));
  const ratio = both / median(times.stringify);
  headline({ what: `add + prepare, p50, ${name}`, value: both, unit: "ms", atMost: 0.5 });
  headline({ what: `the same, of JSON.stringify of the request, ${name}`, value: ratio, unit: "×" });
  headline({ what: `tokens of the request, ${name}`, value: count.tokens, unit: "tokens" });
  say(
    `  add + prepare              p50 ${both.toFixed(3)} ms (goal ≤ 0.5), × ${ratio.toFixed(2)} of JSON.stringify`,
  );
}

/** A session is filled, and its next request clears: once a session, so several are measured. */
async function measureClearing() {
  const times = [];
  for (let at = 0; at < 7; at += 1) {
    const session = await open(`clearing-${at}`, { settings: nothingDue });
    await session.prepare();
    const started = performance.now();
    await session.clear({ targetTokens: 40_000 });
    await session.prepare();
    times.push(performance.now() - started);
    await session.close();
  }
  headline({
    what: "clearing down to 40,000 tokens, and prepare, p50",
    value: median(times),
    unit: "ms",
    atMost: 3,
  });
  say(`clearing down to 40,000 tokens, and prepare: p50 ${median(times).toFixed(3)} ms (goal ≤ 3)`);
}

try {
  say(`turn on ${machineLine()}`);
  for (const [at, variant] of variants.entries()) await measureTurns(variant, at);
  await measureClearing();
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
