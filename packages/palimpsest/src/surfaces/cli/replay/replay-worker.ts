import { parentPort, workerData } from "node:worker_threads";
import type { ReplayOptions } from "../../../replay/index.ts";
import { createCommandStores } from "../../local/command-stores.ts";
import { loadPolicies } from "../../local/sessions/find-files.ts";
import { type CommandContext, silentTerminal } from "../../local/terminal.ts";
import { doJob, type JobAnswer, type ReplayJob } from "./replay-job.ts";

/** The start data of a thread. */
export interface WorkerStart {
  readonly home: string;
  readonly folder: string;
  /** The value of `--store`. */
  readonly store?: string;
  readonly policies: string;
  readonly policyFiles: readonly string[];
  readonly options: ReplayOptions;
}

export type WorkerWord = { readonly run: true } | { readonly answer: JobAnswer };

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
const postWord = (word: WorkerWord) => parentPort?.postMessage(word);

parentPort?.on("message", (job: ReplayJob) => {
  void doJob(job, { context, policies, options, onRun: () => postWord({ run: true }) }).then((answer) =>
    postWord({ answer }),
  );
});
