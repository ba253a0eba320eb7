import { redactBytes } from "../../../log/redact-bytes.ts";
import type { RedactedBlob } from "../../../log/redact-entry.ts";
import {
  type BlobLocation,
  type BlobRef,
  type Disk,
  type Entry,
  ok,
  type Redaction,
  type Result,
} from "../../../spec/index.ts";
import { maxBlobBytes } from "../blob-store.ts";
import { isSha256, sha256Of } from "../disk/sha256.ts";
import { readWholeFile } from "../disk/whole-file.ts";

/** How each blob is to be read, by hash, as far as entries say. */
export type BlobKinds = ReadonlyMap<string, BlobLocation["as"]>;

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

/** Adds what an entry says about its blobs. */
export function noteBlobKinds(kinds: Map<string, BlobLocation["as"]>, entry: Entry): void {
  for (const { path, as } of entry.blobs ?? []) {
    const ref = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], entry);
    const sha256 = (ref as BlobRef | undefined)?.blob;
    if (typeof sha256 === "string") kinds.set(sha256, as);
  }
}

function refTo(bytes: Uint8Array): BlobRef {
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
  for (const byte of bytes) if (byte === 0x0a) lines += 1;
  return { blob: sha256Of(bytes), bytes: bytes.length, lines };
}
