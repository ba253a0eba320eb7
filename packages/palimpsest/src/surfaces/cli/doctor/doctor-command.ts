import { openMemory } from "@palimpsest/core";
import { createRuntime, decideStore, workKinds } from "@palimpsest/core/internal";
import { migrations } from "@palimpsest/core/internal/postgres";
import {
  type Clock,
  type Disk,
  PalimpsestError,
  type ProjectStore,
  type Result,
  type WorkItem,
  type WorkKind,
} from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import {
  createPostgresBackgroundWork,
  type Database,
  openDatabase,
  presentVersion,
} from "@palimpsest/core/stores/postgres";
import { exitWith, orThrow } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import { padText, textWidth } from "../../terminal/text-width.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import { readConfiguration } from "../config/read-configuration.ts";

export interface DoctorOptions {
  readonly json?: boolean;
}

export async function runDoctor(context: CommandContext, { json }: DoctorOptions): Promise<void> {
  const { terminal, home, store } = context;
  const { clock, environment } = createRuntime();
  const choice = orThrow(decideStore({ environment, ...(store !== undefined && { store }) }));
  const stored =
    choice.kind === "postgres"
      ? await checkDatabase(choice.url, clock)
      : [passedCheck("store", "files, in the data root")];
  // Behind a store that cannot be used there is nothing to look at.
  const isUsable = stored.every(({ name, state }) => name !== "store" || state !== "wrong");
  const checks = [
    checkNode(process.version),
    await checkDataRoot(home),
    ...stored,
    await checkSettings(context),
    ...(isUsable ? await checkProject(context) : []),
  ];
  const isGood = checks.every(({ state }) => state !== "wrong");
  await terminal.write(json ? toJson({ isGood, checks }) : `${checkLines(checks, terminal).join("\n")}\n`);
  if (!isGood) exitWith("failed");
}

function checkLines(checks: readonly Check[], { style, columns }: Terminal): readonly string[] {
  const marks = { good: style.green("✓"), notice: style.yellow("!"), wrong: style.red("✗") };
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, state, message, fix }) => {
    const head = `${marks[state]} ${style.bold(padText(name, width))}  `;
    const indent = " ".repeat(textWidth(head));
    return [message, ...(fix === undefined ? [] : [`fix: ${fix}`])].flatMap((text, index) =>
      wrapBehind(index === 0 ? head : indent, escapeTerminal(text), columns),
    );
  });
}

const leastNode = [20, 19] as const;

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  if (isEnough) return passedCheck("node", version);
  return failedCheck("node", {
    message: `${version} is too old.`,
    fix: `Use Node.js ${leastNode.join(".")} or newer.`,
  });
}

/** A data root that is not there yet is made by the first command that needs it. */
async function checkDataRoot(home: string, disk: Disk = createNodeDisk()): Promise<Check> {
  const stat = await disk.stat(home);
  if (!stat.ok && stat.error.code === "not-found")
    return { name: "data root", state: "notice", message: `${home} is not there yet` };
  if (!stat.ok) return failedCheck("data root", stat.error);
  const path = `${home}/.doctor-${process.pid}`;
  const file = await disk.open(path, "create");
  if (!file.ok)
    return failedCheck("data root", {
      message: `Nothing can be written in ${home}: ${file.error.message}`,
      fix: "Give yourself the right to write there, or set PALIMPSEST_HOME.",
    });
  await file.value.close();
  await disk.remove(path);
  return passedCheck("data root", home);
}

/** The settings of this folder: where they are in error no session opens. */
async function checkSettings(context: CommandContext): Promise<Check> {
  const { survey, warnings } = await readConfiguration(context, undefined);
  const broken = survey.files.flatMap(({ found }) => (found.ok ? [] : [found.error.message]));
  const [first, ...others] = [...broken, ...survey.problems.map(({ message }) => message)]
    .join("\n")
    .split("\n")
    .filter((line) => line !== "");
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` … and ${others.length} more`;
    return failedCheck("settings", { message: `${first}${more}`, fix: "palimpsest config shows all of it" });
  }
  const read = survey.files.filter(({ found }) => found.ok && found.value !== undefined).length;
  if (warnings.length === 0) return passedCheck("settings", formatNumber(read, "file"));
  const said = `${formatNumber(read, "file")}, ${formatNumber(warnings.length, "warning")}: palimpsest config shows them`;
  return { name: "settings", state: "notice", message: said };
}

