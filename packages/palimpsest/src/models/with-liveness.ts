import { withinTime } from "@palimpsest/core/internal";
import { type Clock, fail, ok, type Result } from "@palimpsest/core/spec";

export interface LivenessOptions {
  readonly clock: Clock;
  /** How long nothing at all may come. */
  readonly idleMs: number;
  /** Ends the work behind the source; nothing is asked of it any more. */
  readonly onStall: () => void;
}

/**
 * The source, ended with `stalled` when nothing comes for `idleMs`. Time counts only while somebody waits for the next
 * value, so a slow reader stalls nothing, and there is no limit on the whole. What the source throws is thrown.
 */
export async function* withLiveness<T>(
  source: AsyncIterable<T>,
  options: LivenessOptions,
): AsyncIterable<Result<T>> {
  const { clock, idleMs, onStall } = options;
  const iterator = source[Symbol.asyncIterator]();
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      // What loses the race may still fail later: that is nobody's concern any more, and the race has heard of it.
      const next = await withinTime(iterator.next(), idleMs, clock);
      if (next === undefined) {
        onStall();
        yield fail("stalled", `Nothing has come for ${idleMs / 1_000} seconds.`, {
          retryable: true,
          fix: "Try again; where the server is only slow, allow a longer silence.",
          facts: { idleMs },
        });
        return;
      }
      isWaiting = next.done === true;
      if (next.done === true) return;
      yield ok(next.value);
    }
  } finally {
    // A source that was asked and has not answered cannot be ended from here: that is what `onStall` is for.
    if (!isWaiting) await iterator.return?.();
  }
}
