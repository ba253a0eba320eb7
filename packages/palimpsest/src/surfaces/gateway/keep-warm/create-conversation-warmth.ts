import type { SessionHandle, SessionOptions } from "@palimpsest/core";
import type { KeptRequest } from "@palimpsest/core/internal";
import { fail, ok } from "@palimpsest/core/spec";
import { createWarming } from "../../../loop/create-warming.ts";
import type { DayLimit } from "../../../loop/with-day-budget.ts";
import { withinDayLimit } from "./within-day-limit.ts";

/** How a session is told which request is read again. */
export type RelayPort = NonNullable<SessionOptions["relay"]>;

/** Keeps the newest request of one conversation warm. What it holds for that, it holds in memory only. */
export interface ConversationWarmth {
  /** What the conversation's session asks. */
  readonly port: RelayPort;
  /** A request of the client's, with its key, is held. */
  readonly isHolding: boolean;
  /** A request was answered: from now on it is read again, as long as that pays. */
  begin(request: KeptRequest): void;
  /** The client is back: nothing is held and nothing further read. A read that is under way ends by itself. */
  end(): void;
  /** The same, and a read that is under way is given up. Resolves once it is in the log. */
  close(): Promise<void>;
}

/** What is the same for the reads of all conversations. */
export interface ReadParts {
  /** `null` where no budget is set for the day. */
  readonly dayLimit: DayLimit | null;
  /** Hears of each read, so that others can wait for it. */
  track<Report>(read: Promise<Report>): Promise<Report>;
}

export function createConversationWarmth({ dayLimit, track }: ReadParts): ConversationWarmth {
  let handle: SessionHandle | null = null;
  let held: KeptRequest | null = null;
  let current: { stop(): void } | null = null;
  /** From the first wait of each pause to the end of its last read. */
  const pauses = new Map<Promise<void>, AbortController>();

  function end(): void {
    held = null;
    current?.stop();
    current = null;
  }

  return {
    port: {
      open(opened) {
        handle = opened;
      },
      kept: () =>
        held ? ok(held) : fail("not-found", "No answered request is held: there is nothing to keep warm."),
    },
    get isHolding() {
      return held !== null;
    },
    begin(request) {
      end();
      if (!handle) return;
      const { nextRead, keepWarm, clock, emit } = handle;
      const closing = new AbortController();
      const warming = createWarming(closing.signal);
      held = request;
      current = warming;
      const limited = withinDayLimit({ nextRead, keepWarm, clock, emit }, dayLimit);
      const reading = { ...limited, keepWarm: (signal: AbortSignal) => track(limited.keepWarm(signal)) };
      const pause = warming.start(reading).finally(() => {
        pauses.delete(pause);
        if (current === warming) end();
      });
      pauses.set(pause, closing);
    },
    end,
    async close() {
      end();
      const ended = [...pauses.keys()];
      for (const closing of pauses.values()) closing.abort();
      await Promise.all(ended);
    },
  };
}
