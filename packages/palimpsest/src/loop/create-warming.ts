import type { SessionHandle } from "@palimpsest/core";
import { createLinkedSignal } from "../signals.ts";

/** The session, as far as keeping its cache warm goes. */
export type WarmedSession = Pick<SessionHandle, "nextRead" | "keepWarm" | "clock" | "emit">;

/** Keeps the prompt cache warm between runs. */
export interface Warming {
  /** From the end of a run on, until the next one begins or a read no longer pays. Never throws. */
  start(handle: WarmedSession): Promise<void>;
  /** No further read is made; one that is under way ends by itself. */
  stop(): void;
}

/** `closing`: the session is closed, and with it every read. */
export function createWarming(closing: AbortSignal): Warming {
  let waiting: AbortController | null = null;

  async function keep(handle: WarmedSession, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      const next = handle.nextRead();
      if (!next.due) return next.isOff ? null : next.reason;
      await handle.clock.sleep(Math.max(0, next.atMs - handle.clock.now()), signal);
      if (signal.aborted) return null;
      // A machine may have slept for longer than the cache was kept.
      const still = handle.nextRead();
      if (!still.due) return still.reason;
      const read = await handle.keepWarm(closing);
      if (signal.aborted) return null;
      if (!read.ok) return read.error.message;
    }
  }

  return {
    async start(handle) {
      waiting?.abort();
      if (closing.aborted) return;
      const own = new AbortController();
      waiting = own;
      const { signal, unlink } = createLinkedSignal([closing, own.signal]);
      const reason = await keep(handle, signal);
      unlink();
      if (reason !== null) handle.emit({ type: "warming-end", reason });
    },
    stop() {
      waiting?.abort();
      waiting = null;
    },
  };
}
