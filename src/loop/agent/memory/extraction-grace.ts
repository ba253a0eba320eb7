import { memoryLayerId } from "../../../layers/5-memory/index.ts";
import type { Clock, Event, Session } from "../../../spec/index.ts";

/** How long a session that is closed waits for memories that are being written. */
export const extractionGraceMs = 30_000;

/** Lets an extraction that goes on come to its end before the session is closed: a short session would keep nothing. */
export function createExtractionGrace(clock: Clock) {
  let running = 0;
  let onIdle: () => void = () => {};
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
          const waited = new AbortController();
          const idle = new Promise<void>((done) => {
            onIdle = done;
          });
          if (running > 0) await Promise.race([idle, clock.sleep(extractionGraceMs, waited.signal)]);
          waited.abort();
          await session.close();
        },
      };
    },
  };
}
