import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { version } from "@palimpsest/core";
import { createRuntime, encodeEntry } from "@palimpsest/core/internal";
import { type Clock, fail, ok, type Result } from "@palimpsest/core/spec";
import {
  buildReport,
  catalogRowName,
  type Policy,
  policies,
  type ReplayReport,
  type SessionOutcome,
} from "../../../replay/index.ts";
import { namePolicies, withAllNames } from "../../../replay/policies/aliases.ts";
import { untilAborted } from "../../../signals.ts";
import { orThrow } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { toJson } from "../../terminal/escape-terminal.ts";
import { progressBar } from "../../terminal/meter.ts";
import { openInspector } from "../inspect/inspect-command.ts";
import type { DemoWorkerStart } from "./demo-worker.ts";
import { playLive } from "./live/play-live.ts";
import { createStage } from "./live/stage.ts";
import { loadSample, sampleFile } from "./load-sample.ts";
import { reportLines } from "./report-lines.ts";
import { comparedPolicies, type DemoWord, playedPolicies, shippedPolicy } from "./runs/demo-policies.ts";
import { demoOptions } from "./runs/play-policy.ts";
import type { SessionStory } from "./session-story.ts";
import { emptyDemo, reduceDemo } from "./state/demo-state.ts";

export interface DemoOptions {
  readonly json?: boolean;
  readonly fast?: boolean;
}

/** As many as do something at once; more would only read the session again. */
const maxThreads = 4;

/** Plays the bundled session through the engine, live where a person looks, and compares it with other policies. */
export async function runDemo(context: CommandContext, options: DemoOptions): Promise<void> {
  const { terminal, folder } = context;
  const { columns, style, signal } = terminal;
  const { clock, environment } = createRuntime();
  const sample = orThrow(await loadSample(sampleFile, signal));
  const { story } = sample;
  const stage = createStage(sample);
  const isWatched = terminal.isScreen && environment.TERM !== "dumb" && !options.json;
  const isLive = isWatched && !options.fast;
  let state = emptyDemo;
  let log: EngineSession["log"] | null = null;
  const runs = startDemoRuns({
    file: sampleFile,
    threads: Math.min(maxThreads, availableParallelism()),
    hear(word) {
      state = reduceDemo(state, word);
      if (word.word === "log") log = word;
      if (!isLive) terminal.progress(progressBar("replaying", state.compared, playedPolicies.length));
    },
    signal,
    clock,
  });
  try {
    if (isLive) {
      const { stdin, stdout } = process;
      await playLive({
        stage,
        state: () => state,
        ended: runs.outcomes,
        stdin,
        stdout,
        style,
        clock,
        signal,
      });
    }
    const comparison = orThrow(toReport(await runs.outcomes));
    if (options.json) {
      const named = withAllNames(comparison, namePolicies(policies.filter(isCompared)));
      return await terminal.write(toJson({ session: story, run: state, comparison: named }));
    }
    const made = isWatched && log ? await writeEngineSession({ story, cwd: stage.folder, log }) : null;
    const inspector =
      made &&
      (await openInspector({ ...context, store: "files", stores: undefined }, made.path, { port: 0 }));
    const lines = reportLines(
      { story, stage, state, summaries: comparison.policies },
      {
        columns,
        style,
        wasShown: isWatched,
        inspector: { sample: sampleFile, folder, ...(inspector && { url: inspector.url }) },
      },
    );
    await terminal.write(`${lines.join("\n")}\n`);
    if (inspector) await untilAborted(signal);
    await inspector?.close();
    await made?.remove();
  } finally {
    await runs.close();
  }
}

/** By one of its names. */
function isCompared({ name, sameAs = name }: Policy): boolean {
  return comparedPolicies.includes(sameAs);
}

/** The comparison of the policies that were run, each of which has an outcome of its own. */
export function toReport(outcomes: ReadonlyMap<string, SessionOutcome>): Result<ReplayReport> {
  const policies = comparedPolicies.filter((name) => outcomes.has(name));
  const [first] = outcomes.values();
  const runs = policies.flatMap((name) => outcomes.get(name)?.runs ?? []);
  if (!first || runs.length < policies.length)
    return fail(
      "corrupt",
      `The bundled session cannot be measured: ${first?.calibration.reason ?? "no run"}.`,
      {
        fix: "Install the package again.",
      },
    );
  return ok(
    buildReport({
      ttl: demoOptions.ttl,
      priceRows: [catalogRowName],
      policies,
      files: 1,
      outcomes: [{ ...first, runs }],
      unreadable: [],
      duplicates: [],
    }),
  );
}

