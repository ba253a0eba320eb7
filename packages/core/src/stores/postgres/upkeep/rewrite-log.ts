import { encodeEntry } from "../../../log/codec.ts";
import {
  type Clock,
  type Entry,
  fail,
  type Ids,
  type Lease,
  type LeaseStore,
  ok,
  type Result,
  type UpkeepOptions,
} from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { type HeldLog, holdLog } from "../log/hold-log.ts";
import {
  advanceListing,
  encodeListing,
  findLog,
  type ListingState,
  type LogRow,
  logColumns,
} from "../log/log-row.ts";
import { type EntrySource, readLog } from "../log/read-log.ts";
import type { ProjectRows } from "./tombstone.ts";

interface RewriteLogOptions extends ProjectRows {
  readonly session: string;
  /** The log's id when it was read: another one says that this very rewriting was made, and its answer lost. */
  readonly logId: number;
  readonly lease: Lease;
  /** The entry in an entry's place. Sequence and epoch must stay. */
  readonly replace?: (entry: Entry) => Entry;
  /** Entries written behind the last one. */
  readonly closing?: readonly Entry[];
  readonly signal?: AbortSignal;
}

/**
 * Puts rows in place of a log's that hold the entries in force and nothing else, under a new id. To be called in a
 * transaction: everybody sees all of the old log or all of the new one. Gives the new log's bytes.
 */
export async function rewriteLog(run: Run, options: RewriteLogOptions): Promise<Result<number>> {
  const { database, project, session, logId, lease, replace = (entry: Entry) => entry } = options;
  const { schema } = database;
  const { rows } = await run<LogRow>(
    `select ${logColumns} from ${schema}.log
     where project = $1 and session = $2 and epoch = $3 and writer = $4 for update`,
    [project, session, lease.epoch, lease.token],
  );
  const [log] = rows;
  if (!log) return takenOver(session);
  if (log.id !== logId) return ok(log.bytes);
  const target = await createTarget(run, schema);
  // Rows of a page are written before the next one is read, so that no more than one is held.
  const paced: EntrySource = {
    schema,
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      await target.flush();
      return ok(await run<Row>(text, values));
    },
  };
  const judge = await readLog(paced, log, (entry) => target.add(replace(entry)), { signal: options.signal });
  if (!judge.ok) return judge;
  for (const entry of options.closing ?? []) target.add(entry);
  await target.flush();
  const { id, bytes, entries, listing } = target.written();
  const lastSeq = Math.max(log.last_seq, ...(options.closing ?? []).map(({ seq }) => seq));
  await run(
    `update ${schema}.log set id = $2, bytes = $3, entries = $4, last_seq = $5, listing = $6, damaged_lines = 0,
       modified_at = clock_timestamp() where id = $1`,
    [logId, id, bytes, entries, lastSeq, encodeListing(listing)],
  );
  await run(`delete from ${schema}.entry where log_id = $1`, [logId]);
  return ok(bytes);
}

async function createTarget(run: Run, schema: string) {
  const { rows } = await run<{ id: number }>("select nextval(pg_get_serial_sequence($1, 'id')) as id", [
    `${schema}.log`,
  ]);
  const id = rows[0]?.id as number;
  let positions: number[] = [];
  let lines: Buffer[] = [];
  let bytes = 0;
  let entries = 0;
  let listing: ListingState = {};
  return {
    add(entry: Entry): void {
      const line = encodeEntry(entry);
      listing = advanceListing(listing, entry, entries === 0);
      positions.push(bytes);
      lines.push(line);
      bytes += line.length;
      entries += 1;
    },
    async flush(): Promise<void> {
      if (lines.length === 0) return;
      await run(
        `insert into ${schema}.entry (log_id, place, line) select $1, * from unnest($2::bigint[], $3::bytea[])`,
        [id, positions, lines],
      );
      positions = [];
      lines = [];
    },
    written: () => ({ id, bytes, entries, listing }),
  };
}

function takenOver(session: string): Result<never> {
  return fail("fenced", `Another process has taken session ${session} over.`, {
    path: session,
    fix: "Try again once it is closed there.",
  });
}

/** The base of work on a whole log. */
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
