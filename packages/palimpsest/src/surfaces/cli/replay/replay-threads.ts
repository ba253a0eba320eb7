import { Worker } from "node:worker_threads";
import { fail } from "@palimpsest/core/spec";
import type { JobAnswer, ReplayJob } from "./replay-job.ts";
import type { WorkerStart, WorkerWord } from "./replay-worker.ts";

/** Does jobs, as many at once as there are threads. */
export interface ReplayThreads {
  readonly count: number;
  /** Answers in the order of the jobs. */
  run(jobs: readonly ReplayJob[], onAnswer: () => void): Promise<readonly JobAnswer[]>;
  close(): Promise<void>;
}

/** A thread's heap: sessions are large, and one is in memory at a time, with what was measured on all. */
const maxHeapMb = 1_024;

export function createThreads(
  count: number,
  start: WorkerStart,
  onRun: () => void,
  signal: AbortSignal,
): ReplayThreads {
  const workers = Array.from(
    { length: count },
    () =>
      new Worker(new URL("./replay-worker.js", import.meta.url), {
        workerData: start,
        resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      }),
  );

  function ask(worker: Worker, job: ReplayJob): Promise<JobAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        worker.off("message", hear).off("error", broken);
        signal.removeEventListener("abort", stopped);
        end();
      };
      const hear = (word: WorkerWord) => {
        if ("run" in word) onRun();
        else settle(() => resolve(word.answer));
      };
      const broken = (cause: Error) =>
        settle(() => resolve({ kind: "failed", reason: `its replay ended: ${cause.message}` }));
      const stopped = () => settle(() => reject(fail("aborted", "The replay was interrupted.").error));
      worker.on("message", hear).on("error", broken);
      signal.addEventListener("abort", stopped);
      if (signal.aborted) return stopped();
      worker.postMessage(job);
    });
  }

  return {
    count,
    async run(jobs, onAnswer) {
      const answers = new Array<JobAnswer>(jobs.length);
      let next = 0;
      await Promise.all(
        workers.map(async (worker) => {
          while (next < jobs.length) {
            const at = next;
            next += 1;
            answers[at] = await ask(worker, jobs[at] as ReplayJob);
            onAnswer();
          }
        }),
      );
      return answers;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** The same on the calling thread, one after the other. */
export function createNoThreads(doJob: (job: ReplayJob) => Promise<JobAnswer>): ReplayThreads {
  return {
    count: 1,
    async run(jobs, onAnswer) {
      const answers: JobAnswer[] = [];
      for (const job of jobs) {
        answers.push(await doJob(job));
        onAnswer();
      }
      return answers;
    },
    close: async () => undefined,
  };
}
