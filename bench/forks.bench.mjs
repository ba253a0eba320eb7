// What a fork costs at 200,000 tokens: opening it beside preparing the parent's request, with a short and a long log
// behind the same view, and how much of its prompt the cache serves, alone and ten at once, by the emulator's count.
// npm run bench -- forks [--tokens 200000] [--forks 30] [--json]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSession as openContext } from "../packages/core/build/session/open-session.js";
import { openSession } from "../packages/palimpsest/build/loop/open-session.js";
import { anthropic } from "../packages/palimpsest/build/models/anthropic/index.js";
import { createEmulator, say as saying } from "../packages/testing/build/index.js";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    tokens: { type: "string", default: "200000" },
    forks: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("forks", values.json);

const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const line = "  const settled = await queue.append(lines); // one write for all who wait\n";
const roundBytes = 2000;
const wide = { capabilities: { "*": { contextWindow: 1_000_000 } } };
const settings = { catalog: wide };
let made = 0;

async function addRound(session) {
  made += 1;
  const id = `toolu_${made}`;
  const use = { type: "tool_use", id, name: "Read", input: { file_path: `src/part-${made}.ts` } };
  await session.add({ role: "assistant", id: `msg_${made}`, content: [{ type: "text", text: "On." }, use] });
  const content = `${made} ${line.repeat(Math.ceil(roundBytes / line.length))}`;
  await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
}

async function fill(session) {
  await session.add({ role: "user", content: "Read the whole source." });
  const rounds = Math.ceil((Number(values.tokens) * 3) / roundBytes);
  for (let round = 0; round < rounds; round += 1) await addRound(session);
}

/** Compacts everything when it is told to. */
function compactingLayer() {
  let isDue = false;
  return {
    compactNext() {
      isDue = true;
    },
    id: "bench",
    moments: ["before-request"],
    decide(view) {
      if (!isDue) return { verdict: "skip", reason: "not told" };
      isDue = false;
      return {
        verdict: "act",
        command: view.head,
        run: "inline",
        reason: "told",
        frees: 0,
        basis: view.head,
      };
    },
    apply: async (basis) => ({ ok: true, value: [{ kind: "decision", decision: compaction(basis) }] }),
  };
}

const compaction = (basis) => ({
  type: "compact",
  layer: "bench",
  reason: "told",
  frees: 0,
  basis,
  trigger: "auto",
  strategy: "bench",
  tokensBefore: 2,
  tokensAfter: 1,
  summary: { type: "user", content: "What went before." },
  covers: "",
  attachments: [],
  discoveredTools: [],
});

/** A session whose forks are opened and not run. */
async function openForkable(id, layer) {
  let handle;
  const loop = {
    fork: async (given) => {
      handle = given;
      return { ok: true, value: {} };
    },
    run: () => [],
    queue: () => undefined,
    count: async () => ({ ok: true, value: {} }),
    surroundings: () => ({}),
    close: async () => undefined,
  };
  const options = {
    home,
    cwd: home,
    id,
    system: "Be brief.",
    durability: "relaxed",
    layers: [layer],
    settings,
  };
  const session = await openContext({ ...options, loop });
  await session.fork("Show yourself.", { kind: "notes" });
  return { session, handle };
}

async function measureOpening(name, hidden) {
  const layer = compactingLayer();
  const { session, handle } = await openForkable(`opening-${hidden}`, layer);
  for (let times = 0; times < hidden; times += 1) {
    await fill(session);
    layer.compactNext();
    await session.prepare();
  }
  await fill(session);
  const { count, blocks } = (await session.prepare()).report;
  const times = { open: [], prepare: [], add: [] };
  for (let fork = 0; fork < Number(values.forks); fork += 1) {
    const started = performance.now();
    await addRound(session);
    const added = performance.now();
    await session.prepare();
    const prepared = performance.now();
    const forked = await handle.fork("notes");
    times.add.push(added - started);
    times.prepare.push(prepared - added);
    times.open.push(performance.now() - prepared);
    if (!forked.ok) throw forked.error;
    await forked.value.session.close();
  }
  await session.close();
  const [open, prepare, add] = [median(times.open), median(times.prepare), median(times.add)];
  headline({ what: `open a fork, p50, ${name}`, value: open, unit: "ms" });
  headline({
    what: `the same, of preparing the parent's request, ${name}`,
    value: open / prepare,
    unit: "×",
  });
  say(`${name}: ${blocks} blocks, about ${count.tokens} tokens`);
  say(`  open a fork                p50 ${open.toFixed(3)} ms`);
  say(
    `  prepare the parent's       p50 ${prepare.toFixed(3)} ms: a fork is × ${(open / prepare).toFixed(2)}`,
  );
  say(
    `  add a round, and prepare   p50 ${(add + prepare).toFixed(3)} ms: × ${(open / (add + prepare)).toFixed(2)}`,
  );
}

async function measureCache() {
  const emulator = await createEmulator({ script: () => saying("Understood."), catalog: wide });
  const model = anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "anything" });
  const session = await openSession({ home, cwd: home, id: "cache", model, layers: [], settings });
  await fill(session);
  for await (const _ of session.run("Say when you are done."));
  const one = await session.fork("Sum it up.", { kind: "notes" });
  const directives = Array.from({ length: 10 }, (_, index) => `Look at side ${index}.`);
  const ten = await Promise.all(directives.map((directive) => session.fork(directive, { kind: "agent" })));
  await session.close();
  await emulator.close();
  const percent = (share) => `${(share * 100).toFixed(2)} %`;
  const least = Math.min(...ten.map(({ cache }) => cache.share));
  headline({
    what: "prompt of one fork read from the cache",
    value: one.cache.share * 100,
    unit: "%",
    atLeast: 99,
  });
  headline({
    what: "least of ten forks at once read from the cache",
    value: least * 100,
    unit: "%",
    atLeast: 99,
  });
  say(`cache: ${one.cache.promptTokens} tokens of prompt, ${percent(one.cache.share)} read from the cache`);
  say(`  ten at once: at least ${percent(least)} each (goal ≥ 99 %)`);
}

try {
  say(`forks on ${machineLine()}`);
  await measureOpening("log as long as the view", 0);
  await measureOpening("log five times as long", 4);
  await measureCache();
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
