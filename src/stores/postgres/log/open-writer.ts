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
import type { ProjectRows } from "../upkeep/tombstone.ts";
import { holdLog } from "./hold-log.ts";
import { advanceListing, encodeListing } from "./listing-state.ts";
import { createPostgresLogWriter } from "./log-writer.ts";

export interface WriterParts extends ProjectRows {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: WriterIdentity;
}

const repeatable = { isRepeatable: true } as const;

/** Makes the log with its first entry in it, under a lease just taken. */
export async function startLog(
  parts: WriterParts,
  first: SessionBody,
  lease: Lease,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const { database, project, clock, ids } = parts;
  const session = first.session.id;
  const body: SessionBody = { ...first, session: { ...first.session, writer: parts.writer } };
  const at = new Date(clock.now()).toISOString();
  const seq = (request.afterSeq ?? 0) + 1;
  const entry: Entry = { v: formatVersion, seq, epoch: lease.epoch, id: ids.next("ent"), at, ...body };
  const line = encodeEntry(entry);
  const listing = advanceListing({}, entry, true);
  // A row that is there already is left as it is, and gives its id only if it is this very one.
  const made = await database.query<{ id: number }>(
    `with known as (
       insert into ${database.schema}.project (slug) values ($1) on conflict do nothing
     ), made as (
       insert into ${database.schema}.log as present
         (project, session, epoch, writer, last_seq, bytes, entries, format, listing)
       values ($1, $2, $3, $4, $5, $6, 1, $7, $8)
       on conflict (project, session) do update set writer = present.writer where present.writer = $4
       returning id
     ), line as (
       insert into ${database.schema}.entry (log_id, place, line) select id, 0, $9 from made
       on conflict do nothing
     )
     select id from made`,
    [
      project,
      session,
      lease.epoch,
      lease.token,
      seq,
      line.length,
      formatVersion,
      encodeListing(listing),
      line,
    ],
    repeatable,
  );
  if (!made.ok) return made;
  const [row] = made.value.rows;
  if (!row) return sessionExists(session);
  const report: LogReport = {
    ...emptyReport,
    entries: 1,
    lastSeq: seq,
    epoch: lease.epoch,
    end: line.length,
  };
  const durability = request.durability ?? defaultDurability;
  return ok(
    createPostgresLogWriter({ ...parts, session, lease, durability, report, logId: row.id, listing }),
  );
}

/** Fences off whoever wrote before, reads the log, then announces the new writer, under a lease just taken. */
export async function resumeLog(
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
