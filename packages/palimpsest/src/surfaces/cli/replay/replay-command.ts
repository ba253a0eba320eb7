import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { createRuntime } from "@palimpsest/core/internal";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import {
  catalogRowName,
  htmlReport,
  markdownReport,
  modelRow,
  type PriceRow,
  type ReplayOptions,
  type ReplayReport,
  ratioRow,
  ratioRows,
  type TtlChoice,
  textReport,
} from "../../../replay/index.ts";
import { type NamedPolicies, namePolicies, withAllNames } from "../../../replay/policies/aliases.ts";
import { exitWith, orThrow, UsageError } from "../../local/or-throw.ts";
import { discoverFiles, findFiles, loadPolicies } from "../../local/sessions/find-files.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { toJson } from "../../terminal/escape-terminal.ts";
import { progressBar } from "../../terminal/meter.ts";
import { createFileSink } from "../sessions/export-sink.ts";
import { type ReplayProgress, replayFiles } from "./replay-files.ts";
import { doJob } from "./replay-job.ts";
import { createNoThreads, createThreads } from "./replay-threads.ts";

const lookBackBlocks = 20;

/** Replays sessions under policies and reports; the report is the same however many threads work on it. */
export async function runReplay(
  context: CommandContext,
  given: readonly string[],
  flags: ReplayFlags,
): Promise<void> {
  const choices = readChoices(flags, availableParallelism());
  const { policy: policyFiles = [], policies: names } = flags;
  const asked = await loadPolicies(names, policyFiles, context.folder);
  const { run: policies, names: named } = namePolicies(asked);
  const found = await findFiles(given, context.folder);
  const files = [
    ...new Set([
      ...found,
      ...(flags.discover ? await discoverFiles(await openSessionLocations(context)) : []),
    ]),
  ];
  if (files.length === 0)
    throw new UsageError(
      "there is nothing to replay; use: palimpsest replay FILES… or palimpsest replay --discover",
    );
  const { jobs, ...prices } = choices;
  const options: ReplayOptions = { ...prices, lookBackBlocks };
  const shown = createShown(context);
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
    const report = await replayFiles({ files, policies, options, threads, shown });
    await give(report, named, context, flags);
  } finally {
    await threads.close();
  }
}

/** How far the replay is, on one line, where a person is looking. */
function createShown({ terminal }: CommandContext): ReplayProgress & { run(): void } {
  let done = 0;
  let all = 0;
  const show = (what: string) => terminal.progress(progressBar(what, done, all));
  return {
    looking(files) {
      all = files;
      done = 0;
      show("reading");
    },
    looked() {
      done += 1;
      show("reading");
    },
    replaying(runs) {
      all = runs;
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

async function give(
  report: ReplayReport,
  names: NamedPolicies["names"],
  context: CommandContext,
  flags: ReplayFlags,
): Promise<void> {
  const { terminal } = context;
  if (flags.markdown !== undefined) await writeFile(context, flags.markdown, markdownReport(report));
  if (flags.html !== undefined) await writeFile(context, flags.html, htmlReport(report));
  if (flags.json) await terminal.write(toJson(withAllNames(report, { names })));
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
  readonly ttl: TtlChoice;
  readonly priceRows: readonly PriceRow[];
  readonly hasCatalogRow: boolean;
  readonly jobs: number;
}

const maxJobs = 256;

function readChoices(flags: ReplayFlags, cores: number): ReplayChoices {
  const { ttl } = flags;
  if (ttl !== "5m" && ttl !== "1h" && ttl !== "auto")
    throw new UsageError(
      `--ttl is “${ttl}”, but must be auto, 5m or 1h; use: palimpsest replay FILES… --ttl 1h`,
    );
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
