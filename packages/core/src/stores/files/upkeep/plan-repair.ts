import type { LogReport, RepairReport } from "../../../spec/index.ts";
import { hasLinesToTakeOut } from "./repair-session.ts";

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
