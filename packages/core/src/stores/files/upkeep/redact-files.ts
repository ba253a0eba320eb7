import { redactBytes } from "../../../log/redact-value.ts";
import {
  type BlobStore,
  type Disk,
  fail,
  type Ids,
  ok,
  type Redaction,
  type Result,
} from "../../../spec/index.ts";
import { maxBlobBytes } from "../../shared/blob-size.ts";
import type { Layout } from "../../shared/layout.ts";
import { sha256Of } from "../../shared/sha256.ts";
import type { SecretFindings } from "../../shared/upkeep.ts";
import { folderOf, readWholeFile, writeWholeFile } from "../disk/whole-file.ts";

export interface RedactFilesParts {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly ids: Ids;
  readonly blobs: BlobStore;
}

/** Stores what stands for the blobs that hold the secret, so that entries may refer to it. */
export async function putRedactedBlobs(
  { disk, layout, blobs }: RedactFilesParts,
  survey: SecretFindings,
  redaction: Redaction,
): Promise<Result<void>> {
  const folder = layout.blobs(survey.session);
  if (!folder.ok) return folder;
  for (const [sha256, { ref }] of survey.blobs) {
    const before = await readWholeFile(disk, `${folder.value}/${sha256}`, maxBlobBytes);
    if (!before.ok) return before;
    const { bytes } = redactBytes(before.value, survey.blobKinds.get(sha256), redaction);
    const put = await blobs.put(survey.session, bytes, { durable: true });
    if (!put.ok) return put;
    if (put.value.blob !== ref.blob) {
      return fail("conflict", `Blob ${sha256} changed while it was being read.`, { retryable: true });
    }
  }
  return ok();
}

/** Takes the secret out of everything beside the log. To be called once no entry in force needs the old bytes. */
export async function redactFiles(
  parts: RedactFilesParts,
  survey: SecretFindings,
  redaction: Redaction,
): Promise<Result<void>> {
  const { disk, layout } = parts;
  const folder = layout.blobs(survey.session);
  if (!folder.ok) return folder;
  for (const path of survey.toolResults) {
    const renewed = await renewToolResult(parts, folder.value, survey, redaction, path);
    if (!renewed.ok) return renewed;
  }
  for (const path of survey.notes) {
    const rewritten = await rewriteFile(parts, path, redaction);
    if (!rewritten.ok) return rewritten;
  }
  const olds = [...survey.blobs.keys()].map((sha256) => `${folder.value}/${sha256}`);
  const removed = await removeFiles(disk, [...olds, ...survey.removable]);
  return removed.ok ? syncFoldersOf(disk, [...olds, ...survey.removable, ...survey.toolResults]) : removed;
}

/** A tool result is a second name of a blob, and stays one; where it is a file of its own, it is rewritten. */
async function renewToolResult(
  parts: RedactFilesParts,
  blobFolder: string,
  survey: SecretFindings,
  redaction: Redaction,
  path: string,
): Promise<Result<void>> {
  const { disk, ids } = parts;
  const bytes = await readWholeFile(disk, path, maxBlobBytes);
  if (!bytes.ok) return bytes;
  const redacted = survey.blobs.get(sha256Of(bytes.value));
  if (redacted === undefined) return rewriteFile(parts, path, redaction);
  const temporary = `${blobFolder}/${ids.next("temporary")}`;
  const blob = `${blobFolder}/${redacted.ref.blob}`;
  const linked = await disk.link(blob, temporary);
  if (linked.ok) return disk.rename(temporary, path);
  const copy = await readWholeFile(disk, blob, maxBlobBytes);
  if (!copy.ok) return copy;
  return writeWholeFile(disk, path, copy.value, { temporary, durable: true, when: "replace" });
}

async function rewriteFile(
  { disk, ids }: RedactFilesParts,
  path: string,
  redaction: Redaction,
): Promise<Result<void>> {
  const before = await readWholeFile(disk, path, maxBlobBytes);
  if (!before.ok) return before;
  const { bytes, occurrences } = redactBytes(before.value, "text", redaction);
  if (occurrences === 0) return ok();
  const temporary = `${folderOf(path)}/${ids.next("temporary")}`;
  return writeWholeFile(disk, path, bytes, { temporary, durable: true, when: "replace" });
}

async function removeFiles(disk: Disk, paths: readonly string[]): Promise<Result<void>> {
  for (const path of paths) {
    const removed = await disk.remove(path);
    if (!removed.ok && removed.error.code !== "not-found") return removed;
  }
  return ok();
}

/** Without this, power loss could bring an old name back. */
async function syncFoldersOf(disk: Disk, paths: readonly string[]): Promise<Result<void>> {
  for (const folder of new Set(paths.map(folderOf))) {
    const synced = await disk.syncDirectory(folder);
    if (!synced.ok) return synced;
  }
  return ok();
}
