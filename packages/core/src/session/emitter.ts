import type { Clock, Event, EventBody } from "../spec/index.ts";
import { layerContext } from "./prepare/layer-context.ts";
import type { OwnSecretMask } from "./secrets/index.ts";

/** Tells a listener what happens in a session. What the listener throws is dropped: it cannot harm the session. Own keys are masked. */
export function createEmitter(
  session: string,
  clock: Clock,
  listener: ((event: Event) => unknown) | undefined,
  secrets: OwnSecretMask,
): (event: EventBody) => void {
  if (!listener) return () => undefined;
  return (event) => {
    try {
      const at = new Date(clock.now()).toISOString();
      const heard = layerContext.run(false, () => listener({ session, at, ...secrets.value(event) }));
      if (heard instanceof Promise) heard.catch(() => undefined);
    } catch {
      return;
    }
  };
}
