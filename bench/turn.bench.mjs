// What a turn costs at 200,000 tokens: add + prepare with nothing due, beside JSON.stringify of the same request.
// npm run bench -- turn [--tokens 200000] [--turns 200]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSession } from "../dist/engine/open-session.js";
import { machineLine } from "./machine-line.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { tokens: { type: "string", default: "200000" }, turns: { type: "string", default: "200" } },
});

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

try {
  console.log(`turn on ${machineLine()}`);
  const session = await openSession({
    home,
    cwd: home,
    id: "bench",
    model: "claude-sonnet-4-5[1m]",
    system: "Be brief.",
    durability: "relaxed",
  });
  await session.add({ role: "user", content: "Read the whole source." });
  const wanted = Number(values.tokens) * 3;
  for (let number = 0, bytes = 0; bytes < wanted; number += 1, bytes += 2000)
    await round(session, number, 2000);
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
  console.log(
    `view: ${full.blocks} blocks, ${full.messages} messages, about ${full.count.tokens} tokens (${full.count.source})`,
  );
  for (const [name, all] of Object.entries(times))
    console.log(`  ${name.padEnd(26)} p50 ${median(all).toFixed(3)} ms`);
  const both = median(times.add.map((add, index) => add + times.prepare[index]));
  console.log(
    `  add + prepare              p50 ${both.toFixed(3)} ms (goal ≤ 0.5), × ${(both / median(times.stringify)).toFixed(2)} of JSON.stringify`,
  );
  await session.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
