import type { EventBody, Result } from "../../spec/index.ts";

/** What the layer is made with. */
export interface DreamLayerPorts {
  /** Whether there is a memory folder with a lock. */
  readonly hasMemory: boolean;
  /** Default true. False for a session that ends with its answer: a dream begun in it would end with it, half done. */
  readonly isLongLived?: boolean;
  /** Goes through the gates and dreams where they are open. Ends soon once the signal aborts. */
  dream(emit: (event: EventBody) => void, signal: AbortSignal): Promise<Result<unknown>>;
  /** Adds a line to the day's log. */
  logTurn(text: string): Promise<Result<unknown>>;
}
