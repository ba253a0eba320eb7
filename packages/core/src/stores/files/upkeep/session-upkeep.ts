import { formatVersion } from "../../../log/codec.ts";
import { redactEntry } from "../../../log/redact-entry.ts";
import { redactText } from "../../../log/redact-value.ts";
import {
  type BlobStore,
  type Disk,
  type Entry,
  fail,
  type Ids,
  type LogStore,
  ok,
  type Redaction,
  type RedactionRecord,
  type Result,
  type SessionUpkeep,
  type UpkeepOptions,
} from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { refuseTakenOver } from "../../shared/log.ts";
import { isClean, planRepair, type SecretFindings, toSurvey, withLostBlobs } from "../../shared/upkeep.ts";
import { readWholeFile, writeWholeFile } from "../disk/whole-file.ts";
import { type HeldLog, holdLog, type LogParts } from "../log/hold-log.ts";
import { rewriteLog } from "../log/rewrite-log.ts";
import { putRedactedBlobs, redactFiles } from "./redact-files.ts";
import { repairSession } from "./remove-session.ts";
import { surveySecret } from "./survey-secret.ts";

export interface FileUpkeepOptions extends RedactParts {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
}

export function createFileUpkeep(options: FileUpkeepOptions): SessionUpkeep {
  const { disk, layout, logs } = options;
  return {
    survey: async (session, redaction, signal) =>
      toSurvey(await surveySecret(options, session, redaction, signal)),
    redact: async (session, redaction, request) =>
      toSurvey(await redactSession(options, session, redaction, request)),
    redactions: (session) => readRedactions(disk, layout, session),
    async planRepair(session, signal) {
      const path = layout.log(session);
      if (!path.ok) return path;
      const report = await logs.scan(session, () => undefined, { signal });
      if (!report.ok) return report;
      return withLostBlobs(options, planRepair(session, path.value, report.value), { mends: false, signal });
    },
    async repair(session, request) {
      const repaired = await repairSession(options, session, request);
      if (!repaired.ok) return repaired;
      return withLostBlobs(options, repaired.value, { mends: true, signal: request?.signal });
    },
  };
}

export interface RedactParts extends LogParts {
  readonly blobs: BlobStore;
}

/**
 * Takes a secret out of a session: out of its log, its blobs and tool results, and the files beside it. The log's
 * name stands for the whole old log or the whole new one at every moment; after a crash, running it again finishes.
 * Gives what was found; `isClean` says that there was nothing to do.
 */
export function redactSession(
  parts: RedactParts,
  session: string,
  redaction: Redaction,
  options: UpkeepOptions = {},
): Promise<Result<SecretFindings>> {
  if (redactText(session, redaction.forms).occurrences > 0) return Promise.resolve(refuseName(session));
  return holdLog(parts, session, options, async (held) => {
    if (held.lease.takenOver) return refuseTakenOver(held.path);
    const survey = await surveySecret(parts, session, redaction, options.signal);
    if (!survey.ok) return survey;
    const { disk, layout } = parts;
    const earlier = await readRedactions(disk, layout, session);
    if (!earlier.ok) return earlier;
    const isUnfinished = earlier.value.at(-1)?.finished === false;
    if (isClean(survey.value) && !isUnfinished) return survey;
    const applied = await apply(parts, held, survey.value, redaction, earlier.value);
    return applied.ok ? survey : applied;
  });
}

async function apply(
  parts: RedactParts,
  held: HeldLog,
  survey: SecretFindings,
  redaction: Redaction,
  earlier: readonly RedactionRecord[],
): Promise<Result<void>> {
  const { disk, layout, ids, clock } = parts;
  const at = new Date(clock.now()).toISOString();
  const begun = isClean(survey) ? [] : [{ ...recordOf(survey, at), finished: false }];
  const records = [...earlier, ...begun];
  const announced = await writeRedactions(disk, ids, layout, held.session, records);
  if (!announced.ok) return announced;
  const put = await putRedactedBlobs(parts, survey, redaction);
  if (!put.ok) return put;
  const rewritten =
    survey.entries > 0 || survey.inDamage ? await rewrite(parts, held, survey, redaction, at) : ok();
  if (!rewritten.ok) return rewritten;
  const cleaned = await redactFiles(parts, survey, redaction);
  if (!cleaned.ok) return cleaned;
  const finished = records.map((record) => ({ ...record, finished: true }));
  return writeRedactions(disk, ids, layout, held.session, finished);
}

async function rewrite(
  { disk, ids }: RedactParts,
  { path, file, lease, report }: HeldLog,
  survey: SecretFindings,
  redaction: Redaction,
  at: string,
): Promise<Result<void>> {
  if (report.epoch >= lease.epoch) {
    const raised = await lease.raise(report.epoch);
    if (!raised.ok) return raised;
  }
  const { occurrences, droppedBlocks } = survey;
  const closing: Entry = {
    v: formatVersion,
    seq: report.lastSeq + 1,
    epoch: lease.epoch,
    id: ids.next("note"),
    at,
    kind: "note",
    note: { topic: "redacted", occurrences, droppedBlocks },
  };
  const replace = (entry: Entry) => ok(redactEntry(entry, redaction, survey.blobs).entry);
  const rewritten = await rewriteLog({ disk, path, file, lease, replace, closing: [closing] });
  return rewritten.ok ? ok() : rewritten;
}

function refuseName(session: string): Result<never> {
  return fail("invalid-input", "The session's own id holds the secret.", {
    path: session,
    fix: "Export the parts worth keeping, and delete the session.",
  });
}

function recordOf(survey: SecretFindings, at: string): Omit<RedactionRecord, "finished"> {
  const { entries, occurrences, droppedBlocks, removable } = survey;
  return { at, entries, occurrences, droppedBlocks, blobs: survey.blobs.size, removed: removable };
}

interface RecordFile {
  readonly session: string;
  readonly redactions: readonly RedactionRecord[];
}

function redactionRecordPath(layout: Layout, session: string): Result<string> {
  const log = layout.log(session);
  return log.ok ? ok(`${log.value.slice(0, -".jsonl".length)}.redacted.json`) : log;
}

/** Oldest first; none where nothing was ever redacted. */
export async function readRedactions(
  disk: Disk,
  layout: Layout,
  session: string,
): Promise<Result<readonly RedactionRecord[]>> {
  const path = redactionRecordPath(layout, session);
  if (!path.ok) return path;
  const bytes = await readWholeFile(disk, path.value);
  if (!bytes.ok) return bytes.error.code === "not-found" ? ok([]) : bytes;
  try {
    const file = JSON.parse(Buffer.from(bytes.value).toString("utf8")) as RecordFile;
    return ok(Array.isArray(file.redactions) ? file.redactions : []);
  } catch {
    return ok([]);
  }
}

async function writeRedactions(
  disk: Disk,
  ids: Ids,
  layout: Layout,
  session: string,
  redactions: readonly RedactionRecord[],
): Promise<Result<void>> {
  const path = redactionRecordPath(layout, session);
  if (!path.ok) return path;
  const file: RecordFile = { session, redactions };
  const bytes = Buffer.from(`${JSON.stringify(file, null, 2)}\n`);
  const temporary = `${layout.sessions}/${ids.next("tmp")}`;
  return writeWholeFile(disk, path.value, bytes, { temporary, durable: true, when: "replace" });
}
