import type { Clock } from "@palimpsest/core/spec";

/** Shows the recorded time. Nothing ever waits for it. */
export interface ReplayClock extends Clock {
  show(atMs: number): void;
}

export function createReplayClock(startMs: number): ReplayClock {
  let nowMs = startMs;
  return {
    show(atMs) {
      nowMs = atMs;
    },
    now: () => nowMs,
    monotonic: () => Math.max(0, nowMs - startMs),
    sleep: async () => undefined,
  };
}
