import { Worker } from "node:worker_threads";
import { type ErrorCode, fail, ok, type PalimpsestError, type Result } from "@palimpsest/core/spec";
import type { WhatIf } from "../inspected.ts";
import type { OpenedSession } from "../read/opened-session.ts";

interface WhatIfInput {
  /** The file of the session. */
  readonly path: string;
  readonly policy: string;
  readonly inheritedRequests: number;
}

export type AskWhatIf = (input: WhatIfInput) => Promise<Result<WhatIf>>;

/** The same session under other policies; what was worked out holds until the session has changed. */
export interface WhatIfs {
  ask(id: string, session: OpenedSession, policy: string): Promise<Result<WhatIf>>;
}

interface KnownWhatIf {
  readonly revision: string;
  readonly answer: Promise<Result<WhatIf>>;
}

const maxKnown = 64;

/** One is worked out at a time: each takes a core and the memory of a whole session. */
export function createWhatIfs(askWhatIf: AskWhatIf): WhatIfs {
  const known = new Map<string, KnownWhatIf>();
  let before: Promise<unknown> = Promise.resolve();

  return {
    async ask(id, session, policy) {
      const key = JSON.stringify([id, policy]);
      const { path, inheritedRequests, revision, requests } = session;
      if (requests === 0) return ok(emptyWhatIf(policy));
      const found = known.get(key);
      if (found?.revision === revision) return found.answer;
      const answer = before.then(() => askWhatIf({ path, policy, inheritedRequests }));
      before = answer.catch(() => undefined);
      known.delete(key);
      known.set(key, { revision, answer });
      for (const oldest of known.keys()) {
        if (known.size <= maxKnown) break;
        known.delete(oldest);
      }
      const given = await answer.catch((error: PalimpsestError): Result<never> => ({ ok: false, error }));
      if (!given.ok) known.delete(key);
      return given.ok ? ok(fitToRequests(given.value, requests)) : given;
    },
  };
}

/** A session may have grown while it was replayed. */
function fitToRequests(whatIf: WhatIf, requests: number): WhatIf {
  if (whatIf.tokens.length <= requests) return whatIf;
  return {
    ...whatIf,
    tokens: whatIf.tokens.slice(0, requests),
    dollars: whatIf.dollars.slice(0, requests),
    breaks: whatIf.breaks.filter((request) => request < requests),
  };
}

function emptyWhatIf(policy: string): WhatIf {
  const survival = { inView: 1, recall: 0, refetch: 0, lost: 0 };
  return { policy, tokens: [], dollars: [], breaks: [], survival, fetches: 0 };
}

/** The start data of a thread. */
export interface WhatIfStart extends WhatIfInput {
  readonly home: string;
  readonly folder: string;
  /** The value of `--store`. */
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
  return (input) =>
    new Promise<Result<WhatIf>>((resolve) => {
      const worker = new Worker(new URL("./what-if-worker.js", import.meta.url), {
        workerData: { ...input, ...place } satisfies WhatIfStart,
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
