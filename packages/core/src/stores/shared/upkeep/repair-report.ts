import { lostBlobs } from "../../../log/lost-blobs.ts";
import {
  type BlobStore,
  type LogReport,
  type LogStore,
  ok,
  type RepairReport,
  type Result,
} from "../../../spec/index.ts";

/** What a repair finds in the log itself. */
export type LogRepair = Omit<RepairReport, "lostBlobs">;

/** What a repair would find, by a scan; a last line that lacks only its newline counts as unfinished here. */
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
