import { Worker } from "node:worker_threads";
import { type ErrorCode, fail, ok, type Result } from "@palimpsest/core/spec";
import type { WhatIf } from "../inspected.ts";
import type { AskWhatIf, WhatIfInput } from "./what-ifs.ts";

/** What a thread is started with. */
export interface WhatIfStart extends WhatIfInput {
  readonly home: string;
  readonly folder: string;
  /** What `--store` says. */
  readonly store?: string;
}

export type WhatIfWord =
  | { readonly whatIf: WhatIf }
  | { readonly code: ErrorCode; readonly message: string; readonly fix?: string };

const maxHeapMb = 1_024;

/** Replays in a thread of its own, so that the server goes on answering. Ends with the signal. */
export function createWhatIfThreads(
  place: Pick<WhatIfStart, "home" | "folder" | "store">,
  signal: AbortSignal,
): AskWhatIf {
  return (question) =>
    new Promise<Result<WhatIf>>((resolve) => {
      const worker = new Worker(new URL("./what-if-worker.js", import.meta.url), {
        workerData: { ...question, ...place } satisfies WhatIfStart,
        resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      });
      const end = (result: Result<WhatIf>) => {
        signal.removeEventListener("abort", stop);
        void worker.terminate();
        resolve(result);
      };
      const stop = () => end(fail("aborted", "The replay was interrupted."));
      worker.on("message", (word: WhatIfWord) => end(toResult(word)));
      worker.on("error", (cause) =>
        end(
          fail("crashed", `The replay ended: ${cause.message}`, {
            fix: "The session may be too large to be replayed here; “palimpsest replay” tells more.",
            cause,
          }),
        ),
      );
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
}

function toResult(word: WhatIfWord): Result<WhatIf> {
  if ("whatIf" in word) return ok(word.whatIf);
  return fail(word.code, word.message, word.fix === undefined ? {} : { fix: word.fix });
}
