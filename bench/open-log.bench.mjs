// How long a log takes to open, beside reading the file and JSON.parse of each line, each in a process of its own.
// npm run bench -- open-log [--mb 200] [--rounds 5] [--large-mb 1024] [--json]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";
import { writeLog } from "./write-log.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    mb: { type: "string", default: "200" },
    rounds: { type: "string", default: "5" },
    "large-mb": { type: "string", default: "1024" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("open-log", values.json);

const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
const sessions = join(home, "projects", "bench-00000000", "sessions");
mkdirSync(sessions, { recursive: true });

function measure(way, session) {
  const script = new URL("./open-log-once.mjs", import.meta.url).pathname;
  const output = execFileSync(process.execPath, ["--expose-gc", script, way, home, session], {
    encoding: "utf8",
  });
  return JSON.parse(output);
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

try {
  say(`open-log on ${machineLine()}`);
  const entries = writeLog(join(sessions, "usual.jsonl"), Number(values.mb) * 1e6);
  const runs = { parse: [], open: [], scan: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const way of Object.keys(runs)) runs[way].push(measure(way, "usual"));
  }
  const bytes = statSync(join(sessions, "usual.jsonl")).size;
  say(`log: ${megabytes(bytes)}, ${entries} entries; median of ${values.rounds} rounds`);
  const base = median(runs.parse.map(({ ms }) => ms));
  for (const [way, label] of [
    ["parse", "read whole file + JSON.parse each line"],
    ["open", "open for writing (lease, checksums, order)"],
    ["scan", "open read-only"],
  ]) {
    const ms = median(runs[way].map((run) => run.ms));
    const rss = Math.max(...runs[way].map((run) => run.rss));
    headline({ what: `${label}, of ${megabytes(bytes)}`, value: ms, unit: "ms" });
    if (way !== "parse")
      headline({
        what: `${label}, of reading and parsing`,
        value: ms / base,
        unit: "×",
        ...(way === "open" && { atMost: 1.3 }),
      });
    say(
      `  ${label.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms  × ${(ms / base).toFixed(2)}  peak ${megabytes(rss)}`,
    );
  }
  say(`  goal: open ≤ 1.30 ×`);
  if (Number(values["large-mb"]) > 0) {
    const large = join(sessions, "large.jsonl");
    writeLog(large, Number(values["large-mb"]) * 1024 * 1024);
    const run = measure("open", "large");
    const size = megabytes(statSync(large).size);
    headline({ what: `open ${size}`, value: run.ms, unit: "ms" });
    headline({ what: `peak memory, open ${size}`, value: run.rss / 1e6, unit: "MB", atMost: 300 });
    say(`log: ${size}: opens in ${(run.ms / 1000).toFixed(1)} s, peak ${megabytes(run.rss)} (goal < 300 MB)`);
  }
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
