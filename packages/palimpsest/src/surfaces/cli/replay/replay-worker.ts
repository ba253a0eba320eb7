import { parentPort, workerData } from "node:worker_threads";
import {
  type Policy,
  prepareRecording,
  type ReplayOptions,
  replayRecording,
  type SessionOutcome,
} from "../../../replay/index.ts";
import { createCommandStores } from "../command-stores.ts";
import { escapeTerminal } from "../escape-terminal.ts";
import { type CommandContext, silentTerminal } from "../terminal.ts";
import { loadPolicies, loadRecording } from "./find-files.ts";

/** What a thread is started with. */
export interface WorkerStart {
  readonly home: string;
  readonly folder: string;
  /** What `--store` says. */
  readonly store?: string;
  readonly policies: string;
  readonly policyFiles: readonly string[];
  readonly options: ReplayOptions;
}

export type WorkerWord = { readonly run: string } | { readonly answer: JobAnswer };

const { home, folder, store, policies: names, policyFiles, options } = workerData as WorkerStart;
const policies = await loadPolicies(names, policyFiles, folder);

/** Never closed: they end with the thread. */
const stores = createCommandStores({ home, ...(store !== undefined && { store }) });
const context: CommandContext = {
  terminal: silentTerminal(),
  home,
  folder,
  stores: stores.open,
  now: () => Date.now(),
};
const tell = (word: WorkerWord) => parentPort?.postMessage(word);

parentPort?.on("message", (job: ReplayJob) => {
  void doJob(job, { context, policies, options, onRun: (run) => tell({ run }) }).then((answer) =>
    tell({ answer }),
  );
});

/** What a thread is asked for: to look at a file, or to replay it. */
export interface ReplayJob {
  readonly kind: "look" | "replay";
  readonly file: string;
}

export type JobAnswer =
  | {
      readonly kind: "looked";
      readonly name: string;
      readonly contentDigest: string;
      readonly requests: number;
    }
  | { readonly kind: "replayed"; readonly outcome: SessionOutcome }
  | { readonly kind: "failed"; readonly reason: string };

interface JobTools {
  readonly context: CommandContext;
  readonly policies: readonly Policy[];
  readonly options: ReplayOptions;
  readonly onRun: (policy: string) => void;
}

/** Does one job. Never throws: what goes wrong with a session is told of that session. */
export async function doJob({ kind, file }: ReplayJob, tools: JobTools): Promise<JobAnswer> {
  const { context, policies, options, onRun } = tools;
  try {
    const loaded = await loadRecording(file, context);
    if (!loaded.ok) return { kind: "failed", reason: escapeTerminal(loaded.error.message) };
    const { name, contentDigest, requests } = loaded.value;
    if (kind === "look") return { kind: "looked", name, contentDigest, requests: requests.length };
    const outcome = await replayRecording(prepareRecording(loaded.value), policies, options, onRun);
    return { kind: "replayed", outcome };
  } catch (cause) {
    return { kind: "failed", reason: escapeTerminal(cause instanceof Error ? cause.message : String(cause)) };
  }
}
