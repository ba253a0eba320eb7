import { createLineJudge } from "../../../log/line-judge.ts";
import { type ArchivePiece, fail, ok, type Result } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { advanceListing, encodeListing, type ListingState } from "../log/log-row.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

export type LogPiece = Extract<ArchivePiece, { readonly kind: "log" }>;

interface PresentLog {
  readonly id: number;
  readonly epoch: number;
  readonly last_seq: number;
  readonly bytes: number;
  readonly entries: number;
  readonly format: number;
  readonly damaged_lines: number;
  readonly listing: Buffer;
}

/** Lines that begin within so many bytes are one part. */
const partBytes = 4 * 1024 * 1024;
/** Nobody's token: whoever opens the log takes it with a lease of its own. */
const noWriter = "copied";
const newline = 0x0a;
const repeatable = { isRepeatable: true } as const;

export async function logParts(
  { database, project }: ProjectRows,
  session: string,
): Promise<Result<readonly LogPiece[]>> {
  const found = await database.query<{ at: number; bytes: number }>(
    `select min(place) as at, max(place + length(line)) - min(place) as bytes
     from ${database.schema}.log join ${database.schema}.entry on log_id = log.id
     where project = $1 and session = $2 group by place / ${partBytes} order by at`,
    [project, session],
    repeatable,
  );
  return found.ok ? ok(found.value.rows.map((part) => ({ kind: "log", session, ...part }))) : found;
}

export async function readLogPart(
  { database, project }: ProjectRows,
  { session, at, bytes }: LogPiece,
): Promise<Result<Uint8Array | null>> {
  const found = await database.query<{ line: Buffer }>(
    `select line from ${database.schema}.log join ${database.schema}.entry on log_id = log.id
     where project = $1 and session = $2 and place >= $3 and place < $4 order by place`,
    [project, session, at, at + bytes],
    repeatable,
  );
  if (!found.ok) return found;
  return ok(found.value.count === 0 ? null : Buffer.concat(found.value.rows.map(({ line }) => line)));
}

/** Adds lines at the end, where they belong, in one transaction. What is there of them already must be the same. */
export function writeLogPart(rows: ProjectRows, piece: LogPiece, content: Uint8Array): Promise<Result<void>> {
  const { database, project } = rows;
  const { schema } = database;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return database.transaction<void>(async (run) => {
    const log = await findOrMake(run, rows, piece);
    if (log === null) return refuseOtherLog(piece.session);
    const present = await presentBytes(run, schema, log.id, piece.at, bytes.length);
    const isSame = bytes.subarray(0, present.length).equals(present.subarray(0, bytes.length));
    if (log.bytes < piece.at || !isSame) return refuseOtherLog(piece.session);
    if (present.length >= bytes.length) return ok();
    const added = linesOf(bytes.subarray(present.length), log.bytes);
    await run(
      `insert into ${schema}.entry (log_id, place, line) select $1, * from unnest($2::bigint[], $3::bytea[])`,
      [log.id, added.map(({ place }) => place), added.map(({ line }) => line)],
    );
    const next = describe(log, added);
    await run(
      `update ${schema}.log set epoch = $2, last_seq = $3, bytes = $4, entries = $5, format = $6,
         damaged_lines = $7, listing = $8, modified_at = clock_timestamp()
       where id = $1 and project = $9`,
      [
        ...[log.id, next.epoch, next.last_seq, next.bytes, next.entries, next.format, next.damaged_lines],
        ...[next.listing, project],
      ],
    );
    return ok();
  }, repeatable);
}

/** `null`: the part does not begin a log, and there is none. */
async function findOrMake(
  run: Run,
  rows: ProjectRows,
  { session, at }: LogPiece,
): Promise<PresentLog | null> {
  const { database, project } = rows;
  const { schema } = database;
  if (at === 0)
    await run(
      `insert into ${schema}.log (project, session, epoch, writer, last_seq, bytes, entries, format, listing)
       values ($1, $2, 0, $3, 0, 0, 0, 1, $4) on conflict (project, session) do nothing`,
      [project, session, noWriter, encodeListing({})],
    );
  const { rows: found } = await run<PresentLog>(
    `select id, epoch, last_seq, bytes, entries, format, damaged_lines, listing from ${schema}.log
     where project = $1 and session = $2 for update`,
    [project, session],
  );
  return found[0] ?? null;
}

async function presentBytes(
  run: Run,
  schema: string,
  id: number,
  at: number,
  bytes: number,
): Promise<Buffer> {
  const { rows } = await run<{ line: Buffer }>(
    `select line from ${schema}.entry where log_id = $1 and place >= $2 and place < $3 order by place`,
    [id, at, at + bytes],
  );
  return Buffer.concat(rows.map(({ line }) => line));
}

interface PlacedLine {
  readonly place: number;
  readonly line: Buffer;
}

function linesOf(bytes: Buffer, from: number): readonly PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(newline, start);
    const end = at === -1 ? bytes.length : at + 1;
    lines.push({ place: from + start, line: bytes.subarray(start, end) });
    start = end;
  }
  return lines;
}

/** The log's row once these lines are in it. */
function describe(log: PresentLog, lines: readonly PlacedLine[]): Omit<PresentLog, "id"> {
  let listing = JSON.parse(log.listing.toString("utf8")) as ListingState;
  let isFirst = log.bytes === 0;
  const judge = createLineJudge((entry) => {
    listing = advanceListing(listing, entry, isFirst);
    isFirst = false;
  });
  // Decoding changes the bytes it is given.
  for (const { place, line } of lines) judge.line(Buffer.from(line), 0, line.length - 1, place);
  const { entries, lastSeq, epoch, version, corruptLines } = judge.report();
  return {
    epoch: Math.max(log.epoch, epoch),
    last_seq: Math.max(log.last_seq, lastSeq),
    bytes: log.bytes + lines.reduce((sum, { line }) => sum + line.length, 0),
    entries: log.entries + entries,
    format: Math.max(log.format, version),
    damaged_lines: log.damaged_lines + corruptLines,
    listing: encodeListing(listing),
  };
}

function refuseOtherLog(session: string): Result<never> {
  return fail("exists", `Session ${session} is there already, with other entries.`, {
    path: session,
    fix: "Remove one of the two, or copy into an empty store.",
  });
}
