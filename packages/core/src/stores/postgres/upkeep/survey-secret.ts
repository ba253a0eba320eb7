import { type RedactedBlob, redactEntry } from "../../../log/redact-entry.ts";
import { redactBytes } from "../../../log/redact-value.ts";
import { type BlobLocation, type LogDamage, ok, type Redaction, type Result } from "../../../spec/index.ts";
import { countLines } from "../../shared/blob-size.ts";
import { sha256Of } from "../../shared/sha256.ts";
import { noteBlobKinds, type SecretFindings } from "../../shared/upkeep.ts";
import { readChunks } from "../blob-store.ts";
import { findLog, type LogRow } from "../log/log-row.ts";
import { readLog } from "../log/read-log.ts";
import type { ProjectRows } from "./tombstone.ts";

interface SurveyedBlobs {
  readonly redacted: ReadonlyMap<string, RedactedBlob>;
  /** Their bytes are not those they were stored with: nothing can refer to them. */
  readonly damaged: readonly string[];
}

const repeatable = { isRepeatable: true } as const;

/** Where a damaged blob or bytes kept aside are, for people to read. */
function partAddress({ database, project }: ProjectRows, session: string, part: string): string {
  return `${database.address}#${project}/${session}/${part}`;
}

/** Reads only. `not-found` or `collected` for a session that is not there. */
export async function surveySecret(
  rows: ProjectRows,
  session: string,
  redaction: Redaction,
  signal?: AbortSignal,
): Promise<Result<SecretFindings>> {
  const { database } = rows;
  const log = await findLog(rows, session);
  if (!log.ok) return log;
  const blobKinds = new Map<string, BlobLocation["as"]>();
  const noted = await readLog(database, log.value, (entry) => noteBlobKinds(blobKinds, entry), { signal });
  if (!noted.ok) return noted;
  const blobs = await surveyBlobs(rows, session, redaction, blobKinds);
  if (!blobs.ok) return blobs;
  const { redacted, damaged } = blobs.value;
  const found = { entries: 0, occurrences: 0, droppedBlocks: 0 };
  const damages: LogDamage[] = [];
  const read = await readLog(
    database,
    log.value,
    (entry) => {
      const after = redactEntry(entry, redaction, redacted);
      if (after.entry === entry) return;
      found.entries += 1;
      found.occurrences += after.occurrences;
      found.droppedBlocks += after.droppedBlocks;
    },
    { signal, onDamage: (damage) => damages.push(damage) },
  );
  if (!read.ok) return read;
  const inDamage = await isInDamage(rows, log.value, damages, redaction);
  if (!inDamage.ok) return inDamage;
  const asides = await asidesHolding(rows, session, redaction);
  if (!asides.ok) return asides;
  const notes = await notesHolding(rows, session, redaction);
  if (!notes.ok) return notes;
  const toolResults = await namesOf(rows, session, [...redacted.keys()]);
  if (!toolResults.ok) return toolResults;
  return ok({
    session,
    ...found,
    inDamage: inDamage.value,
    blobs: redacted,
    blobKinds,
    toolResults: toolResults.value,
    notes: notes.value,
    removable: [...asides.value, ...damaged].map((part) => partAddress(rows, session, part)),
  });
}

async function surveyBlobs(
  rows: ProjectRows,
  session: string,
  redaction: Redaction,
  kinds: ReadonlyMap<string, BlobLocation["as"]>,
): Promise<Result<SurveyedBlobs>> {
  const { database, project } = rows;
  const listed = await database.query<{ sha256: string }>(
    `select sha256 from ${database.schema}.blob where project = $1 and session = $2 order by sha256`,
    [project, session],
    repeatable,
  );
  if (!listed.ok) return listed;
  const redacted = new Map<string, RedactedBlob>();
  const damaged: string[] = [];
  for (const { sha256 } of listed.value.rows) {
    const bytes = await readChunks(rows, session, sha256);
    if (!bytes.ok) return bytes;
    if (bytes.value === null || !holdsSecret(bytes.value, redaction)) continue;
    if (sha256Of(bytes.value) !== sha256) {
      damaged.push(sha256);
      continue;
    }
    const next = redactBytes(bytes.value, kinds.get(sha256), redaction);
    if (next.occurrences === 0) continue;
    const ref = { blob: sha256Of(next.bytes), bytes: next.bytes.length, lines: countLines(next.bytes) };
    redacted.set(sha256, { ref, occurrences: next.occurrences });
  }
  return ok({ redacted, damaged });
}

function holdsSecret(bytes: Uint8Array, { needles }: Redaction): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return needles.some((needle) => buffer.includes(Buffer.from(needle)));
}

/** Whether a damaged row holds the secret, in its damage or where damage has taken it apart. */
async function isInDamage(
  { database }: ProjectRows,
  { id }: LogRow,
  damages: readonly LogDamage[],
  { needles }: Redaction,
): Promise<Result<boolean>> {
  if (damages.length === 0) return ok(false);
  const found = await database.query(
    `select 1 from unnest($2::bigint[], $3::bigint[]) as damage (place, bytes), lateral (
       select substr(line, (damage.place - place + 1)::int, damage.bytes::int) as content
       from ${database.schema}.entry where log_id = $1 and place <= damage.place order by place desc limit 1
     ) as piece
     where exists (select from unnest($4::bytea[]) as needle where position(needle in piece.content) > 0) limit 1`,
    [id, damages.map(({ offset }) => offset), damages.map(({ bytes }) => bytes), needles],
    repeatable,
  );
  return found.ok ? ok(found.value.count > 0) : found;
}

/** As `<kind>@<place>`. */
async function asidesHolding(
  { database, project }: ProjectRows,
  session: string,
  { needles }: Redaction,
): Promise<Result<readonly string[]>> {
  const found = await database.query<{ kind: string; place: number }>(
    `select kind, place from ${database.schema}.aside where project = $1 and session = $2
       and exists (select from unnest($3::bytea[]) as needle where position(needle in content) > 0)
     order by kind, place`,
    [project, session, needles],
    repeatable,
  );
  return found.ok ? ok(found.value.rows.map(({ kind, place }) => `${kind}@${place}`)) : found;
}

async function notesHolding(
  rows: ProjectRows,
  session: string,
  { needles }: Redaction,
): Promise<Result<readonly string[]>> {
  const found = await rows.database.query(
    `select from ${rows.database.schema}.notes_copy where project = $1 and session = $2
       and exists (select from unnest($3::bytea[]) as needle where position(needle in content) > 0)`,
    [rows.project, session, needles],
    repeatable,
  );
  return found.ok ? ok(found.value.rows.map(() => partAddress(rows, session, "notes"))) : found;
}

async function namesOf(
  rows: ProjectRows,
  session: string,
  blobs: readonly string[],
): Promise<Result<readonly string[]>> {
  const { database, project } = rows;
  const found = await database.query<{ name: string }>(
    `select name from ${database.schema}.blob_name
     where project = $1 and session = $2 and sha256 = any($3) order by name`,
    [project, session, blobs],
    repeatable,
  );
  return found.ok ? ok(found.value.rows.map(({ name }) => partAddress(rows, session, name))) : found;
}
