import { redactBytes } from "../../../log/redact-bytes.ts";
import type { RedactedBlob } from "../../../log/redact-entry.ts";
import { type BlobRef, type Disk, ok, type Redaction, type Result } from "../../../spec/index.ts";
import { maxBlobBytes } from "../../shared/blob-size.ts";
import { isSha256, sha256Of } from "../../shared/sha256.ts";
import type { BlobKinds } from "../../shared/upkeep/secret-findings.ts";
import { readWholeFile } from "../disk/whole-file.ts";

export interface SurveyedBlobs {
  /** By old hash, what will stand for a blob. */
  readonly redacted: ReadonlyMap<string, RedactedBlob>;
  /** Files whose bytes are not those they were stored with: nothing can refer to them. */
  readonly damaged: readonly string[];
}

/** Looks into blobs that hold the secret's bytes; those that only seem to hold it are left out. */
export async function surveyBlobs(
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
