import { lostBlobs } from "../../log/lost-blobs.ts";
import type { RedactedBlob } from "../../log/redact-entry.ts";
import {
  type BlobLocation,
  type BlobRef,
  type BlobStore,
  type Entry,
  type LogReport,
  type LogStore,
  ok,
  type RepairReport,
  type Result,
  type SecretSurvey,
} from "../../spec/index.ts";

/** The findings of a repair in the log itself. */
export type LogRepair = Omit<RepairReport, "lostBlobs">;

/** The repair report of a scan; a last line that lacks only its newline counts as unfinished here. */
export function planRepair(session: string, path: string, report: LogReport): LogRepair {
  const { entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes, damages, end } =
    report;
  const kinds = [
    ...(corruptLines > 0 ? ["corrupt"] : []),
    ...(fencedLines > 0 ? ["fenced"] : []),
    ...(tornBytes > 0 ? ["torn"] : []),
  ];
  return {
    session,
    path,
    entries,
    salvaged,
    tornBytes,
    corruptLines,
    corruptBytes,
    fencedLines,
    fencedBytes,
    damages,
    asides: kinds.map((kind) => `${path}.${kind}`),
    bytesBefore: end + tornBytes,
    bytesAfter: end,
    rewritten: hasLinesToTakeOut(report),
  };
}

/** Damage that opening the log for writing leaves where it is; salvaged entries stand in lines that are no lines. */
export function hasLinesToTakeOut(report: LogReport): boolean {
  return report.corruptLines + report.fencedLines + report.salvaged > 0;
}

/** Adds what is to be said about a log's blobs. */
export async function withLostBlobs(
  { logs, blobs }: { readonly logs: LogStore; readonly blobs: BlobStore },
  repair: LogRepair,
  options: { readonly mends: boolean; readonly signal?: AbortSignal },
): Promise<Result<RepairReport>> {
  const lost = await lostBlobs({ logs, blobs, session: repair.session, ...options });
  return lost.ok ? ok({ ...repair, lostBlobs: lost.value }) : lost;
}

/** How each blob is to be read, by hash, as far as entries say. */
export type BlobKinds = ReadonlyMap<string, BlobLocation["as"]>;

/** Where a session holds a secret, with all that taking it out needs to know. */
export interface SecretFindings {
  readonly session: string;
  /** Entries that hold it, themselves or in a blob. */
  readonly entries: number;
  readonly occurrences: number;
  /** Thinking blocks that hold it. */
  readonly droppedBlocks: number;
  /** Bytes of the log that are not in force hold it. */
  readonly inDamage: boolean;
  /** Blobs that hold it, by hash, and what will stand for them. */
  readonly blobs: ReadonlyMap<string, RedactedBlob>;
  readonly blobKinds: BlobKinds;
  readonly toolResults: readonly string[];
  readonly notes: readonly string[];
  /** Files that hold it and cannot be rewritten: damaged blobs, and bytes kept aside from the log. */
  readonly removable: readonly string[];
}

/** The secret is nowhere in the session. */
export function isClean(survey: SecretFindings): boolean {
  const { entries, inDamage, blobs, toolResults, notes, removable } = survey;
  return !inDamage && entries + blobs.size + toolResults.length + notes.length + removable.length === 0;
}

/** A store's findings, as everybody may see them. */
export function toSurvey(surveyed: Result<SecretFindings>): Result<SecretSurvey> {
  if (!surveyed.ok) return surveyed;
  const { blobs, blobKinds: _blobKinds, ...survey } = surveyed.value;
  return ok({ ...survey, blobs: blobs.size, isClean: isClean(surveyed.value) });
}

/** Adds what an entry says about its blobs. */
export function noteBlobKinds(kinds: Map<string, BlobLocation["as"]>, entry: Entry): void {
  for (const { path, as } of entry.blobs ?? []) {
    const ref = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], entry);
    const sha256 = (ref as BlobRef | undefined)?.blob;
    if (typeof sha256 === "string") kinds.set(sha256, as);
  }
}
