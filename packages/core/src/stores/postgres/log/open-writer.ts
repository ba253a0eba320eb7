import { completeEntry, emptyReport, encodeEntry, formatVersion } from "../../../log/codec.ts";
import {
  type Clock,
  type Entry,
  type EntryDraft,
  type EntryLocation,
  type EntryVisit,
  fail,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  type OpenLogOptions,
  ok,
  type Result,
  type SessionBody,
  type WriterIdentity,
} from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import { defaultDurability } from "../../shared/log.ts";
import { refuseFenced } from "../leases/held-lease.ts";
import type { LeaseClaim, PostgresLeaseStore } from "../leases/lease-store.ts";
import { absentSession, type ProjectRows } from "../upkeep/tombstone.ts";
import { holdLog } from "./hold-log.ts";
import { advanceListing, type DescribedLog, encodeListing, type ListingState } from "./log-row.ts";
import { createPostgresLogWriter } from "./log-writer.ts";
import { type EntryRow, pageBytes, readLog } from "./read-log.ts";

export interface WriterParts extends ProjectRows {
  readonly leases: PostgresLeaseStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: WriterIdentity;
}

/** Makes the log with its first entry in it, together with its lease. */
export async function startLog(
  parts: WriterParts,
  first: SessionBody,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const { leases, clock, ids } = parts;
  const session = first.session.id;
  const seq = (request.afterSeq ?? 0) + 1;
  const id = ids.next("ent");
  const at = new Date(clock.now()).toISOString();
  const body: SessionBody = { ...first, session: { ...first.session, writer: parts.writer } };
  let claim = await leases.claim(session, request);
  let lease: Lease | null = null;
  // Nearly always nobody ever had the lease: then this is its epoch.
  let epoch = claim.above + 1;
  for (;;) {
    const entry: Entry = { v: formatVersion, seq, epoch, id, at, ...body };
    const listing = advanceListing({}, entry, true);
    const line = encodeEntry(entry);
    const made = await makeLog(parts, claim, { epoch, seq, listing: encodeListing(listing), line });
    if (!made.ok) return giveUp(lease, made);
    if (made.value === null) {
      if (lease) return giveUp(lease, refuseFenced(epoch));
      const acquired = await leases.acquire(session, request);
      if (!acquired.ok) return acquired;
      lease = acquired.value;
      claim = { ...claim, token: lease.token };
      epoch = lease.epoch;
      continue;
    }
    const { leaseEpoch, logId } = made.value;
    lease ??= leases.hold(claim, leaseEpoch);
    if (logId === null && leaseEpoch === epoch) return giveUp(lease, sessionExists(session));
    if (logId !== null) {
      const report: LogReport = { ...emptyReport, entries: 1, lastSeq: seq, epoch, end: line.length };
      const durability = request.durability ?? defaultDurability;
      const end = { lastSeq: seq, bytes: line.length };
      return ok(
        createPostgresLogWriter({ ...parts, session, lease, durability, report, logId, listing, end }),
      );
    }
    epoch = leaseEpoch;
  }
}

async function giveUp<T>(lease: Lease | null, why: Result<T>): Promise<Result<T>> {
  await lease?.release();
  return why;
}

/**
 * Opens a log that is there. One that is whole and not long is read first, then taken and told of its writer in one
 * statement, if it still is what was read; nearly all are. Otherwise under its lease, step by step.
 */
export async function openLog(
  parts: WriterParts,
  session: string,
  visit: EntryVisit,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const seen = await lookAtLog(parts, session);
  if (!seen.ok) return seen;
  if (request.signal?.aborted) return fail("aborted", "Opening the session was aborted.");
  const taken = seen.value ? await takeLog(parts, session, seen.value, visit, request) : ok(null);
  if (!taken.ok) return taken;
  if (taken.value && "append" in taken.value) return ok(taken.value);
  const lease = taken.value ? ok(taken.value) : await parts.leases.acquire(session, request);
  if (!lease.ok) return lease;
  const writer = await resumeLog(parts, session, lease.value, visit, request);
  if (writer.ok) return writer;
  await lease.value.release();
  if (writer.error.code === "not-found" || writer.error.code === "collected")
    await parts.leases.forget(session);
  return writer;
}

