import type { Clock } from "./spec/index.ts";

/** The promise's value; `undefined` once the time is over, or the signal aborts. Its failure passes through. */
export async function withinTime<Value>(
  promise: Promise<Value>,
  ms: number,
  clock: Pick<Clock, "sleep">,
  signal?: AbortSignal,
): Promise<Value | undefined> {
  const over = new AbortController();
  const ends = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([promise, clock.sleep(ms, ends).then(() => undefined)]);
  } finally {
    // Nobody asks for the reason: an error for it, with its stack, costs more than all the rest.
    over.abort(null);
  }
}
