// One machine's process in the chaos on Postgres: appends to random sessions, writes memory, sends and takes mail, queues and
// does jobs, until it is killed or its input ends. Every acknowledgement is a line in its file before anything else is done.
// Argument: its order, as JSON.
import { openSync, writeSync } from "node:fs";
import { Logger, runOnce } from "graphile-worker";
import pg from "pg";
import { createRuntime } from "../../packages/core/build/runtime.js";
import { openDatabase } from "../../packages/core/build/stores/postgres/database.js";
import { createPostgresLeaseStore } from "../../packages/core/build/stores/postgres/leases/lease-store.js";
import { createPostgresLogStore } from "../../packages/core/build/stores/postgres/log/log-store.js";
import { createPostgresMailbox } from "../../packages/core/build/stores/postgres/mailbox/mailbox.js";
import { createPostgresTree } from "../../packages/core/build/stores/postgres/trees/file-tree.js";
import { createSeededRandom } from "../../packages/testing/build/seeded-random.js";

const order = JSON.parse(process.argv[2]);
const { url, schema, jobSchema, project, host, hosts, sessions, life, file } = order;
const random = createSeededRandom(order.seed);
const descriptor = openSync(file, "a");
const write = (record) => writeSync(descriptor, `${JSON.stringify(record)}\n`);

const runtime = createRuntime();
const { clock, ids } = runtime;
const identity = { ...(await runtime.processes.self()), host };
const processes = { ...runtime.processes, self: async () => identity };
const database = must(
  await openDatabase({ url, clock, schema, maxConnections: 8, connectMs: 3_000, patienceMs: 20_000 }),
);
const parts = { database, project, clock, ids, processes };
const leases = createPostgresLeaseStore(parts);
const logs = createPostgresLogStore({
  ...parts,
  leases,
  writer: { pid: identity.pid, host, version: "0.0.0" },
});
const tree = createPostgresTree({ ...parts, tree: "memory" });
const mailbox = createPostgresMailbox(parts);
const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 3_000 });
pool.on("error", () => undefined);
pool.on("connect", (client) => client.on("error", () => undefined));
const logger = new Logger(() => () => undefined);

process.on("unhandledRejection", (error) =>
  write({ kind: "problem", what: "rejection", code: error?.code ?? "", said: String(error?.stack ?? error) }),
);

// Waits between two tries keep no process alive.
setInterval(() => undefined, 1_000);
let isStopping = false;
process.stdin.resume().on("end", () => {
  isStopping = true;
});

function must(result) {
  if (result.ok) return result.value;
  throw result.error;
}

let marks = 0;
/** Nothing else that was ever written says this. */
function mark() {
  marks += 1;
  return `${host}.${life}.${marks}`;
}

/** What may happen to an honest caller here, and is no problem. */
const expected = new Set(["closed", "conflict", "disconnected", "exists", "fenced", "held", "overloaded"]);
function refused({ error }, what) {
  write({
    kind: expected.has(error.code) ? "refusal" : "problem",
    what,
    code: error.code,
    said: error.message,
  });
}

const writers = new Map();
const maxWriters = 25;

async function open(session) {
  const opened = await logs.open(session, () => undefined, { takeOver: true });
  const made =
    !opened.ok && opened.error.code === "not-found"
      ? await logs.create({ kind: "session", session: { id: session, project } }, { takeOver: true })
      : opened;
  if (!made.ok) return refused(made, "open");
  write({ kind: "open", session, epoch: made.value.epoch });
  writers.set(session, made.value);
}

/** Left without a word when it may no longer write. */
async function leave(session) {
  const writer = writers.get(session);
  writers.delete(session);
  await writer?.close();
}

async function append() {
  const held = [...writers.keys()];
  if (held.length < maxWriters || random.below(12) === 0) {
    const session = `ses-${random.below(sessions)}`;
    if (held.length >= maxWriters) await leave(held[random.below(held.length)]);
    if (!writers.has(session)) await open(session);
    return;
  }
  const session = held[random.below(held.length)];
  const writer = writers.get(session);
  const drafts = Array.from({ length: 1 + random.below(3) }, () => ({
    kind: "message",
    message: { type: "user", content: `${mark()} ${"x".repeat(random.below(400))}` },
  }));
  const appended = await writer.append(drafts);
  if (!appended.ok) {
    refused(appended, "append");
    return leave(session);
  }
  for (const { entry, place } of appended.value)
    write({
      kind: "entry",
      session,
      place,
      seq: entry.seq,
      epoch: entry.epoch,
      id: entry.id,
      mark: entry.message.content.split(" ")[0],
    });
}

