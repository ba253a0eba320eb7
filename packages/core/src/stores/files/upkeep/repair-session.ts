import { type LogReport, ok, type Result, type UpkeepOptions } from "../../../spec/index.ts";
import { hasLinesToTakeOut, type LogRepair } from "../../shared/upkeep/repair-report.ts";
import { holdLog, type LogParts } from "../log/hold-log.ts";
import { rewriteLog } from "../log/rewrite-log.ts";

/**
 * Makes a log whole again: an unfinished last line is cut off, corrupt and fenced lines are taken out, and all of
 * their bytes are kept beside the log. Nothing that is in force changes. Running it again finds nothing to do.
 */
export function repairSession(
  parts: LogParts,
  session: string,
  options: UpkeepOptions = {},
): Promise<Result<LogRepair>> {
  return holdLog<LogRepair>(parts, session, options, async (held) => {
    const { report, path, file, lease, bytesBefore } = held;
    const found = { session, path, ...countsOf(report), asides: report.asides, bytesBefore };
    if (!hasLinesToTakeOut(report)) return ok({ ...found, bytesAfter: report.end, rewritten: false });
    const { signal } = options;
    const rewritten = await rewriteLog({ disk: parts.disk, path, file, lease, signal });
    return rewritten.ok ? ok({ ...found, bytesAfter: rewritten.value.bytes, rewritten: true }) : rewritten;
  });
}

function countsOf(report: LogReport) {
  const { entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes, damages } =
    report;
  return { entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes, damages };
}
