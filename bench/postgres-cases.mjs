import { createRuntime } from "../packages/core/build/runtime.js";
import { createPostgresLeaseStore } from "../packages/core/build/stores/postgres/leases/lease-store.js";
import { createPostgresLogStore } from "../packages/core/build/stores/postgres/log/log-store.js";
import { createPostgresMailbox } from "../packages/core/build/stores/postgres/mailbox/mailbox.js";
import { createPostgresTree } from "../packages/core/build/stores/postgres/trees/file-tree.js";

const { clock, ids, processes } = createRuntime();
const project = "bench-00000000";
/** About what a message of a session is without its tool results. */
export const textBytes = 600;
const text = "x".repeat(textBytes);
const draft = { kind: "message", message: { type: "user", content: text } };

export function must(result) {
  if (result.ok) return result.value;
  throw result.error;
}

/** The stores of one process on a database. */
export function storesOn(database) {
  const parts = { database, project, clock, ids, processes };
  const leases = createPostgresLeaseStore(parts);
  const writer = { pid: process.pid, host: "bench", version: "0.0.0" };
  return {
    logs: createPostgresLogStore({ ...parts, leases, writer }),
    tree: createPostgresTree({ ...parts, tree: "memory" }),
    openMailbox: () => createPostgresMailbox(parts),
  };
}

let made = 0;
const header = (session) => ({ kind: "session", session: { id: session, project } });
const fresh = (name) => {
  made += 1;
  return `${name}-${made}`;
};

async function appendTo(logCount, callers, { logs }) {
  const writers = [];
  for (let at = 0; at < logCount; at += 1) writers.push(must(await logs.create(header(fresh("log")))));
  return {
    work: async (caller) => void must(await writers[caller % logCount].append([draft])),
    end: async () => void (await Promise.all(writers.map((writer) => writer.close()))),
    callers,
  };
}

/** Every opening adds an entry: many sessions in turn, so that they stay about as long as they were. */
const sessionsInTurn = 100;

async function openSessions(callers, isClosingTimed, { logs }) {
  const sessions = Array.from({ length: callers * sessionsInTurn }, () => fresh("opened"));
  for (const session of sessions) {
    const writer = must(await logs.create(header(session)));
    must(await writer.append(Array.from({ length: 20 }, () => draft)));
    must(await writer.close());
  }
  const turns = Array.from({ length: callers }, () => 0);
  const work = async (caller) => {
    turns[caller] = (turns[caller] + 1) % sessionsInTurn;
    const session = sessions[caller * sessionsInTurn + turns[caller]];
    return closing(must(await logs.open(session, () => undefined)), isClosingTimed);
  };
  return { work, end: async () => undefined, callers };
}

async function closing(writer, isTimed) {
  const close = async () => void must(await writer.close());
  if (!isTimed) return close;
  return close();
}

async function createSessions(callers, isClosingTimed, { logs }) {
  const work = async () => closing(must(await logs.create(header(fresh("created")))), isClosingTimed);
  return { work, end: async () => undefined, callers };
}

const mailOf = (from, to) => ({ id: fresh("mail"), from, to, at: new Date().toISOString(), body: text });

/** Each sender has a receiver, as parents and agents have. */
async function sendMail(callers, { openMailbox }) {
  const lanes = Array.from({ length: callers }, () => ({ mailbox: openMailbox(), to: "", left: 0 }));
  const work = async (caller) => {
    const lane = lanes[caller];
    // A mailbox that nobody empties is full some day.
    if (lane.left === 0) Object.assign(lane, { to: fresh("receiver"), left: 500 });
    lane.left -= 1;
    must(await lane.mailbox.send(mailOf("sender", lane.to)));
  };
  return { work, end: async () => undefined, callers };
}

async function passMail(callers, batch, { openMailbox }) {
  const lanes = Array.from({ length: callers }, () => ({ mailbox: openMailbox(), to: fresh("receiver") }));
  const work = async (caller) => {
    const { mailbox, to } = lanes[caller];
    await Promise.all(
      Array.from({ length: batch }, async () => must(await mailbox.send(mailOf("sender", to)))),
    );
    const mails = must(await mailbox.take(to, batch));
    if (mails.length !== batch) throw new Error(`${mails.length} of ${batch} mails came`);
    must(
      await mailbox.acknowledge(
        to,
        mails.map(({ id }) => id),
      ),
    );
  };
  return { work, end: async () => undefined, callers, perWork: batch };
}

async function writeTree(callers, { tree }) {
  const paths = Array.from({ length: callers }, () => `${fresh("path")}.md`);
  const versions = paths.map(() => 0);
  const work = async (caller) => {
    const given = { author: "agent", expect: versions[caller] };
    versions[caller] = must(await tree.write(paths[caller], text, given)).version;
  };
  return { work, end: async () => undefined, callers };
}

/** What is measured; `atLeast` of a raw INSERT of the same bytes by as many callers. */
export const cases = [
  { name: "append, 1 caller, 1 log", start: (stores) => appendTo(1, 1, stores), atLeast: 0.5 },
  { name: "append, 10 callers, 1 log", start: (stores) => appendTo(1, 10, stores), atLeast: 0.5 },
  { name: "append, 10 callers, 10 logs", start: (stores) => appendTo(10, 10, stores), atLeast: 0.5 },
  { name: "tree write, 1 caller", start: (stores) => writeTree(1, stores), atLeast: 0.5 },
  { name: "tree write, 10 callers, 10 paths", start: (stores) => writeTree(10, stores), atLeast: 0.5 },
  { name: "mail sent, 1 caller", start: (stores) => sendMail(1, stores), atLeast: 0.5 },
  { name: "mail sent, 10 callers", start: (stores) => sendMail(10, stores), atLeast: 0.5 },
  { name: "mail sent, taken, acknowledged, one by one", start: (stores) => passMail(1, 1, stores) },
  { name: "mail sent, taken, acknowledged, by tens", start: (stores) => passMail(1, 10, stores) },
  { name: "session created, 1 caller", start: (stores) => createSessions(1, false, stores), atLeast: 0.5 },
  { name: "session opened, 1 caller", start: (stores) => openSessions(1, false, stores), atLeast: 0.5 },
  { name: "session opened, 10 callers", start: (stores) => openSessions(10, false, stores), atLeast: 0.5 },
  { name: "session created and closed, 1 caller", start: (stores) => createSessions(1, true, stores) },
  { name: "session opened and closed, 1 caller", start: (stores) => openSessions(1, true, stores) },
];
