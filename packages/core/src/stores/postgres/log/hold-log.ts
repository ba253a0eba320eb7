import { formatVersion } from "../../../log/codec.ts";
import {
  type EntryVisit,
  type Lease,
  type LogDamage,
  type LogReport,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { newerFormat, nothingReadable } from "../../shared/log.ts";
import { absentSession, type ProjectRows } from "../upkeep/tombstone.ts";
import {
  advanceListing,
  type DescribedLog,
  encodeListing,
  type ListingState,
  logColumns,
} from "./log-row.ts";
import { readLog } from "./read-log.ts";

/** A log in the hands of its one writer, its damaged bytes already copied aside. */
export interface HeldLog {
  readonly logId: number;
  readonly report: LogReport;
  readonly listing: ListingState;
}

/**
 * Makes the log its lease holder's: from then on what a former writer sends matches no row. Only then it is read, so
 * that nothing can come late. Damage stays where it is and is copied aside.
 */
export async function holdLog(
  rows: ProjectRows,
  session: string,
  lease: Lease,
  visit: EntryVisit,
  signal?: AbortSignal,
): Promise<Result<HeldLog>> {
  const fenced = await fence(rows, session, lease);
  if (!fenced.ok) return fenced;
  const log = fenced.value;
  if (log.format > formatVersion) return newerFormat(session, log.format);
  let listing: ListingState = {};
  let isFirst = true;
  const damages: LogDamage[] = [];
  const judge = await readLog(
    rows.database,
    log,
    (entry, location) => {
      listing = advanceListing(listing, entry, isFirst);
      isFirst = false;
      visit(entry, location);
    },
    { signal, onDamage: (damage) => damages.push(damage) },
  );
  if (!judge.ok) return judge;
  const report = judge.value.report();
  if (report.version > formatVersion) return newerFormat(session, report.version);
  if (report.entries === 0) return nothingReadable(session, log.bytes);
  const asides = await keepAside(rows, session, log.id, damages);
  if (!asides.ok) return asides;
  const described = await describe(rows, log, encodeListing(listing), report.corruptLines);
  if (!described.ok) return described;
  // The row knows more than lines that cannot be read.
  const lastSeq = log.last_seq;
  return ok({ logId: log.id, listing, report: { ...report, lastSeq, asides: asides.value } });
}

async function fence(rows: ProjectRows, session: string, lease: Lease): Promise<Result<DescribedLog>> {
  const { database, project } = rows;
  for (;;) {
    const updated = await database.query<DescribedLog>(
      `update ${database.schema}.log set epoch = $3, writer = $4
       where project = $1 and session = $2 and (epoch < $3 or (epoch = $3 and writer = $4))
       returning ${logColumns}, listing, damaged_lines`,
      [project, session, lease.epoch, lease.token],
      { isRepeatable: true },
    );
    if (!updated.ok) return updated;
    const [row] = updated.value.rows;
    if (row) return ok(row);
    const present = await database.query<{ epoch: number }>(
      `select epoch from ${database.schema}.log where project = $1 and session = $2`,
      [project, session],
      { isRepeatable: true },
    );
    if (!present.ok) return present;
    const [log] = present.value.rows;
    if (!log) return absentSession(rows, session);
    const raised = await lease.raise(log.epoch);
    if (!raised.ok) return raised;
  }
}

/** Corrects the log's row where reading has found something else. */
async function describe(
  { database }: ProjectRows,
  log: DescribedLog,
  listing: Buffer,
  damagedLines: number,
): Promise<Result<void>> {
  if (log.listing.equals(listing) && log.damaged_lines === damagedLines) return ok();
  const updated = await database.query(
    `update ${database.schema}.log set listing = $2, damaged_lines = $3 where id = $1`,
    [log.id, listing, damagedLines],
    { isRepeatable: true },
  );
  return updated.ok ? ok() : updated;
}

/** Copies damaged bytes out of a log, once however often it is opened. Gives where they are, one address a kind. */
async function keepAside(
  { database, project }: ProjectRows,
  session: string,
  logId: number,
  damages: readonly LogDamage[],
): Promise<Result<readonly string[]>> {
  if (damages.length === 0) return ok([]);
  const { schema, address } = database;
  const kept = await database.query(
    `insert into ${schema}.aside (project, session, kind, place, sha256, content)
     select $1, $2, damage.kind, damage.place, encode(sha256(piece.content), 'hex'), piece.content
     from unnest($4::text[], $5::bigint[], $6::bigint[]) as damage (kind, place, bytes),
       lateral (
         select substr(line, (damage.place - place + 1)::int, damage.bytes::int) as content
         from ${schema}.entry where log_id = $3 and place <= damage.place order by place desc limit 1
       ) as piece
     where length(piece.content) > 0
     on conflict do nothing`,
    [
      project,
      session,
      logId,
      damages.map(({ kind }) => kind),
      damages.map(({ offset }) => offset),
      damages.map(({ bytes }) => bytes),
    ],
    { isRepeatable: true },
  );
  if (!kept.ok) return kept;
  const kinds = new Set(damages.map(({ kind }) => kind));
  return ok([...kinds].sort().map((kind) => `${address}#${project}/${session}.${kind}`));
}
