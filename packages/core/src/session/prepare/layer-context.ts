import { AsyncLocalStorage } from "node:async_hooks";

/** Whether this is done on behalf of a layer that the session waits for: waiting for the session there never ends. */
export const layerContext = new AsyncLocalStorage<boolean>();
