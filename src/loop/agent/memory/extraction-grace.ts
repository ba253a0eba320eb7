import { memoryLayerId } from "../../../layers/5-memory/index.ts";
import type { Clock, Event, Session } from "../../../spec/index.ts";

/** How long a session that is closed waits for memories that are being written. */
export const extractionGraceMs = 30_000;

export interface GraceOptions {
  /** Ends the wait, or lets there be none. */
  readonly signal?: AbortSignal;
  /** Hears that there is something to wait for. */
  readonly onWait?: () => void;
}

/** Lets an extraction that goes on come to its end before the session is closed: a short session would keep nothing. */
export function createExtractionGrace(clock: Clock, { signal, onWait }: GraceOptions = {}) {
  let running = 0;
  let onIdle: () => void = () => {};

  async function wait(): Promise<void> {
    if (running === 0 || signal?.aborted) return;
    onWait?.();
    const waited = new AbortController();
    const stop = () => waited.abort();
    signal?.addEventListener("abort", stop, { once: true });
    onIdle = stop;
    await clock.sleep(extractionGraceMs, waited.signal);
    signal?.removeEventListener("abort", stop);
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
        async close() {
          await wait();
          await session.close();
        },
      };
    },
  };
}
