import type { Clock, Event, EventBody } from "../spec/index.ts";
import { insideLayers } from "./inside-layers.ts";

/** Tells a listener what happens in a session. What the listener throws is dropped: it cannot harm the session. */
export function createEmitter(
  session: string,
  clock: Clock,
  listener: ((event: Event) => unknown) | undefined,
): (event: EventBody) => void {
  return (event) => {
    try {
      const at = new Date(clock.now()).toISOString();
      const heard = insideLayers.run(false, () => listener?.({ session, at, ...event }));
      if (heard instanceof Promise) heard.catch(() => undefined);
    } catch {
      return;
    }
  };
}
