import { formatVersion } from "../../../log/codec.ts";
import { ok, type Result } from "../../../spec/index.ts";
import type { LeaseClaim } from "../leases/lease-store.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

export interface LogStart {
  /** The one that the line names. */
  readonly epoch: number;
  readonly seq: number;
  readonly listing: Buffer;
  readonly line: Buffer;
}

export interface MadeLog {
  readonly leaseEpoch: number;
  /** `null` where the lease has another epoch, or where there is such a log already. */
  readonly logId: number | null;
}

/** Takes a free lease and makes the log it is for in one statement; `null` where somebody else has the lease. */
export async function makeLog(
  { database, project }: ProjectRows,
  { name, token, holder, above }: LeaseClaim,
  { epoch, seq, listing, line }: LogStart,
): Promise<Result<MadeLog | null>> {
  const made = await database.query<{ lease_epoch: number; id: number | null }>(
    `select lease_epoch, id from ${database.schema}.make_log($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [project, name, token, holder, above, epoch, seq, formatVersion, listing, line],
    { isRepeatable: true },
  );
  if (!made.ok) return made;
  const [row] = made.value.rows;
  return ok(row ? { leaseEpoch: row.lease_epoch, logId: row.id } : null);
}
