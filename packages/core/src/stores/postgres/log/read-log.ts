import { decodeLine } from "../../../log/codec.ts";
import { createLineJudge, type DamageVisit, type LineJudge } from "../../../log/line-judge.ts";
import {
  type Entry,
  type EntryLocation,
  type EntryVisit,
  fail,
  ok,
  type Result,
  type ScanOptions,
} from "../../../spec/index.ts";
import { maxLineBytes } from "../../shared/log.ts";
import type { Database } from "../database.ts";
import type { LogRow } from "./log-row.ts";

export interface ReadLogOptions extends ScanOptions {
  readonly onDamage?: DamageVisit;
}

/** A database, or a transaction on it. */
export type EntrySource = Pick<Database, "schema" | "query">;

export interface EntryRow {
  readonly place: number;
  readonly line: Buffer;
}

/** How much of a log is asked for at a time: the rows that begin within so many bytes. */
export const pageBytes = 1024 * 1024;
/** A larger hole is counted without being looked at. */
const maxHoleBytes = 16 * 1024 * 1024;
const newline = 0x0a;
const repeatable = { isRepeatable: true } as const;

/**
 * Judges the lines of a log up to where it ended when `log` was read, so that a writer beside it does no harm. Rows
 * that are gone are damage too: bytes that nobody can read.
 */
export async function readLog(
  database: EntrySource,
  log: Pick<LogRow, "id" | "bytes">,
  visit: EntryVisit,
  options: ReadLogOptions = {},
): Promise<Result<LineJudge>> {
  const { from = 0, limit = Number.POSITIVE_INFINITY, signal } = options;
  let damages = 0;
  const judge = createLineJudge(visit, (damage) => {
    damages += 1;
    options.onDamage?.(damage);
  });
  /** Where the next row begins, unless the one before it was damaged. */
  let next: number | null = from;
  for (let page = from; page < log.bytes; page = Math.max(page + pageBytes, next ?? 0)) {
    if (signal?.aborted) return abortFailure();
    const rows = await readPage(database, log, page);
    if (!rows.ok) return rows;
    for (const { place, line } of rows.value) {
      if (next !== null && place > next) judgeHole(judge, next, place);
      const before = damages;
      judgeRow(judge, place, line);
      next = damages === before ? place + line.length : null;
      if (judge.entries >= limit)
        return finish(next === null ? await placeBehind(database, log, place) : ok(next));
    }
  }
  if (signal?.aborted) return abortFailure();
  if (next !== null && next < log.bytes) judgeHole(judge, next, log.bytes);
  return finish(ok(Math.max(from, log.bytes)));

  /** A line that seems damaged may have been written anew under our eyes. */
  async function finish(end: Result<number>): Promise<Result<LineJudge>> {
    if (!end.ok) return end;
    const isThere = damages === 0 ? ok(true) : await isStillThere(database, log.id);
    if (!isThere.ok) return isThere;
    if (!isThere.value) return writtenAnew();
    judge.tail(end.value, 0, false);
    return ok(judge);
  }
}

export async function readPage(
  database: EntrySource,
  { id, bytes }: Pick<LogRow, "id" | "bytes">,
  from: number,
): Promise<Result<readonly EntryRow[]>> {
  const found = await database.query<EntryRow>(
    `select place, line from ${database.schema}.entry
     where log_id = $1 and place >= $2 and place < $3 order by place`,
    [id, from, Math.min(from + pageBytes, bytes)],
    repeatable,
  );
  return found.ok ? ok(found.value.rows) : found;
}

/** A row holds one line; damage may have put newlines into it, or taken its own. */
function judgeRow(judge: LineJudge, location: number, row: Buffer): void {
  for (let start = 0; start < row.length; ) {
    const at = row.indexOf(newline, start);
    const end = at === -1 ? row.length : at;
    if (end - start > maxLineBytes) judge.longLine(location + start, end - start);
    else judge.line(row, start, end, location + start);
    start = end + 1;
  }
}

function judgeHole(judge: LineJudge, from: number, until: number): void {
  const bytes = until - from;
  if (bytes > maxHoleBytes) judge.longLine(from, bytes);
  else judge.line(Buffer.alloc(bytes), 0, bytes, from);
}

/** The one entry that begins at `place`. */
export async function readEntryAt(
  database: EntrySource,
  { id }: LogRow,
  session: string,
  location: EntryLocation,
): Promise<Result<Entry>> {
  const found = await database.query<EntryRow>(
    `select place, line from ${database.schema}.entry where log_id = $1 and place <= $2
     order by place desc limit 1`,
    [id, location],
    repeatable,
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  const line = row?.line.subarray(location - row.place);
  const end = line?.indexOf(newline) ?? -1;
  const decoded = line && end !== -1 ? decodeLine(line, 0, end) : null;
  if (decoded?.outcome === "entry") return ok(decoded.entry);
  return fail("corrupt", `No entry begins at byte ${location} of session ${session}.`, {
    path: session,
    fix: "Read the log from its start.",
  });
}

export async function placeBehind(
  database: EntrySource,
  log: Pick<LogRow, "id" | "bytes">,
  location: number,
) {
  const found = await database.query<{ place: number | null }>(
    `select min(place) as place from ${database.schema}.entry where log_id = $1 and place > $2`,
    [log.id, location],
    repeatable,
  );
  return found.ok ? ok(found.value.rows[0]?.place ?? log.bytes) : found;
}

export async function isStillThere(database: EntrySource, id: number): Promise<Result<boolean>> {
  const found = await database.query(`select 1 from ${database.schema}.log where id = $1`, [id], repeatable);
  return found.ok ? ok(found.value.count > 0) : found;
}

function abortFailure(): Result<never> {
  return fail("aborted", "Reading the log was aborted.");
}

export function writtenAnew(): Result<never> {
  return fail("conflict", "The log was written anew or removed while it was being read.", {
    fix: "Read it again.",
    retryable: true,
  });
}
