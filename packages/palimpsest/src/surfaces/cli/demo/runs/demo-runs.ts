import { Worker } from "node:worker_threads";
import { type Clock, fail } from "@palimpsest/core/spec";
import type { SessionOutcome } from "../../../../replay/index.ts";
import { playedPolicies } from "./demo-policies.ts";
import type { DemoWord } from "./demo-word.ts";
import type { DemoWorkerStart } from "./demo-worker.ts";

/** The policies of the demo, run on threads of their own. */
export interface DemoRuns {
  /** Outcomes by policy: those that there was time for. */
  readonly outcomes: Promise<ReadonlyMap<string, SessionOutcome>>;
  close(): Promise<void>;
}

export interface DemoRunsOptions {
  readonly file: string;
  readonly threads: number;
  readonly hear: (word: DemoWord) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Past this nobody waits but for what the view shows: the demo ends within a minute on a busy machine too. */
const patienceMs = 45_000;
const shownPolicies = ["identity", "engine"];

export function startDemoRuns({ file, threads, hear, signal, clock }: DemoRunsOptions): DemoRuns {
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
