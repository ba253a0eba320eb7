import { type AcquireOptions, type Lease, ok, type Result } from "../../../spec/index.ts";
import { sessionFileName } from "../../files/layout.ts";
import type { PostgresLeaseStore } from "../leases/lease-store.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";
import type { DescribedLog } from "./hold-log.ts";
import { findLog } from "./log-row.ts";

/** The lease of a session and, unless it has to be fenced first, its log. */
export interface TakenLog {
  readonly lease: Lease;
  readonly log: DescribedLog | null;
}

type TakenRow = { readonly lease_epoch: number } & (DescribedLog | { readonly id: null });

type TakeParts = ProjectRows & { readonly leases: PostgresLeaseStore };

/** Of a session that is there: no lease is left behind for one that never was. */
export async function takeOrAcquire(
  parts: TakeParts,
  session: string,
  request: AcquireOptions,
): Promise<Result<TakenLog>> {
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const taken = await takeLog(parts, session, request);
  if (!taken.ok) return taken;
  if (taken.value !== null) return ok(taken.value);
  const present = await findLog(parts, session);
  if (!present.ok) return present;
  const lease = await parts.leases.acquire(session, request);
  return lease.ok ? ok({ lease: lease.value, log: null }) : lease;
}

/**
 * Takes a free lease and the log it is for in one statement; `null` where there is no such log or somebody has the
 * lease. A crash of the server may undo it, but not behind the writer's first append.
 */
async function takeLog(
  { database, project, leases }: TakeParts,
  session: string,
  request: AcquireOptions,
): Promise<Result<TakenLog | null>> {
  const claim = await leases.claim(session, request);
  const taken = await database.query<TakenRow>(
    `select * from ${database.schema}.take_log($1, $2, $3, $4, $5)`,
    [project, session, claim.token, claim.holder, claim.above],
    { isRepeatable: true },
  );
  if (!taken.ok) return taken;
  const [row] = taken.value.rows;
  if (!row) return ok(null);
  const lease = leases.hold(claim, row.lease_epoch);
  return ok({ lease, log: row.id === null ? null : row });
}
