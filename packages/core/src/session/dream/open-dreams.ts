import { type DreamNumbers, dreamNumbersOf } from "../../layers/6-dream/settings.ts";
import type { Clock, Ids, Result, Settings, Store } from "../../spec/index.ts";
import { createSecretMask, type SecretMask } from "../secrets/index.ts";
import type { DreamChanges } from "./dream-changes.ts";
import { createDreamGates } from "./dream-gates.ts";
import { type DreamMode, type DreamParts, type DreamReport, dreamOnce } from "./dream-once.ts";
import type { Dreamer } from "./dreamer.ts";
import { openChanges } from "./open-changes.ts";

export interface OpenDreamsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly settings?: Pick<Settings, "dream">;
  /** The current session, which is not counted; absent where there is none. */
  readonly session?: string;
  /** Flag and setting. */
  readonly isEnabled?: boolean;
  /** Absent: the rules of secretlint and our own. */
  readonly mask?: SecretMask["mask"];
}

/** The dreams of one project. Remembers when it last looked through the sessions. */
export interface Dreams {
  readonly numbers: DreamNumbers;
  /** Dreams kept for review, applied and taken back. */
  readonly changes: DreamChanges;
  /** Whether it is time, as far as can be told without the lock. */
  isDue(): Promise<Result<boolean>>;
  once(dreamer: Dreamer, how?: DreamMode & Pick<DreamParts, "emit">): Promise<Result<DreamReport>>;
}

/** Reads nothing. `null` where the store has no lock for its memory folder: nobody dreams there. */
export function openDreams(options: OpenDreamsOptions): Dreams | null {
  const { store, clock, ids, session, isEnabled = true } = options;
  const { consolidateLock: lock, logs } = store;
  if (!lock) return null;
  const memory = store.tree("memory");
  const numbers = dreamNumbersOf(options.settings ?? {});
  const mask = options.mask ?? createSecretMask({ key: ids.next("mask-of-secrets") }).mask;
  const { changes, refreshIndex } = openChanges(store, lock);
  const gates = createDreamGates({
    clock,
    lock,
    logs,
    numbers,
    isEnabled,
    isFork: false,
    hasMemory: true,
    ...(session === undefined ? {} : { session }),
  });
  const parts = { memory, changes, gates, numbers, mask, refreshIndex, clock, ids };
  return {
    numbers,
    changes,
    isDue: () => gates.isDue(),
    once(dreamer, { emit, ...how } = {}) {
      return dreamOnce({ ...parts, dreamer, ...(emit && { emit }) }, how);
    },
  };
}
