import { type RedactedBlob, redactEntry } from "../../../log/redact-entry.ts";
import { redactBytes } from "../../../log/redact-value.ts";
import { type BlobRef, type Disk, type Entry, ok, type Redaction, type Result } from "../../../spec/index.ts";
import { maxBlobBytes } from "../../shared/blob-size.ts";
import { isSha256, sha256Of } from "../../shared/sha256.ts";
import { type BlobKinds, noteBlobKinds, type SecretFindings } from "../../shared/upkeep.ts";
import { readWholeFile } from "../disk/whole-file.ts";
import { createRangeCollector } from "../log/aside.ts";
import { containsBytes, fileContains } from "../log/find-bytes.ts";
import type { LogParts } from "../log/hold-log.ts";
import { readLog } from "../log/read-log.ts";
import { type SessionFile, sessionFiles } from "./session-files.ts";
import { absentSession } from "./tombstone.ts";

type Holding = Record<Exclude<SessionFile["kind"], "log" | "agent">, string[]>;

/** Reads only. `not-found` or `collected` for a session that is not there. */
export async function surveySecret(
  { disk, layout }: Pick<LogParts, "disk" | "layout">,
  session: string,
  redaction: Redaction,
  signal?: AbortSignal,
): Promise<Result<SecretFindings>> {
  const files = await sessionFiles(disk, layout, session);
  if (!files.ok) return files;
  const log = files.value.find(({ kind }) => kind === "log");
  if (log === undefined) return absentSession(disk, layout, session);
  const holding = await filesHolding(disk, files.value, redaction, signal);
  if (!holding.ok) return holding;
  const blobKinds = new Map();
  if (holding.value.blob.length > 0) {
    const read = await scanLog(disk, log.path, (entry) => noteBlobKinds(blobKinds, entry), [], signal);
    if (!read.ok) return read;
  }
  const blobs = await surveyBlobs(disk, holding.value.blob, redaction, blobKinds);
  if (!blobs.ok) return blobs;
  const { redacted, damaged } = blobs.value;

  const found = { entries: 0, occurrences: 0, droppedBlocks: 0 };
  const count = (entry: Entry) => {
    const after = redactEntry(entry, redaction, redacted);
    if (after.entry === entry) return;
    found.entries += 1;
    found.occurrences += after.occurrences;
    found.droppedBlocks += after.droppedBlocks;
  };
  const inDamage = await scanLog(disk, log.path, count, redaction.needles, signal);
  if (!inDamage.ok) return inDamage;
  return ok({
    session,
    ...found,
    inDamage: inDamage.value,
    blobs: redacted,
    blobKinds,
    toolResults: holding.value["tool-result"].filter(isOwnCopyOf([...redacted.keys()], damaged, files.value)),
    notes: holding.value.notes,
    removable: [...holding.value.aside, ...damaged],
  });
}

/** A tool result that is a blob's second name holds the secret if the blob does; any other one speaks for itself. */
function isOwnCopyOf(
  redacted: readonly string[],
  damaged: readonly string[],
  files: readonly SessionFile[],
): (path: string) => boolean {
  const identities = new Map(files.map(({ path, identity }) => [path, identity]));
  const blobs = new Map(
    files.flatMap(({ kind, path, identity }) => (kind === "blob" ? [[identity, path]] : [])),
  );
  return (path) => {
    const blob = blobs.get(identities.get(path) ?? "");
    return blob === undefined || damaged.includes(blob) || redacted.some((sha256) => blob.endsWith(sha256));
  };
}

async function filesHolding(
  disk: Disk,
  files: readonly SessionFile[],
  redaction: Redaction,
  signal: AbortSignal | undefined,
): Promise<Result<Holding>> {
  const holding: Holding = { aside: [], blob: [], "tool-result": [], notes: [] };
  for (const { kind, path } of files) {
    if (kind === "log" || kind === "agent") continue;
    const found = await fileContains(disk, path, redaction.needles, { signal });
    if (!found.ok) return found;
    if (found.value) holding[kind].push(path);
  }
  return ok(holding);
}

/** Visits the entries in force; gives whether a needle stands in the bytes that are not. */
async function scanLog(
  disk: Disk,
  path: string,
  visit: (entry: Entry) => void,
  needles: readonly Uint8Array[],
  signal: AbortSignal | undefined,
): Promise<Result<boolean>> {
  const file = await disk.open(path, "read");
  if (!file.ok) return file;
  try {
    const damage = createRangeCollector();
    const read = await readLog(file.value, visit, { onDamage: damage.add, signal });
    if (!read.ok) return read;
    const { end, tailBytes } = read.value.lines;
    const ranges = [...damage.ranges, { offset: end, bytes: tailBytes }];
    for (const { offset, bytes } of needles.length > 0 ? ranges : []) {
      const found = await containsBytes(file.value, needles, { from: offset, until: offset + bytes, signal });
      if (!found.ok || found.value) return found;
    }
    return ok(false);
  } finally {
    await file.value.close();
  }
}

/** Every file under a folder that holds one of the needles. Links are not followed; what cannot be read is named too. */
export async function findSecret(
  disk: Disk,
  folder: string,
  needles: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Result<readonly string[]>> {
  const found: string[] = [];

  async function look(path: string): Promise<Result<void>> {
    const stat = await disk.stat(path);
    if (!stat.ok) return ok();
    if (stat.value.kind === "file") {
      const holds = await fileContains(disk, path, needles, { signal });
      if (!holds.ok && holds.error.code === "aborted") return holds;
      if (!holds.ok || holds.value) found.push(holds.ok ? path : `${path} (cannot be read)`);
    }
    const names = stat.value.kind === "directory" ? await disk.list(path) : ok([]);
    for (const name of names.ok ? names.value : []) {
      const looked = await look(`${path}/${name}`);
      if (!looked.ok) return looked;
    }
    return ok();
  }

  const looked = await look(folder);
  return looked.ok ? ok(found) : looked;
}

interface SurveyedBlobs {
  /** By old hash, what will stand for a blob. */
  readonly redacted: ReadonlyMap<string, RedactedBlob>;
  /** Files whose bytes are not those they were stored with: nothing can refer to them. */
  readonly damaged: readonly string[];
}

/** Looks into blobs that hold the secret's bytes; those that only seem to hold it are left out. */
async function surveyBlobs(
  disk: Disk,
  paths: readonly string[],
  redaction: Redaction,
  kinds: BlobKinds,
): Promise<Result<SurveyedBlobs>> {
  const redacted = new Map<string, RedactedBlob>();
  const damaged: string[] = [];
  for (const path of paths) {
    const bytes = await readWholeFile(disk, path, maxBlobBytes);
    if (!bytes.ok) return bytes;
    const sha256 = path.slice(path.lastIndexOf("/") + 1);
    if (!isSha256(sha256) || sha256Of(bytes.value) !== sha256) {
      damaged.push(path);
      continue;
    }
    const next = redactBytes(bytes.value, kinds.get(sha256), redaction);
    if (next.occurrences > 0) redacted.set(sha256, { ref: refTo(next.bytes), occurrences: next.occurrences });
  }
  return ok({ redacted, damaged });
}

function refTo(bytes: Uint8Array): BlobRef {
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
  for (const byte of bytes) if (byte === 0x0a) lines += 1;
  return { blob: sha256Of(bytes), bytes: bytes.length, lines };
}
