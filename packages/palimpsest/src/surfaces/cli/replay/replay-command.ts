import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { createRuntime } from "@palimpsest/core/internal";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import {
  buildReport,
  catalogRowName,
  type Gathered,
  htmlReport,
  markdownReport,
  modelRow,
  type PriceRow,
  type ReplayOptions,
  type ReplayReport,
  ratioRow,
  ratioRows,
  textReport,
} from "../../../replay/index.ts";
import { escapeTerminal, toJson } from "../escape-terminal.ts";
import { exitWith, orThrow, UsageError } from "../or-throw.ts";
import { createFileSink } from "../sessions/export-sink.ts";
import { openSessionLocations } from "../sessions/session-locations.ts";
import type { CommandContext } from "../terminal.ts";
import { discoverFiles, findFiles, loadPolicies } from "./find-files.ts";
import { doJob } from "./replay-job.ts";
import { createNoThreads, createThreads, progressBar, type ReplayThreads } from "./replay-threads.ts";

const lookBackBlocks = 20;

/** Replays sessions under policies and reports; the report is the same however many threads work on it. */
export async function runReplay(
  context: CommandContext,
  named: readonly string[],
  flags: ReplayFlags,
): Promise<void> {
  const choices = readChoices(flags, availableParallelism());
  const { policy: policyFiles = [], policies: names } = flags;
  const policies = await loadPolicies(names, policyFiles, context.folder);
  const given = await findFiles(named, context.folder);
  const files = [
    ...new Set([
      ...given,
      ...(flags.discover ? await discoverFiles(await openSessionLocations(context)) : []),
    ]),
  ];
  if (files.length === 0)
    throw new UsageError(
      "there is nothing to replay; use: palimpsest replay FILES… or palimpsest replay --discover",
    );
  const { ttl, priceRows, hasCatalogRow } = choices;
  const options: ReplayOptions = { ttl, priceRows, hasCatalogRow, lookBackBlocks };
  const shown = createShown(context, policies.length);
  const jobs = Math.min(choices.jobs, files.length);
  const boxed = policies.filter((_, at) => at < policies.length - policyFiles.length);
  const threads =
    jobs > 1
      ? createThreads(
          jobs,
          {
            home: context.home,
            folder: context.folder,
            ...(context.store !== undefined && { store: context.store }),
            policies: boxed.map(({ name }) => name).join(","),
            policyFiles,
            options,
          },
          shown.run,
          context.terminal.signal,
        )
      : createNoThreads((job) => doJob(job, { context, policies, options, onRun: shown.run }));
  try {
    const gathered = await gather(files, threads, shown);
    const rowNames = [...priceRows.map(({ name }) => name), ...(hasCatalogRow ? [catalogRowName] : [])];
    const report = buildReport({
      ...gathered,
      ttl,
      priceRows: rowNames,
      policies: policies.map(({ name }) => name),
      files: files.length,
    });
    await give(report, context, flags);
  } finally {
    await threads.close();
  }
}

type ReplayOutput = ReturnType<typeof createShown>;

/** How far the replay is, on one line, where a person is looking. */
function createShown({ terminal }: CommandContext, policies: number) {
  let done = 0;
  let all = 0;
  const show = (what: string) => terminal.progress(progressBar(what, done, all));
  return {
    looking(files: number) {
      all = files;
      done = 0;
      show("reading");
    },
    looked() {
      done += 1;
      show("reading");
    },
    replaying(sessions: number) {
      all = sessions * policies;
      done = 0;
      show("replaying");
    },
    run() {
      done += 1;
      show("replaying");
    },
    ended: () => terminal.progress(""),
  };
}

