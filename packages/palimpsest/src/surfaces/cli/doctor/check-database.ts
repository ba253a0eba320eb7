import { workKinds } from "@palimpsest/core/internal";
import { migrations } from "@palimpsest/core/internal/postgres";
import type { Clock, WorkItem, WorkKind } from "@palimpsest/core/spec";
import {
  createPostgresBackgroundWork,
  type Database,
  openDatabase,
  presentVersion,
} from "@palimpsest/core/stores/postgres";
import { formatNumber } from "../format-amount.ts";
import { type Check, checkOf, good, wrong } from "./check.ts";

/** It says how things are now: nothing is tried twice. */
const patienceMs = 0;

/** The store on Postgres and its queue. Makes and changes nothing. */
export async function checkDatabase(url: string, clock: Clock): Promise<readonly Check[]> {
  const opened = await openDatabase({ url, clock, patienceMs });
  if (!opened.ok) return [wrong("store", opened.error)];
  try {
    const version = await presentVersion(opened.value);
    const store = checkOf("store", version, (present) => schemaCheck(opened.value, present));
    if (!version.ok || version.value === 0 || version.value > migrations.length) return [store];
    return [store, ...(version.value === migrations.length ? await checkWork(opened.value, url) : [])];
  } finally {
    await opened.value.close();
  }
}

function schemaCheck({ address }: Database, present: number): Check {
  const known = migrations.length;
  if (present === known) return good("store", `${address}, schema ${present}`);
  if (present < known) {
    const message =
      present === 0 ? `${address} has no schema yet` : `${address} has schema ${present} of ${known}`;
    return {
      name: "store",
      state: "notice",
      message: `${message}: it is made by the next command that uses it`,
    };
  }
  return wrong("store", {
    message: `${address} has schema ${present}, and this program knows ${known}.`,
    fix: "Use a newer palimpsest.",
  });
}

async function checkWork(database: Database, url: string): Promise<readonly Check[]> {
  const work = createPostgresBackgroundWork({ database, url });
  const items = await work.list();
  const counts: WorkerCount[] = [];
  for (const kind of workKinds) {
    const workers = await work.workers(kind);
    if (!workers.ok) return [checkOf("jobs", items, jobsCheck), wrong("workers", workers.error)];
    counts.push({ kind, count: workers.value });
  }
  const waiting = items.ok ? items.value.filter(({ state }) => state === "waiting") : [];
  const undone = waiting.filter(({ kind }) => !hasWorker(counts, kind)).length;
  return [checkOf("jobs", items, jobsCheck), workersCheck(counts, undone)];
}

interface WorkerCount {
  readonly kind: WorkKind;
  readonly count: number;
}

const hasWorker = (counts: readonly WorkerCount[], named: string) =>
  counts.some(({ kind, count }) => kind === named && count > 0);

/** Work that waits and that nobody stands ready for is worth knowing: a worker may have been forgotten. */
function workersCheck(counts: readonly WorkerCount[], undone: number): Check {
  const numbers = new Set(counts.map(({ count }) => count));
  const [same = 0] = numbers;
  const each = counts.map(({ kind, count }) => `${count} for ${kind}`).join(", ");
  const there = numbers.size === 1 ? `${formatNumber(same, "worker")} at work` : `${each} at work`;
  const message = same === 0 && numbers.size === 1 ? "none: each agent does its work itself" : there;
  if (undone === 0) return good("workers", message);
  return {
    name: "workers",
    state: "notice",
    message: `${message}; nobody does what is queued (${undone})`,
    fix: "Start “palimpsest worker” on some machine.",
  };
}

function jobsCheck(items: readonly WorkItem[]): Check {
  const count = (state: WorkItem["state"]) => items.filter((item) => item.state === state).length;
  const failed = items.find(({ state }) => state === "failed");
  const message = `${count("waiting")} waiting, ${count("running")} running, ${count("failed")} failed`;
  if (!failed) return good("jobs", message);
  return wrong("jobs", {
    message: `${message}; ${failed.key ?? failed.id}: ${failed.lastError ?? "it was given up"}`,
    fix: "“palimpsest worker --list” shows them; --stop ID removes one.",
  });
}
