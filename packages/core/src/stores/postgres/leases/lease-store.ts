import {
  type AcquireOptions,
  type Clock,
  type Ids,
  type Lease,
  type LeaseHolder,
  type LeaseStore,
  ok,
  type Processes,
  type ProcessIdentity,
  type Result,
} from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import { judgeHolder, leasePatienceMs, refuseHeld } from "../../shared/leases.ts";
import type { Database } from "../database.ts";
import { createHeldRow } from "./held-lease.ts";

export interface PostgresLeaseStoreOptions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

interface LeaseRow {
  readonly epoch: number;
  readonly token: string | null;
  readonly holder: Buffer | null;
  readonly heartbeat_ms: number;
  readonly age_ms: number;
}

/** A claim to a lease, before anybody knows whether it can be had. */
export interface LeaseClaim {
  readonly name: string;
  readonly token: string;
  readonly holder: Buffer;
  readonly above: number;
}

/** Leases that statements on their things may take along. */
export interface PostgresLeaseStore extends LeaseStore {
  claim(name: string, request: AcquireOptions): Promise<LeaseClaim>;
  /** The lease that a statement has taken for this claim. */
  hold(claim: LeaseClaim, epoch: number): Lease;
}

interface Claim extends LeaseClaim {
  readonly self: ProcessIdentity;
  readonly takeOver: boolean;
}

interface ClaimResult {
  readonly epoch: number;
  readonly takenOver: boolean;
}

const repeatable = { isRepeatable: true } as const;

/** A lease is a row; who has it is told by the row's token, how long ago it was heard of by the server's clock. */
export function createPostgresLeaseStore(options: PostgresLeaseStoreOptions): PostgresLeaseStore {
  const { database, project, clock, ids, processes } = options;
  const table = `${database.schema}.lease`;
  const columns = `epoch, token, holder,
    (extract(epoch from heartbeat_at) * 1000)::bigint as heartbeat_ms,
    (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::bigint as age_ms`;

  async function claimOf(name: string, { above = 0, takeOver = false }: AcquireOptions): Promise<Claim> {
    const self = await processes.self();
    const holder = Buffer.from(JSON.stringify(self));
    return { name, token: ids.next("lease"), holder, above, self, takeOver };
  }

  function hold({ name, token }: LeaseClaim, { epoch, takenOver }: ClaimResult): Lease {
    return createHeldRow({ database, clock, project, name, token, epoch, takenOver });
  }

  /** Takes a lease that nobody has, or that this very claim has taken already; `null` if somebody else has it. */
  async function claimFree({ name, token, holder, above }: Claim): Promise<Result<ClaimResult | null>> {
    const claimed = await database.query<{ epoch: number | null }>(
      `select ${database.schema}.claim_lease($1, $2, $3, $4, $5) as epoch`,
      [project, name, token, holder, above],
      repeatable,
    );
    if (!claimed.ok) return claimed;
    const epoch = claimed.value.rows[0]?.epoch ?? null;
    return ok(epoch === null ? null : { epoch, takenOver: false });
  }

  /** Judges who has the lease while the row is locked, and takes it where that is right; `null` if it is free now. */
  function claimHeld({
    name,
    token,
    holder: encoded,
    above,
    self,
    takeOver,
  }: Claim): Promise<Result<ClaimResult | null>> {
    let takenOver = false;
    return database.transaction<ClaimResult | null>(async (run) => {
      const { rows } = await run<LeaseRow>(
        `select ${columns} from ${table} where project = $1 and name = $2 for update`,
        [project, name],
      );
      const [row] = rows;
      if (!row || row.token === null) return ok(null);
      if (row.token === token) return ok({ epoch: row.epoch, takenOver });
      const holder = toHolder(row);
      const state = holder ? await judgeHolder(holder, self, processes.look) : "dead";
      takenOver = state === "unsure" && takeOver && row.age_ms > leasePatienceMs;
      if (holder && state !== "dead" && !takenOver) return refuseHeld(name, holder, state, row.age_ms);
      const epoch = Math.max(row.epoch, above) + 1;
      await run(
        `update ${table} set epoch = $3, token = $4, holder = $5, heartbeat_at = clock_timestamp()
         where project = $1 and name = $2`,
        [project, name, epoch, token, encoded],
      );
      return ok({ epoch, takenOver });
    }, repeatable);
  }

  async function acquire(name: string, request: AcquireOptions): Promise<Result<Lease>> {
    const claim = await claimOf(name, request);
    for (;;) {
      const free = await claimFree(claim);
      if (!free.ok) return free;
      const claimed = free.value ? free : await claimHeld(claim);
      if (!claimed.ok) return claimed;
      if (claimed.value) return ok(hold(claim, claimed.value));
    }
  }

  return {
    claim: claimOf,
    hold: (claim, epoch) => hold(claim, { epoch, takenOver: false }),
    async acquire(name, request = {}) {
      const checked = sessionFileName(name);
      return checked.ok ? acquire(name, request) : checked;
    },
    async holder(name) {
      const checked = sessionFileName(name);
      if (!checked.ok) return checked;
      const found = await database.query<LeaseRow>(
        `select ${columns} from ${table} where project = $1 and name = $2`,
        [project, name],
        repeatable,
      );
      if (!found.ok) return found;
      const [row] = found.value.rows;
      return ok(row ? toHolder(row) : null);
    },
    async forget(name) {
      const checked = sessionFileName(name);
      if (!checked.ok) return checked;
      // Whoever has taken it meanwhile keeps it.
      const forgotten = await database.query(
        `delete from ${table} where project = $1 and name = $2 and token is null`,
        [project, name],
        repeatable,
      );
      return forgotten.ok ? ok() : forgotten;
    },
  };
}

/** `null`: given back, or unreadable. */
function toHolder({ token, holder, epoch, heartbeat_ms }: LeaseRow): LeaseHolder | null {
  if (token === null || holder === null) return null;
  try {
    const identity = JSON.parse(holder.toString("utf8")) as ProcessIdentity;
    return { ...identity, token, epoch, heartbeatMs: heartbeat_ms };
  } catch {
    return null;
  }
}
