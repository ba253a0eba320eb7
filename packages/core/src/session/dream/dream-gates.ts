import { type DreamFacts, type DreamSkip, decideDream } from "../../layers/6-dream/rules/decide-dream.ts";
import { isDreamSession } from "../../layers/6-dream/rules/dream-task.ts";
import {
  type Clock,
  type ConsolidateLock,
  type Consolidation,
  type LogStore,
  ok,
  type Result,
} from "../../spec/index.ts";

export interface DreamGatesOptions
  extends Pick<DreamFacts, "numbers" | "isEnabled" | "isFork" | "hasMemory"> {
  readonly clock: Clock;
  readonly lock: ConsolidateLock;
  readonly logs: Pick<LogStore, "list">;
  /** The current session, which is not counted; absent where there is none. */
  readonly session?: string;
}

export type GatePass =
  | { readonly isOpen: true; readonly consolidation: Consolidation }
  | { readonly isOpen: false; readonly reason: DreamSkip }
  /** Another one dreams. */
  | { readonly isOpen: false; readonly reason: "held"; readonly message: string };

export interface DreamGates {
  /** Goes through the gates; past the last one the lock is held and must be ended. */
  pass(how?: { readonly isByHand?: boolean }): Promise<Result<GatePass>>;
  /** Whether all gates before the lock are open. Nothing is taken; what was looked at is not looked at again so soon. */
  isDue(): Promise<Result<boolean>>;
}

/** The gates of one process, which remembers when it last looked through the sessions. */
export function createDreamGates(options: DreamGatesOptions): DreamGates {
  const { clock, lock, logs, session, numbers, isEnabled, isFork, hasMemory } = options;
  let scannedMs: number | undefined;

  async function countTouched(sinceMs: number): Promise<Result<number>> {
    scannedMs = clock.monotonic();
    const listings = await logs.list();
    if (!listings.ok) return listings;
    const touched = listings.value.filter(
      (listing) =>
        Date.parse(listing.modifiedAt) > sinceMs &&
        listing.session !== session &&
        !listing.session.includes("/") &&
        !isDreamSession(listing.session),
    );
    return ok(touched.length);
  }

  async function takeLock(): Promise<Result<GatePass>> {
    const taken = await lock.acquire();
    if (taken.ok) return ok({ isOpen: true, consolidation: taken.value });
    const { code, message } = taken.error;
    return code === "held" ? ok({ isOpen: false, reason: "held", message }) : taken;
  }

  /** Up to the lock: why not, or `null`. */
  async function look(isByHand: boolean): Promise<Result<DreamSkip | null>> {
    const sinceScanMs = scannedMs === undefined ? undefined : clock.monotonic() - scannedMs;
    const known = { nowMs: clock.now(), numbers, isEnabled, isFork, hasMemory, isByHand };
    let facts: DreamFacts = sinceScanMs === undefined ? known : { ...known, sinceScanMs };
    for (;;) {
      const next = decideDream(facts);
      switch (next.step) {
        case "skip":
          return ok(next.reason);
        case "take-lock":
          return ok(null);
        case "look-at-lock": {
          const last = await lock.lastConsolidatedMs();
          if (!last.ok) return last;
          facts = { ...facts, lastConsolidatedMs: last.value };
          break;
        }
        case "scan-sessions": {
          const touched = await countTouched(next.sinceMs);
          if (!touched.ok) return touched;
          facts = { ...facts, touchedSessions: touched.value };
        }
      }
    }
  }

  return {
    async pass({ isByHand = false } = {}) {
      const looked = await look(isByHand);
      if (!looked.ok) return looked;
      return looked.value === null ? takeLock() : ok({ isOpen: false, reason: looked.value });
    },
    async isDue() {
      const looked = await look(false);
      return looked.ok ? ok(looked.value === null) : looked;
    },
  };
}
