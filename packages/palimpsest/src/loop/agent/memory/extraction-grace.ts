import { memoryLayerId } from "@palimpsest/core/internal";
import type { Clock, Event, Session } from "@palimpsest/core/spec";
import { createLinkedSignal } from "../../../signals.ts";

/** How long a session that is closed waits for memories that are being written. */
export const extractionGraceMs = 30_000;

export interface GraceOptions {
  /** Ends the wait, or lets there be none. */
  readonly signal?: AbortSignal;
  /** Hears that there is something to wait for. */
  readonly onWait?: () => void;
}

/** Who else may extract what this session has not. */
export interface OtherExtractors {
  /** Whether a worker does it: then nobody waits. Asked only where an extraction goes on. */
  readonly handOver?: () => Promise<boolean>;
  /** The session is closed and the extraction was not done: for a worker, now or later. */
  readonly leave?: () => Promise<unknown>;
}

/** Lets an extraction that goes on come to its end before the session is closed: a short session would keep nothing. */
export function createExtractionGrace(
  clock: Clock,
  { signal, onWait, handOver, leave }: GraceOptions & OtherExtractors = {},
) {
  let running = 0;
  let onIdle: () => void = () => {};

  /** Whether something is left to others. */
  async function wait(): Promise<boolean> {
    if (running === 0) return false;
    if (await handOver?.()) return true;
    if (!signal?.aborted) await waitHere();
    return running > 0;
  }

  async function waitHere(): Promise<void> {
    onWait?.();
    const waited = createLinkedSignal([signal]);
    onIdle = waited.abort;
    await clock.sleep(extractionGraceMs, waited.signal);
    waited.unlink();
  }

  return {
    see(event: Event): void {
      if (event.type === "task-start" && event.layer === memoryLayerId) running += 1;
      if (event.type !== "task-end" || event.layer !== memoryLayerId) return;
      running -= 1;
      if (running === 0) onIdle();
    },
    around(session: Session): Session {
      return {
        ...session,
        async close(options) {
          const isLeft = await wait();
          await session.close(options);
          // Only now is the session free for a worker.
          if (isLeft) await leave?.();
        },
      };
    },
  };
}
