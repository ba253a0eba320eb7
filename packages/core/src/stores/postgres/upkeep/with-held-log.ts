import type { Clock, Ids, Lease, LeaseStore, Result, UpkeepOptions } from "../../../spec/index.ts";
import { type HeldLog, holdLog } from "../log/hold-log.ts";
import { findLog } from "../log/log-row.ts";
import type { ProjectRows } from "./tombstone.ts";

/** What work on a whole log stands on. */
export interface UpkeepParts extends ProjectRows {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Takes the lease, opens the log as a writer would, works on it, and gives the lease back whatever happens. */
export async function withHeldLog<T>(
  parts: UpkeepParts,
  session: string,
  options: UpkeepOptions,
  work: (held: HeldLog, lease: Lease) => Promise<Result<T>>,
): Promise<Result<T>> {
  const present = await findLog(parts, session);
  if (!present.ok) return present;
  const lease = await parts.leases.acquire(session, { takeOver: options.takeOver });
  if (!lease.ok) return lease;
  try {
    const held = await holdLog(parts, session, lease.value, () => undefined, options.signal);
    return held.ok ? await work(held.value, lease.value) : held;
  } finally {
    await lease.value.release();
  }
}
