import { setMaxListeners } from "node:events";
import type { Clock } from "@palimpsest/core/spec";

/** A signal that several others end, and that leaves nothing behind in them: they may live for long. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** From here on the others mean nothing to it. */
  unlink(): void;
}

export function createLinkedSignal(sources: readonly (AbortSignal | null | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  // A signal of another realm, or of a library, is one too.
  const linked = sources.filter(
    (source): source is AbortSignal =>
      typeof source?.addEventListener === "function" && typeof source.removeEventListener === "function",
  );
  const unlink = () => {
    for (const source of linked.splice(0)) source.removeEventListener("abort", abort);
  };
  const abort = () => {
    unlink();
    controller.abort();
  };
  for (const source of linked) source.addEventListener("abort", abort);
  if (linked.some(({ aborted }) => aborted)) abort();
  return { signal: controller.signal, abort, unlink };
}

/** What comes of the work, or `undefined` as soon as the signal says stop: the work is not waited for then. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const done = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { signal: done.signal });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    done.abort();
  }
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Tells the work when its time is over, and waits for it all the same. */
export async function withTimeLimit<Value>(
  ms: number,
  clock: Clock,
  work: (late: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const [late, done] = [new AbortController(), new AbortController()];
  void clock.sleep(ms, done.signal).then(() => done.signal.aborted || late.abort());
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}