/** Looks at every file, then replays each session once: the longest first, so that no thread waits for the last. */
async function gather(
  files: readonly string[],
  threads: ReplayThreads,
  shown: ReplayOutput,
): Promise<Pick<Gathered, "outcomes" | "unreadable" | "duplicates">> {
  shown.looking(files.length);
  const looked = await threads.run(
    files.map((file) => ({ kind: "look", file })),
    shown.looked,
  );
  const unreadable: { readonly name: string; readonly reason: string }[] = [];
  const duplicates: { readonly name: string; readonly sameAs: string }[] = [];
  const first = new Map<string, string>();
  const sessions: { readonly file: string; readonly requests: number }[] = [];
  for (const [at, answer] of looked.entries()) {
    const file = files[at] as string;
    if (answer.kind === "failed")
      unreadable.push({ name: escapeTerminal(basename(file)), reason: answer.reason });
    if (answer.kind !== "looked") continue;
    const twin = first.get(answer.contentDigest);
    if (twin === undefined) sessions.push({ file, requests: answer.requests });
    else duplicates.push({ name: answer.name, sameAs: twin });
    first.set(answer.contentDigest, twin ?? answer.name);
  }
  sessions.sort((one, other) => other.requests - one.requests || (one.file < other.file ? -1 : 1));
  shown.replaying(sessions.length);
  const replayed = await threads.run(
    sessions.map(({ file }) => ({ kind: "replay", file })),
    () => undefined,
  );
  shown.ended();
  const outcomes = replayed.flatMap((answer, at) => {
    if (answer.kind === "replayed") return [answer.outcome];
    const reason = answer.kind === "failed" ? answer.reason : "it was not replayed";
    unreadable.push({ name: escapeTerminal(basename(sessions[at]?.file ?? "")), reason });
    return [];
  });
  return { outcomes, unreadable, duplicates };
}

async function give(report: ReplayReport, context: CommandContext, flags: ReplayFlags): Promise<void> {
  const { terminal } = context;
  if (flags.markdown !== undefined) await writeFile(context, flags.markdown, markdownReport(report));
  if (flags.html !== undefined) await writeFile(context, flags.html, htmlReport(report));
  if (flags.json) await terminal.write(toJson(report));
  else await terminal.write(`${textReport(report).join("\n")}\n`);
  if (report.sessions.measured === 0) exitWith("failed");
}

/** Whole, or not at all; a report that is there is replaced. */
async function writeFile(context: CommandContext, name: string, text: string): Promise<void> {
  const disk = createNodeDisk();
  const { ids } = createRuntime();
  const path = resolve(context.folder, name);
  const sink = orThrow(await createFileSink(disk, ids, path, { force: true }));
  try {
    orThrow(await sink.write(Buffer.from(text)));
    orThrow(await sink.commit());
  } finally {
    await sink.discard();
  }
  context.terminal.say(`wrote ${path}`);
}

interface ReplayFlags {
  readonly discover?: boolean;
  readonly policies?: string;
  readonly policy?: readonly string[];
  readonly prices?: string;
  readonly ttl: string;
  readonly jobs?: string;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
}

/** The options, checked. */
interface ReplayChoices {
  readonly ttl: "5m" | "1h";
  readonly priceRows: readonly PriceRow[];
  readonly hasCatalogRow: boolean;
  readonly jobs: number;
}

const maxJobs = 256;

function readChoices(flags: ReplayFlags, cores: number): ReplayChoices {
  const { ttl } = flags;
  if (ttl !== "5m" && ttl !== "1h")
    throw new UsageError(`--ttl is “${ttl}”, but must be 5m or 1h; use: palimpsest replay FILES… --ttl 1h`);
  return { ttl, jobs: readJobs(flags.jobs, cores), ...readPrices(flags.prices) };
}

function readJobs(jobs: string | undefined, cores: number): number {
  if (jobs === undefined) return Math.max(1, cores);
  const count = /^\d+$/.test(jobs) ? Number(jobs) : 0;
  if (count >= 1 && count <= maxJobs) return count;
  throw new UsageError(
    `--jobs is “${jobs}”, but must be a number from 1 to ${maxJobs}; use: palimpsest replay FILES… --jobs 2`,
  );
}

function readPrices(given: string | undefined): Pick<ReplayChoices, "priceRows" | "hasCatalogRow"> {
  if (given === undefined) return { priceRows: ratioRows, hasCatalogRow: true };
  const names = [...new Set(given.split(",").map((name) => name.trim()))];
  const rows = names.filter((name) => name !== catalogRowName).map(readRow);
  return { priceRows: rows, hasCatalogRow: names.includes(catalogRowName) };
}

function readRow(name: string): PriceRow {
  const ratio = /^\d*\.?\d+$/.test(name) ? Number(name) : Number.NaN;
  if (ratio > 0 && ratio <= 1) return ratioRow(ratio);
  const row = Number.isNaN(ratio) ? modelRow(name) : null;
  if (row) return row;
  throw new UsageError(
    `--prices: “${name}” is neither a part of input (over 0, up to 1), nor a known model, nor catalog; use: palimpsest replay FILES… --prices 0.1,0.05,catalog`,
  );
}
