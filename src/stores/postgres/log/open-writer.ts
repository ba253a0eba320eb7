import { encodeEntry, formatVersion } from "../../../log/codec.ts";
import { emptyReport } from "../../../log/empty-report.ts";
import {
  type Clock,
  type Entry,
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
import { defaultDurability } from "../../files/open-writer.ts";
import { fenced } from "../leases/held-lease.ts";
import type { PostgresLeaseStore } from "../leases/lease-store.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";
import { holdLog, readHeld } from "./hold-log.ts";
import { advanceListing, encodeListing } from "./listing-state.ts";
import { createPostgresLogWriter } from "./log-writer.ts";
import { makeLog } from "./make-log.ts";
import type { TakenLog } from "./take-log.ts";

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
      if (lease) return giveUp(lease, fenced(epoch));
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
      return ok(createPostgresLogWriter({ ...parts, session, lease, durability, report, logId, listing }));
    }
    epoch = leaseEpoch;
  }
}

async function giveUp<T>(lease: Lease | null, why: Result<T>): Promise<Result<T>> {
  await lease?.release();
  return why;
}

/** Fences off whoever wrote before, reads the log, then announces the new writer. */
export async function resumeLog(
  parts: WriterParts,
  session: string,
  { lease, log }: TakenLog,
  visit: EntryVisit,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const held = log
    ? await readHeld(parts, session, log, visit, request.signal)
    : await holdLog(parts, session, lease, visit, request.signal);
  if (!held.ok) return held;
  const { logId, report, listing } = held.value;
  const durability = request.durability ?? defaultDurability;
  const writer = createPostgresLogWriter({ ...parts, session, lease, durability, report, logId, listing });
  const announced = await writer.append([{ kind: "note", note: { topic: "writer", writer: parts.writer } }]);
  const flushed = announced.ok ? await writer.flush() : announced;
  return flushed.ok ? ok(writer) : flushed;
}

function sessionExists(session: string): Result<never> {
  return fail("exists", `Session ${session} exists already.`, {
    path: session,
    fix: "Resume it, or choose another id.",
  });
}
