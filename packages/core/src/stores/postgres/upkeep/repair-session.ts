import { ok, type Result, type UpkeepOptions } from "../../../spec/index.ts";
import type { LogRepair } from "../../files/upkeep/plan-repair.ts";
import { hasLinesToTakeOut } from "../../files/upkeep/repair-session.ts";
import { rewriteLog } from "./rewrite-log.ts";
import type { ProjectRows } from "./tombstone.ts";
import { type UpkeepParts, withHeldLog } from "./with-held-log.ts";

/**
 * Makes a log whole again: corrupt lines are taken out, and their bytes are kept aside. Nothing that is in force
 * changes. Running it again finds nothing to do.
 */
export function repairSession(
  parts: UpkeepParts,
  session: string,
  options: UpkeepOptions = {},
): Promise<Result<LogRepair>> {
  const { database } = parts;
  return withHeldLog<LogRepair>(parts, session, options, async ({ report, logId }, lease) => {
    const { entries, salvaged, tornBytes, corruptLines, corruptBytes } = report;
    const { fencedLines, fencedBytes, damages, asides, end } = report;
    const found = {
      session,
      path: logAddress(parts, session),
      ...{ entries, salvaged, tornBytes, corruptLines, corruptBytes, fencedLines, fencedBytes },
      ...{ damages, asides, bytesBefore: end },
    };
    if (!hasLinesToTakeOut(report)) return ok({ ...found, bytesAfter: end, rewritten: false });
    const { signal } = options;
    const bytes = await database.transaction(
      (run) => rewriteLog(run, { ...parts, session, logId, lease, signal }),
      { isRepeatable: true },
    );
    return bytes.ok ? ok({ ...found, bytesAfter: bytes.value, rewritten: true }) : bytes;
  });
}

/** Where a log is, for people to read. */
export function logAddress({ database, project }: ProjectRows, session: string): string {
  return `${database.address}#${project}/${session}`;
}
