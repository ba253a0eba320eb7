import { type Clock, fail, type Lease, ok, type Result } from "../../../spec/index.ts";
import { heartbeatMs } from "../../shared/leases.ts";
import type { Database } from "../database.ts";

export interface HeldRowOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly project: string;
  readonly name: string;
  readonly token: string;
  readonly epoch: number;
  readonly takenOver: boolean;
}

const repeatable = { isRepeatable: true } as const;

/** A lease just taken, with its heartbeat running. It is held as long as its row has its token. */
export function createHeldRow(options: HeldRowOptions): Lease {
  const { database, clock, project, name, token, takenOver } = options;
  const mine = "where project = $1 and name = $2 and token = $3";
  const key = [project, name, token];
  const stopping = new AbortController();
  let { epoch } = options;
  let lost = false;
  let checkedAtMs = clock.monotonic();
  let released: Promise<Result<void>> | null = null;

  /** Looks whether the row is ours, and shows that we live. */
  async function renew(): Promise<Result<void>> {
    const askedAtMs = clock.monotonic();
    const renewed = await database.query(
      `update ${database.schema}.lease set heartbeat_at = clock_timestamp() ${mine}`,
      key,
      { ...repeatable, signal: stopping.signal },
    );
    if (!renewed.ok) return renewed;
    lost ||= renewed.value.count === 0;
    if (lost) return refuseFenced(epoch);
    checkedAtMs = askedAtMs;
    return ok();
  }

  async function beat(): Promise<void> {
    while (!lost) {
      await clock.sleep(heartbeatMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await renew();
    }
  }

  async function giveBack(): Promise<Result<void>> {
    stopping.abort();
    await beating;
    const given = await database.query(
      `update ${database.schema}.lease set token = null, holder = null ${mine}`,
      key,
      repeatable,
    );
    return given.ok ? ok() : given;
  }

  async function raise(above: number): Promise<Result<void>> {
    const raised = await database.query<{ epoch: number }>(
      `update ${database.schema}.lease set epoch = greatest(epoch, $5) + 1, heartbeat_at = clock_timestamp()
       ${mine} and epoch = $4 returning epoch`,
      [...key, epoch, above],
      repeatable,
    );
    if (!raised.ok) return raised;
    const [row] = raised.value.rows;
    if (row) {
      epoch = row.epoch;
      return ok();
    }
    // Nobody else raises an epoch under our token: a higher one is our own doing, whose answer was lost.
    const found = await database.query<{ epoch: number }>(
      `select epoch from ${database.schema}.lease ${mine}`,
      key,
      repeatable,
    );
    if (!found.ok) return found;
    const present = found.value.rows[0]?.epoch ?? 0;
    if (present <= Math.max(above, epoch)) {
      lost = true;
      return refuseFenced(epoch);
    }
    epoch = present;
    return ok();
  }

  const beating = beat();

  return {
    get epoch() {
      return epoch;
    },
    token,
    get lost() {
      return lost;
    },
    takenOver,
    async check() {
      if (lost || released) return refuseFenced(epoch);
      return clock.monotonic() - checkedAtMs < heartbeatMs ? ok() : renew();
    },
    async raise(above) {
      return lost || released ? refuseFenced(epoch) : raise(above);
    },
    release() {
      released ??= giveBack();
      return released;
    },
  };
}

export function refuseFenced(epoch: number): Result<never> {
  return fail("fenced", "Another process has taken this session over.", {
    fix: "Open the session again; entries acknowledged before are in it.",
    facts: { epoch },
  });
}