interface EngineSession {
  readonly story: SessionStory;
  /** Where the recorded agent worked. */
  readonly cwd: string;
  readonly log: Extract<DemoWord, { readonly word: "log" }>;
}

interface EngineSessionFile {
  readonly path: string;
  /** With the folder that it is in. */
  remove(): Promise<void>;
}

/**
 * Writes the session that the engine made, decisions included, as a log in a folder of its own; `null` where there is
 * no room for it: the demo has nothing to lose by that.
 */
export async function writeEngineSession(made: EngineSession): Promise<EngineSessionFile | null> {
  try {
    const place = await mkdtemp(join(tmpdir(), "palimpsest-demo-"));
    const path = join(place, "session.jsonl");
    await writeFile(path, encodeSession(made), { mode: 0o600 });
    return { path, remove: () => rm(place, { recursive: true, force: true }) };
  } catch {
    return null;
  }
}

/** The whole log: a header, what the engine wrote, and the title. */
function encodeSession({ story, cwd, log }: EngineSession): Uint8Array {
  const { model, title, startedAt, endedAt } = story;
  const writer = { pid: process.pid, host: "demo", version };
  const header = encodeEntry({
    v: 1,
    seq: 1,
    epoch: 1,
    id: "session_1",
    at: startedAt,
    kind: "session",
    session: { id: "demo", project: "demo", cwd, model, writer },
  });
  const note = encodeEntry({
    v: 1,
    seq: log.lastSeq + 1,
    epoch: 1,
    id: "note_title",
    at: endedAt,
    kind: "note",
    note: { topic: "title", title: `${title} (as the engine keeps it)` },
  });
  return Buffer.concat([header, log.lines, note]);
}

/** The policies of the demo, run on threads of their own. */
interface DemoRuns {
  /** Outcomes by policy: those that there was time for. */
  readonly outcomes: Promise<ReadonlyMap<string, SessionOutcome>>;
  close(): Promise<void>;
}

interface DemoRunsOptions {
  readonly file: string;
  readonly threads: number;
  readonly hear: (word: DemoWord) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Past this nobody waits but for what the view shows: the demo ends within a minute on a busy machine too. */
const patienceMs = 45_000;
const shownPolicies = ["identity", shippedPolicy];

function startDemoRuns({ file, threads, hear, signal, clock }: DemoRunsOptions): DemoRuns {
  const start: DemoWorkerStart = { file };
  const workers = Array.from(
    { length: Math.min(threads, playedPolicies.length) },
    () => new Worker(new URL("./demo-worker.js", import.meta.url), { workerData: start }),
  );
  const outcomes = new Map<string, SessionOutcome>();
  let next = 0;
  let shown = () => {};
  const isShown = new Promise<void>((resolve) => {
    shown = resolve;
  });

  function run(worker: Worker, policy: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        worker.off("message", take).off("error", broken);
        signal.removeEventListener("abort", stopped);
        end();
      };
      const broken = (cause: Error) => settle(() => reject(cause));
      const stopped = () => settle(() => reject(fail("aborted", "The demo was interrupted.").error));
      const take = (word: DemoWord) => {
        hear(word);
        if (word.word === "failed") return broken(new Error(word.message));
        if (word.word !== "policy") return;
        outcomes.set(word.policy, word.outcome);
        settle(resolve);
      };
      worker.on("message", take).on("error", broken);
      signal.addEventListener("abort", stopped);
      if (signal.aborted) return stopped();
      worker.postMessage(policy);
    });
  }

  async function work(worker: Worker): Promise<void> {
    while (next < playedPolicies.length) {
      const policy = playedPolicies[next] as string;
      next += 1;
      await run(worker, policy);
      if (shownPolicies.every((name) => outcomes.has(name))) shown();
    }
  }

  const patience = clock.sleep(patienceMs, signal).then(() => isShown);
  const done = Promise.race([Promise.all(workers.map(work)), patience]).then(() => new Map(outcomes));
  // Whoever waits for it hears of it; nobody waits while the view plays.
  done.catch(() => undefined);
  return {
    outcomes: done,
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
