import { formatVersion } from "../../../log/codec.ts";
import { redactEntry } from "../../../log/redact-entry.ts";
import { redactBytes, redactText } from "../../../log/redact-value.ts";
import {
  type Entry,
  fail,
  type Lease,
  ok,
  type Redaction,
  type Result,
  type UpkeepOptions,
} from "../../../spec/index.ts";
import { refuseTakenOver } from "../../shared/log.ts";
import { isSha256, sha256Of } from "../../shared/sha256.ts";
import { isClean, type SecretFindings } from "../../shared/upkeep.ts";
import { readChunks, writeBlob } from "../blob-store.ts";
import type { Run } from "../database.ts";
import type { HeldLog } from "../log/hold-log.ts";
import { hasRedaction, writeRedaction } from "./redaction-record.ts";
import { rewriteLog, type UpkeepParts, withHeldLog } from "./rewrite-log.ts";
import { surveySecret } from "./survey-secret.ts";
import type { ProjectRows } from "./tombstone.ts";

/**
 * Takes a secret out of a session: out of its log, its blobs, its notes and the bytes kept aside, in one transaction.
 * Gives what was found; `isClean` says that there was nothing to do. The server keeps old rows until it vacuums, and its
 * write-ahead log and backups as long as it is told to.
 */
export function redactSession(
  parts: UpkeepParts,
  session: string,
  redaction: Redaction,
  options: UpkeepOptions = {},
): Promise<Result<SecretFindings>> {
  if (redactText(session, redaction.forms).occurrences > 0) return Promise.resolve(refuseName(session));
  return withHeldLog(parts, session, options, async (held, lease) => {
    if (lease.takenOver) return refuseTakenOver(session);
    const survey = await surveySecret(parts, session, redaction, options.signal);
    if (!survey.ok || isClean(survey.value)) return survey;
    const applied = await apply(parts, held, lease, survey.value, redaction);
    return applied.ok ? survey : applied;
  });
}

function apply(
  parts: UpkeepParts,
  held: HeldLog,
  lease: Lease,
  survey: SecretFindings,
  redaction: Redaction,
): Promise<Result<void>> {
  const { database, clock, ids } = parts;
  const { session, entries, occurrences, droppedBlocks, removable } = survey;
  const id = ids.next("redaction");
  const at = new Date(clock.now()).toISOString();
  const counts = { entries, occurrences, droppedBlocks, blobs: survey.blobs.size };
  const closing = closingNote(survey, held, lease, ids.next("note"), at);
  const replace = (entry: Entry) => redactEntry(entry, redaction, survey.blobs).entry;
  return database.transaction<void>(
    async (run) => {
      if (await hasRedaction(run, parts, session, id)) return ok();
      const put = await putRedactedBlobs(run, parts, survey, redaction);
      if (!put.ok) return put;
      if (entries > 0 || survey.inDamage) {
        const { logId } = held;
        const rewritten = await rewriteLog(run, {
          ...parts,
          session,
          logId,
          lease,
          replace,
          closing: [closing],
        });
        if (!rewritten.ok) return rewritten;
      }
      await removeHolding(run, parts, survey, redaction);
      await redactNotes(run, parts, session, redaction);
      await writeRedaction(run, parts, session, id, { at, ...counts, removed: removable, finished: true });
      return ok();
    },
    { isRepeatable: true },
  );
}

function closingNote(
  { occurrences, droppedBlocks }: SecretFindings,
  { report }: HeldLog,
  lease: Lease,
  id: string,
  at: string,
): Entry {
  return {
    v: formatVersion,
    seq: report.lastSeq + 1,
    epoch: lease.epoch,
    id,
    at,
    kind: "note",
    note: { topic: "redacted", occurrences, droppedBlocks },
  };
}

/** Stores what stands for the blobs that hold the secret, and lets their names mean it. */
async function putRedactedBlobs(
  run: Run,
  rows: ProjectRows,
  { session, blobs, blobKinds }: SecretFindings,
  redaction: Redaction,
): Promise<Result<void>> {
  const inside = withinTransaction(rows, run);
  for (const [sha256, { ref }] of blobs) {
    const before = await readChunks(inside, session, sha256);
    if (!before.ok) return before;
    const { bytes } = redactBytes(before.value ?? new Uint8Array(), blobKinds.get(sha256), redaction);
    if (sha256Of(bytes) !== ref.blob) {
      return fail("conflict", `Blob ${sha256} changed while it was being read.`, { retryable: true });
    }
    await writeBlob(run, rows, session, ref, bytes);
    await run(
      `update ${rows.database.schema}.blob_name set sha256 = $4
       where project = $1 and session = $2 and sha256 = $3`,
      [rows.project, session, sha256, ref.blob],
    );
  }
  return ok();
}

/** Removes what nobody refers to any more, and what cannot be rewritten. */
async function removeHolding(
  run: Run,
  { database: { schema }, project }: ProjectRows,
  { session, blobs, removable }: SecretFindings,
  { needles }: Redaction,
): Promise<void> {
  const damaged = removable.map((address) => address.slice(address.lastIndexOf("/") + 1)).filter(isSha256);
  const olds = [...blobs.keys(), ...damaged];
  for (const table of ["blob_name", "blob_chunk", "blob"])
    await run(`delete from ${schema}.${table} where project = $1 and session = $2 and sha256 = any($3)`, [
      project,
      session,
      olds,
    ]);
  await run(
    `delete from ${schema}.aside where project = $1 and session = $2
       and exists (select from unnest($3::bytea[]) as needle where position(needle in content) > 0)`,
    [project, session, needles],
  );
}

async function redactNotes(
  run: Run,
  { database: { schema }, project }: ProjectRows,
  session: string,
  redaction: Redaction,
): Promise<void> {
  const { rows } = await run<{ content: Buffer }>(
    `select content from ${schema}.notes_copy where project = $1 and session = $2 for update`,
    [project, session],
  );
  for (const { content } of rows) {
    const { bytes, occurrences } = redactBytes(content, "text", redaction);
    if (occurrences > 0)
      await run(`update ${schema}.notes_copy set content = $3 where project = $1 and session = $2`, [
        project,
        session,
        Buffer.from(bytes),
      ]);
  }
}

function refuseName(session: string): Result<never> {
  return fail("invalid-input", "The session's own id holds the secret.", {
    path: session,
    fix: "Export the parts worth keeping, and delete the session.",
  });
}

/** The same rows, seen and changed by the transaction of `run`; a statement that fails throws, and ends it. */
function withinTransaction(rows: ProjectRows, run: Run): ProjectRows {
  return {
    ...rows,
    database: { ...rows.database, query: async (text, values) => ok(await run(text, values)) },
  };
}
