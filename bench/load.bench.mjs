// Load and growth on Postgres: bytes of each table and index per session, and how long appends and openings take as the
// tables grow, with the arithmetic for 10^6 sessions.
// npm run bench -- load [--sessions 100] [--growth 10] [--seed 1] [--json]
import { parseArgs } from "node:util";
import { createRuntime } from "../packages/core/build/runtime.js";
import { createPostgresBlobStore } from "../packages/core/build/stores/postgres/blob-store.js";
import { openDatabase } from "../packages/core/build/stores/postgres/database.js";
import { createPostgresLeaseStore } from "../packages/core/build/stores/postgres/leases/lease-store.js";
import { createPostgresLogStore } from "../packages/core/build/stores/postgres/log/log-store.js";
import { migrate } from "../packages/core/build/stores/postgres/migrate.js";
import { startPostgres } from "../scripts/postgres/start-postgres.mjs";
import { createLengths, offloadBytes, readSample, sessionLengths } from "./load-sessions.mjs";
import { machineLine } from "./machine-line.mjs";
import { must } from "./postgres-cases.mjs";
import { createReporting } from "./reporting.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    sessions: { type: "string", default: "100" },
    growth: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("load", values.json);
const [base, growth] = [Number(values.sessions), Number(values.growth)];
const million = 1_000_000;
const sessionsPerProject = 20;
const atOnce = 4;
const batch = 40;
const samples = 300;
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const p99 = (numbers) => [...numbers].sort((a, b) => a - b)[Math.ceil(numbers.length * 0.99) - 1];
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const { clock, ids, processes } = createRuntime();
const server = await startPostgres();
const database = must(await openDatabase({ url: server.url, clock }));
const sample = readSample();
const lengthOf = createLengths(Number(values.seed));

function storesOf(project) {
  const parts = { database, project, clock, ids, processes };
  const leases = createPostgresLeaseStore(parts);
  const writer = { pid: process.pid, host: "bench", version: "0.0.0" };
  return {
    logs: createPostgresLogStore({ ...parts, leases, writer }),
    blobs: createPostgresBlobStore(parts),
  };
}

const projectOf = (number) => `project-${Math.floor(number / sessionsPerProject)}`;

async function addSession(number, length) {
  const project = projectOf(number);
  const { logs, blobs } = storesOf(project);
  const session = `ses-${number}`;
  const writer = must(await logs.create({ kind: "session", session: { id: session, project } }));
  for (let at = 0; at < length - 1; at += batch) {
    const part = sample.slice(at, Math.min(at + batch, length - 1));
    for (const { blob } of part) if (blob) must(await blobs.put(session, blob));
    must(await writer.append(part.map(({ draft }) => draft)));
  }
  must(await writer.close());
}