async function remember() {
  const path = `matter-${random.below(6)}.md`;
  const present = await tree.read(path);
  if (!present.ok && present.error.code !== "not-found") return refused(present, "read");
  const text = mark();
  const written = await tree.write(path, text, {
    author: "agent",
    expect: present.ok ? present.value.version.version : 0,
  });
  if (!written.ok) return refused(written, "write");
  write({ kind: "version", path, version: written.value.version, mark: text });
}

let lastMail = null;
async function send() {
  // A mail that was not acknowledged is sent until it is; sometimes one that was, is sent again.
  const isAgain = lastMail !== null && (!lastMail.isSent || random.below(5) === 0);
  if (!isAgain) {
    const id = mark();
    const at = new Date().toISOString();
    lastMail = {
      mail: { id, from: host, to: hosts[random.below(hosts.length)], at, body: id },
      isSent: false,
    };
  }
  const { mail, isSent } = lastMail;
  const sent = await mailbox.send(mail);
  if (!sent.ok) return refused(sent, "send");
  if (!isSent) write({ kind: "sent", id: mail.id, from: mail.from, to: mail.to });
  lastMail.isSent = true;
}

/** Two machines read each mailbox. */
async function receive() {
  const to = random.below(2) === 0 ? host : hosts[(hosts.indexOf(host) + 1) % hosts.length];
  const askedAt = String(process.hrtime.bigint());
  const taken = await mailbox.take(to, 1 + random.below(8));
  if (!taken.ok) return refused(taken, "take");
  const takenAt = String(process.hrtime.bigint());
  for (const { id, from } of taken.value) write({ kind: "taken", id, from, to, askedAt, takenAt });
  if (taken.value.length === 0 || random.below(6) === 0) return;
  const mails = taken.value.map(({ id }) => id);
  const done = await mailbox.acknowledge(to, mails);
  if (!done.ok) return refused(done, "acknowledge");
  write({ kind: "received", to, ids: mails, at: String(process.hrtime.bigint()) });
  if (random.below(6) === 0) await mailbox.release(to);
}

async function queue() {
  const job = mark();
  const added = await database.query(
    `select id from "${jobSchema}".add_job('matter', json_build_object('job', $1::text), job_key := $1::text)`,
    [job],
    { isRepeatable: true },
  );
  if (!added.ok) return refused(added, "queue");
  write({ kind: "queued", job });
}

async function doJobs() {
  const taskList = {
    async matter({ job }) {
      const done = await database.query(
        `insert into ${database.schema}.effect as e (job, runs) values ($1, 1)
         on conflict (job) do update set runs = e.runs + 1`,
        [job],
        { isRepeatable: true },
      );
      must(done);
      write({ kind: "done", job });
    },
  };
  try {
    await runOnce({
      ...{ pgPool: pool, schema: jobSchema, taskList, logger },
      noHandleSignals: true,
      noPreparedStatements: true,
      // Without a batch, a cut while a job is being completed ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
  } catch (error) {
    write({ kind: "refusal", what: "jobs", code: "disconnected", said: String(error?.message ?? error) });
  }
}

/** Several at a time, but one at a time of what must be in order. */
const loops = [append, append, append, remember, remember, send, receive, queue];
async function loop(work) {
  while (!isStopping) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
async function jobLoop() {
  while (!isStopping) {
    await doJobs();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

try {
  await Promise.all([...loops.map(loop), jobLoop()]);
  for (const session of [...writers.keys()]) await leave(session);
  for (const to of hosts) await mailbox.release(to);
  write({ kind: "end" });
} catch (error) {
  write({ kind: "problem", what: "thrown", code: error?.code ?? "", said: String(error?.stack ?? error) });
}
process.exit(0);
