// How much memory and time it takes to resume a long log that was compacted, cleared or never touched.
// npm run bench -- resume [--mb 1024] [--state compacted] [--json]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createNodeDisk, projectSlug } from "../packages/core/build/stores/files/index.js";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";
import { states, writeLongLog } from "./write-long-log.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    mb: { type: "string", default: "1024" },
    state: { type: "string", multiple: true, default: states },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("resume", values.json);

/** The goal: so much heap, and twice the bytes of the request. */
const heapGoal = 300e6;
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

function resume(home, state, limit) {
  const script = new URL("./resume-once.mjs", import.meta.url).pathname;
  const args = [`--max-old-space-size=${limit}`, script, home, state];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0)
    throw new Error(`${state}: not resumed with ${limit} MB of heap\n${stderr.slice(0, 400)}`);
  return JSON.parse(stdout);
}

const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
try {
  const slug = await projectSlug(createNodeDisk(), home);
  if (!slug.ok) throw slug.error;
  const sessions = join(home, "projects", slug.value, "sessions");
  mkdirSync(sessions, { recursive: true });
  say(`resume on ${machineLine()}`);
  for (const state of values.state) {
    const path = join(sessions, `${state}.jsonl`);
    const log = writeLongLog(path, state, state, Number(values.mb) * 2 ** 20);
    const { requestBytes } = log;
    const goal = heapGoal + 2 * requestBytes;
    const { ms, peakHeap } = resume(home, state, Math.ceil(goal / 2 ** 20));
    rmSync(path);
    const what = `${state} log of ${megabytes(log.bytes)}`;
    headline({ what: `peak heap, ${what}`, value: peakHeap / 1e6, unit: "MB", atMost: goal / 1e6 });
    headline({ what: `peak heap of the goal, ${what}`, value: peakHeap / goal, unit: "×", atMost: 1 });
    headline({ what: `peak heap of the log's size, ${what}`, value: peakHeap / log.bytes, unit: "×" });
    headline({ what: `resume, ${what}`, value: ms, unit: "ms" });
    say(
      `  ${what}, ${log.entries} entries: ${(ms / 1000).toFixed(1)} s, peak heap ${megabytes(peakHeap)} ` +
        `(goal ${megabytes(goal)}: 300 MB and twice the request's ${megabytes(requestBytes)}), × ${(peakHeap / log.bytes).toFixed(2)} of the log`,
    );
  }
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
