import { Worker } from "node:worker_threads";
import { withinTime } from "@palimpsest/core/internal";
import { type Clock, fail, ok, type Result } from "@palimpsest/core/spec";
import { checkRunning } from "../file-outcome.ts";
import type { FoundLine, SearchRequest } from "./found-file.ts";

export interface MatchReply {
  readonly lines: readonly FoundLine[];
  readonly count: number;
}

export interface Matcher {
  /** Searches the next piece of a file: whole lines, or all of it for a search across lines. */
  match(text: string, isFirst: boolean): Promise<Result<MatchReply>>;
  close(): Promise<void>;
}

export interface MatcherSurroundings {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** For one piece of a file. */
  readonly maxMs: number;
}

const maxHeapMegabytes = 512;

/** Matches in a thread of its own, which is ended with whatever it does when the time is over or the call is aborted. */
export function createMatcher(
  { pattern, isMultiline, before, after, keeps }: SearchRequest,
  { clock, signal, maxMs }: MatcherSurroundings,
): Matcher {
  const worker = new Worker(new URL("./match-worker.js", import.meta.url), {
    workerData: { ...pattern.javascript, isMultiline, before, after, keeps },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  let broken: Error | undefined;
  let hasEnded = false;
  worker.on("error", (error) => {
    broken = error;
  });
  worker.on("exit", () => {
    hasEnded = true;
  });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end);
  return {
    async match(text, isFirst) {
      const answered = hasEnded ? undefined : await answerInTime({ text, isFirst });
      if (answered) return ok(answered);
      const running = checkRunning(signal);
      if (!running.ok) return running;
      if (broken && isMissing(broken)) {
        return fail("not-found", "Searching needs a file of palimpsest that is not here: match-worker.js.", {
          cause: broken,
          fix: "Install ripgrep, or leave palimpsest out of the bundle (as an external package).",
        });
      }
      const message = broken
        ? `The pattern could not be run: ${broken.message}.`
        : `The pattern took over ${maxMs} ms.`;
      return fail("timeout", message, {
        fix: "Make it simpler: without repetitions inside repetitions, or with fewer alternatives.",
      });
    },
    async close() {
      signal.removeEventListener("abort", end);
      await worker.terminate();
    },
  };

  async function answerInTime(question: object): Promise<MatchReply | undefined> {
    const reply = replyOf(worker);
    worker.postMessage(question);
    return withinTime(reply, maxMs, clock);
  }
}

/** Bundlers may leave the thread's file behind. */
function isMissing(error: Error): boolean {
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code));
}

/** Nothing, where the thread ended instead. */
function replyOf(worker: Worker): Promise<MatchReply | undefined> {
  return new Promise((resolve) => {
    const settle = (reply: MatchReply | undefined) => {
      worker.off("message", settle);
      worker.off("exit", ended);
      resolve(reply);
    };
    const ended = () => settle(undefined);
    worker.on("message", settle);
    worker.on("exit", ended);
  });
}