async function growTo(from, to) {
  const lengths = Array.from({ length: to - from }, lengthOf);
  let next = 0;
  const lane = async () => {
    while (next < lengths.length) {
      const at = next;
      next += 1;
      await addSession(from + at, lengths[at]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  must(await database.query(`vacuum analyze`));
}

async function sizes() {
  const { rows } = must(
    await database.query(
      `select relname as name, pg_table_size(c.oid) as heap, pg_indexes_size(c.oid) as index
       from pg_class as c join pg_namespace as n on n.oid = relnamespace
       where n.nspname = 'palimpsest' and relkind = 'r' order by pg_total_relation_size(c.oid) desc`,
    ),
  );
  const wal = must(await database.query("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes")).rows[0]
    .bytes;
  const counted = must(
    await database.query(`select count(*) as rows, sum(length(line)) as bytes from palimpsest.entry`),
  ).rows[0];
  return { tables: rows, wal: Number(wal), entries: counted.rows, lineBytes: Number(counted.bytes ?? 0) };
}

/** One caller, a log of its own; then sessions of all there are, opened and closed. */
async function latencies(sessions) {
  const { logs } = storesOf("latency");
  const session = ids.next("ses");
  const writer = must(await logs.create({ kind: "session", session: { id: session, project: "latency" } }));
  const appends = [];
  for (let at = 0; at < samples; at += 1) {
    const askedMs = performance.now();
    must(await writer.append([sample[at].draft]));
    appends.push(performance.now() - askedMs);
  }
  must(await writer.close());
  const opens = [];
  for (let at = 0; at < Math.min(sessions, samples / 5); at += 1) {
    const number = Math.floor((at * sessions) / (samples / 5));
    const askedMs = performance.now();
    const opened = must(await storesOf(projectOf(number)).logs.open(`ses-${number}`, () => undefined));
    opens.push(performance.now() - askedMs);
    must(await opened.close());
  }
  say(
    `  at ${String(sessions).padStart(6)} sessions: append p50 ${median(appends).toFixed(2)} ms, p99 ${p99(appends).toFixed(2)} ms${opens.length > 0 ? `; open p50 ${median(opens).toFixed(2)} ms` : ""}`,
  );
  headline({ what: `append, p50, at ${sessions} sessions`, value: median(appends), unit: "ms" });
  return median(appends);
}

function report(few, many) {
  const added = base * (growth - 1);
  const per = (of) => (of(many) - of(few)) / added;
  const entries = per(({ entries: rows }) => rows);
  const lines = per(({ lineBytes }) => lineBytes);
  say(
    `per session, from the growth between ${base} and ${base * growth}: ${entries.toFixed(0)} entries, ${kilobytes(lines)} of lines`,
  );
  let total = 0;
  for (const { name } of many.tables) {
    const find = ({ tables }) => tables.find((table) => table.name === name) ?? { heap: 0, index: 0 };
    const heap = per((seen) => Number(find(seen).heap));
    const index = per((seen) => Number(find(seen).index));
    if (heap + index < 1) continue;
    total += heap + index;
    say(
      `  ${name.padEnd(12)} table ${kilobytes(heap).padStart(9)}, indexes ${kilobytes(index).padStart(8)} → × 10^6 = ${((heap + index) / 1000).toFixed(1)} GB`,
    );
    headline({ what: `${name}, table, per session`, value: heap, unit: "bytes" });
    headline({ what: `${name}, indexes, per session`, value: index, unit: "bytes" });
  }
  const wal = per((seen) => seen.wal);
  headline({ what: "all tables and indexes, per session", value: total, unit: "bytes" });
  headline({ what: "write-ahead log, per session", value: wal, unit: "bytes" });
  say(`  all          ${kilobytes(total)} × 10^6 = ${(total / 1000).toFixed(0)} GB in tables and indexes`);
  say(
    `  write-ahead  ${kilobytes(wal)} × 10^6 = ${(wal / 1000).toFixed(0)} GB written over their lives, which backups and replicas carry`,
  );
  const find = many.tables.find(({ name }) => name === "entry");
  const perPage = many.entries / (Number(find.index) / 8192);
  const rows = entries * million;
  const levels = (count) => Math.ceil(Math.log(count) / Math.log(perPage));
  say(
    `  index of entry: ${perPage.toFixed(0)} rows a page; ${many.entries} rows are ${levels(many.entries)} levels, ${(rows / million).toFixed(0)} × 10^6 rows are ${levels(rows)}`,
  );
}

try {
  say(`load on ${machineLine()}, seed ${values.seed}, fsync off`);
  say(
    `sessions: ${sessionLengths.map(({ of20, entries }) => `${of20 * 5} % with ${entries} entries`).join(", ")} of the bundled session; entries over ${offloadBytes} bytes have a blob`,
  );
  must(await migrate(database));
  await latencies(0);
  await growTo(0, base);
  const few = await sizes();
  const before = await latencies(base);
  await growTo(base, base * growth);
  const many = await sizes();
  const after = await latencies(base * growth);
  headline({ what: `append at ${growth} times the sessions, of before`, value: after / before, unit: "×" });
  report(few, many);
  end();
} finally {
  await database.close();
  await server.stop();
}
