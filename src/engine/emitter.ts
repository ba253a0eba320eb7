import type { Clock, Event, EventBody } from "../spec/index.ts";

/** Tells a listener what happens in a session. What the listener throws is dropped: it cannot harm the session. */
export function createEmitter(
  session: string,
  clock: Clock,
  listener: ((event: Event) => void) | undefined,
): (event: EventBody) => void {
  return (event) => {
    try {
      listener?.({ session, at: new Date(clock.now()).toISOString(), ...event });
    } catch {
      return;
    }
  };
}
