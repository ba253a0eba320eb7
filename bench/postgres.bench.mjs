// Writes on Postgres beside raw INSERTs of the same bytes by as many callers on the same server, in turns.
// npm run bench -- postgres [--rounds 5] [--ms 400] [--json]
import { parseArgs } from "node:util";
import pg from "pg";
import { createRuntime } from "../packages/core/build/runtime.js";
import { openDatabase } from "../packages/core/build/stores/postgres/database.js";
import { migrate } from "../packages/core/build/stores/postgres/migrate.js";
import { startPostgres } from "../scripts/postgres/start-postgres.mjs";
import { machineLine } from "./machine-line.mjs";
import { cases, must, storesOn, textBytes } from "./postgres-cases.mjs";
import { createReporting } from "./reporting.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: "string", default: "5" },
    ms: { type: "string", default: "400" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("postgres", values.json);
const [rounds, roundMs] = [Number(values.rounds), Number(values.ms)];
const connections = 10;
/** A message with the fields that every entry has. */
const lineBytes = textBytes + 200;

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const p99 = (numbers) => sorted(numbers)[Math.ceil(numbers.length * 0.99) - 1];

/**
 * All callers at once, each as soon as its last answer came. Gives works a second and the time of each; what a work
 * leaves to be done behind it is not timed.
 */
async function measure({ work, callers, perWork = 1 }) {
  const times = [];
  const untilMs = performance.now() + roundMs;
  async function call(caller) {
    while (performance.now() < untilMs) {
      const askedMs = performance.now();
      const behind = await work(caller);
      times.push(performance.now() - askedMs);
      await behind?.();
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const busyMs = times.reduce((sum, ms) => sum + ms, 0) / callers;
  return { perSecond: (times.length * perWork * 1000) / busyMs, times };
}

async function measureCase({ name, start, atLeast }, { stores, pool }, server) {
  const raw = Buffer.alloc(lineBytes, 120);
  const insert = async () => void (await pool.query("insert into bench_raw (content) values ($1)", [raw]));
  const ours = await start(stores);
  const rates = { ours: [], raw: [] };
  const times = { ours: [], raw: [] };
  const sides = { ours, raw: { work: insert, callers: ours.callers } };
  for (let round = -1; round < rounds; round += 1)
    for (const side of round % 2 === 0 ? ["raw", "ours"] : ["ours", "raw"]) {
      const measured = await measure(sides[side]);
      // The first round fills caches and pools.
      if (round < 0) continue;
      rates[side].push(measured.perSecond);
      times[side].push(...measured.times);
    }
  await ours.end();
  const ratio = median(rates.ours.map((rate, round) => rate / rates.raw[round]));
  const goal = atLeast === undefined ? "" : ` (goal ≥ ${atLeast})`;
  say(
    `  ${name.padEnd(44)} ${median(rates.ours).toFixed(0).padStart(6)}/s, p99 ${p99(times.ours).toFixed(1).padStart(5)} ms; raw ${median(rates.raw).toFixed(0).padStart(6)}/s, p99 ${p99(times.raw).toFixed(1).padStart(5)} ms; × ${ratio.toFixed(2)}${goal}`,
  );
  headline({ what: `${name}, ${server}`, value: median(rates.ours), unit: "per second" });
  headline({ what: `the same, p99, ${server}`, value: p99(times.ours), unit: "ms" });
  headline({ what: `the same, of raw INSERTs, ${server}`, value: ratio, unit: "×", atLeast });
}

async function measureServer(label, isDurable) {
  const server = await startPostgres({ isDurable });
  const { clock } = createRuntime();
  const database = must(await openDatabase({ url: server.url, clock, maxConnections: connections }));
  const pool = new pg.Pool({ connectionString: server.url, max: connections });
  // A connection that ends with the server has nothing more to say.
  pool.on("error", () => undefined);
  try {
    must(await migrate(database));
    await pool.query(
      "create table bench_raw (id bigint generated always as identity primary key, content bytea not null)",
    );
    say(`${label}:`);
    const parts = { stores: storesOn(database), pool };
    for (const one of cases) await measureCase(one, parts, label);
  } finally {
    await Promise.all([database.close(), pool.end()]);
    await server.stop();
  }
}

say(`postgres on ${machineLine()}, medians of ${rounds} rounds of ${roundMs} ms, ${lineBytes} bytes each`);
await measureServer("syncs to disk", true);
await measureServer("fsync off", false);
end();