/** The writer; or only the lease, where the log is not what was read; or `null`, where somebody has the lease. */
async function takeLog(
  parts: WriterParts,
  session: string,
  { log, entries, report, listing }: ValidLog,
  visit: EntryVisit,
  request: OpenLogOptions,
): Promise<Result<LogWriter | Lease | null>> {
  const { database, project, leases } = parts;
  const claim = await leases.claim(session, { above: log.epoch });
  const [epoch, seq] = [claim.above + 1, log.last_seq + 1];
  const line = encodeEntry(completeEntry(announcement(parts), { seq, epoch }, parts));
  const { token, holder, above } = claim;
  const opened = await database.query<{ lease_epoch: number | null; is_open: boolean }>(
    `select lease_epoch, is_open
     from ${database.schema}.open_log($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[project, session, token, holder, above],
      ...[log.id, log.epoch, log.last_seq, log.bytes, epoch, seq, line],
    ],
    { isRepeatable: true },
  );
  if (!opened.ok) return opened;
  const [row] = opened.value.rows;
  if (!row || row.lease_epoch === null) return ok(null);
  const lease = leases.hold(claim, row.lease_epoch);
  if (!row.is_open) return ok(lease);
  for (const { entry, place } of entries) visit(entry, place);
  const durability = request.durability ?? defaultDurability;
  const end = { lastSeq: seq, bytes: log.bytes + line.length };
  return ok(
    createPostgresLogWriter({ ...parts, session, lease, durability, report, logId: log.id, listing, end }),
  );
}

const announcement = ({ writer }: WriterParts): EntryDraft => ({
  kind: "note",
  note: { topic: "writer", writer },
});

/** Fences off whoever wrote before, reads the log, then announces the new writer, under a lease just taken. */
async function resumeLog(
  parts: WriterParts,
  session: string,
  lease: Lease,
  visit: EntryVisit,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const held = await holdLog(parts, session, lease, visit, request.signal);
  if (!held.ok) return held;
  const { logId, report, listing } = held.value;
  const durability = request.durability ?? defaultDurability;
  const end = { lastSeq: report.lastSeq, bytes: report.end };
  const writer = createPostgresLogWriter({
    ...parts,
    session,
    lease,
    durability,
    report,
    logId,
    listing,
    end,
  });
  const announced = await writer.append([announcement(parts)]);
  const flushed = announced.ok ? await writer.flush() : announced;
  return flushed.ok ? ok(writer) : flushed;
}

function sessionExists(session: string): Result<never> {
  return fail("exists", `Session ${session} exists already.`, {
    path: session,
    fix: "Resume it, or choose another id.",
  });
}

interface LogStart {
  /** The one that the line names. */
  readonly epoch: number;
  readonly seq: number;
  readonly listing: Buffer;
  readonly line: Buffer;
}

interface MadeLog {
  readonly leaseEpoch: number;
  /** `null` where the lease has another epoch, or where there is such a log already. */
  readonly logId: number | null;
}

/** Takes a free lease and makes the log it is for in one statement; `null` where somebody else has the lease. */
async function makeLog(
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

/** A log and all its entries, as they were at one moment; it is whole, and its row describes it as it is. */
interface ValidLog {
  readonly log: DescribedLog;
  readonly entries: readonly { readonly entry: Entry; readonly place: EntryLocation }[];
  readonly report: LogReport;
  readonly listing: ListingState;
}

type SeenRow = (DescribedLog & { readonly place: null }) | (EntryRow & { readonly id: null });

/**
 * Looks at a log before anybody has its lease: `null` where it is too long for that, or where anything about it needs
 * more than a look. `not-found` or `collected` where there is none.
 */
async function lookAtLog(rows: ProjectRows, session: string): Promise<Result<ValidLog | null>> {
  const { database, project } = rows;
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const found = await database.query<SeenRow>(
    `select * from ${database.schema}.look_at_log($1, $2, $3)`,
    [project, session, pageBytes],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const log = found.value.rows.find((row) => row.id !== null);
  if (!log) return absentSession(rows, session);
  if (log.bytes > pageBytes || log.format > formatVersion || log.damaged_lines > 0) return ok(null);
  return judge(
    log,
    found.value.rows.filter((row) => row.id === null),
    database.schema,
  );
}

async function judge(
  log: DescribedLog,
  rows: readonly EntryRow[],
  schema: string,
): Promise<Result<ValidLog | null>> {
  const source = { schema, query: async () => ok({ rows: rows as never[], count: rows.length }) };
  const entries: ValidLog["entries"][number][] = [];
  let listing: ListingState = {};
  let hasDamage = false;
  const judged = await readLog(
    source,
    log,
    (entry, location) => {
      listing = advanceListing(listing, entry, entries.length === 0);
      entries.push({ entry, place: location });
    },
    {
      onDamage: () => {
        hasDamage = true;
      },
    },
  );
  if (!judged.ok) return judged;
  const report = { ...judged.value.report(), lastSeq: log.last_seq };
  const isSound = !hasDamage && entries.length > 0 && report.version <= formatVersion;
  const isDescribed = log.listing.equals(encodeListing(listing));
  return ok(isSound && isDescribed ? { log, entries, report, listing } : null);
}