/** The leases of this project's sessions, and the health of its memories. */
async function checkProject(context: CommandContext): Promise<readonly Check[]> {
  try {
    const locations = await openSessionLocations(context);
    const project = orThrow(await locations.currentProject());
    const store = locations.store(project);
    const { logs, leases } = store;
    const sessions = orThrow(await logs.list());
    const held = await Promise.all(sessions.map(({ session }) => leases.holder(session)));
    const open = held.filter((holder) => holder.ok && holder.value !== null).length;
    const damaged = sessions.filter(({ problem }) => problem !== undefined);
    const said = `${formatNumber(sessions.length, "session")}, ${open} open now`;
    const [first] = damaged;
    const sessionCheck: Check = first
      ? failedCheck("sessions", {
          message: `${said}, ${damaged.length} damaged, such as ${first.session}: ${first.problem}`,
          fix: `palimpsest sessions repair ${first.session}`,
        })
      : passedCheck("sessions", said);
    return [sessionCheck, await checkMemories(context, store)];
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return [failedCheck("sessions", cause)];
    throw cause;
  }
}

async function checkMemories({ home, folder: cwd }: CommandContext, store: ProjectStore): Promise<Check> {
  const memory = await openMemory({ home, store, project: store.project, cwd });
  try {
    const { memories, findings } = await memory.doctor();
    const said = formatNumber(memories, "memory", "memories");
    if (findings.length === 0) return passedCheck("memory", said);
    const message = `${said}; ${formatNumber(findings.length, "finding")}: see palimpsest memory doctor`;
    return { name: "memory", state: "notice", message };
  } finally {
    await memory.close();
  }
}

/** It says how things are now: nothing is tried twice. */
const patienceMs = 0;

/** The store on Postgres and its queue. Makes and changes nothing. */
async function checkDatabase(url: string, clock: Clock): Promise<readonly Check[]> {
  const opened = await openDatabase({ url, clock, patienceMs });
  if (!opened.ok) return [failedCheck("store", opened.error)];
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
  if (present === known) return passedCheck("store", `${address}, schema ${present}`);
  if (present < known) {
    const message =
      present === 0 ? `${address} has no schema yet` : `${address} has schema ${present} of ${known}`;
    return {
      name: "store",
      state: "notice",
      message: `${message}: it is made by the next command that uses it`,
    };
  }
  return failedCheck("store", {
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
    if (!workers.ok) return [checkOf("jobs", items, jobsCheck), failedCheck("workers", workers.error)];
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
  if (undone === 0) return passedCheck("workers", message);
  return {
    name: "workers",
    state: "notice",
    message: `${message}; no worker runs the queued jobs (${undone})`,
    fix: "Start “palimpsest worker” on some machine.",
  };
}

function jobsCheck(items: readonly WorkItem[]): Check {
  const count = (state: WorkItem["state"]) => items.filter((item) => item.state === state).length;
  const failed = items.find(({ state }) => state === "failed");
  const message = `${count("waiting")} waiting, ${count("running")} running, ${count("failed")} failed`;
  if (!failed) return passedCheck("jobs", message);
  return failedCheck("jobs", {
    message: `${message}; ${failed.key ?? failed.id}: ${failed.lastError ?? "it was given up"}`,
    fix: "“palimpsest worker --list” shows them; --stop ID removes one.",
  });
}

/** One thing that was looked at. `notice`: worth knowing, and nothing is broken. */
interface Check {
  readonly name: string;
  readonly state: "good" | "notice" | "wrong";
  readonly message: string;
  readonly fix?: string;
}

const passedCheck = (name: string, message: string): Check => ({ name, state: "good", message });

function failedCheck(name: string, { message, fix }: Pick<PalimpsestError, "message" | "fix">): Check {
  return { name, state: "wrong", message, ...(fix !== undefined && { fix }) };
}

/** The check of a result, or the problem with it. */
function checkOf<T>(name: string, result: Result<T>, say: (value: T) => Check): Check {
  return result.ok ? say(result.value) : failedCheck(name, result.error);
}
