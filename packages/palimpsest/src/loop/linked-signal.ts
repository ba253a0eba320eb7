import { setMaxListeners } from "node:events";

/** A signal that several others end, and that leaves nothing behind in them: they may live for long. */
interface LinkedSignal {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** From here on the others mean nothing to it. */
  unlink(): void;
}

export function createLinkedSignal(sources: readonly (AbortSignal | null | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const linked = sources.filter((source) => source instanceof AbortSignal);
  const unlink = () => {
    for (const source of linked) source.removeEventListener("abort", abort);
  };
  const abort = () => {
    unlink();
    controller.abort();
  };
  for (const source of linked) source.addEventListener("abort", abort);
  if (linked.some(({ aborted }) => aborted)) abort();
  return { signal: controller.signal, abort, unlink };
}

/** The result of the work, or `undefined` as soon as the signal says stop: the work is not waited for then. */
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
