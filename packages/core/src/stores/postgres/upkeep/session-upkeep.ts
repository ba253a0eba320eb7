import {
  type BlobStore,
  type LogStore,
  ok,
  type Result,
  type SessionUpkeep,
  type UpkeepOptions,
} from "../../../spec/index.ts";
import {
  hasLinesToTakeOut,
  type LogRepair,
  planRepair,
  toSurvey,
  withLostBlobs,
} from "../../shared/upkeep.ts";
import { redactSession } from "./redact-session.ts";
import { readRedactions } from "./redaction-record.ts";
import { rewriteLog, type UpkeepParts, withHeldLog } from "./rewrite-log.ts";
import { surveySecret } from "./survey-secret.ts";
import type { ProjectRows } from "./tombstone.ts";

interface PostgresUpkeepOptions extends UpkeepParts {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
}

export function createPostgresUpkeep(options: PostgresUpkeepOptions): SessionUpkeep {
  return {
    survey: async (session, redaction, signal) =>
      toSurvey(await surveySecret(options, session, redaction, signal)),
    redact: async (session, redaction, request) =>
      toSurvey(await redactSession(options, session, redaction, request)),
    redactions: (session) => readRedactions(options, session),
    async planRepair(session, signal) {
      const report = await options.logs.scan(session, () => undefined, { signal });
      if (!report.ok) return report;
      const plan = planRepair(session, logAddress(options, session), report.value);
      return withLostBlobs(options, plan, { mends: false, signal });
    },
    async repair(session, request) {
      const repaired = await repairSession(options, session, request);
      if (!repaired.ok) return repaired;
      return withLostBlobs(options, repaired.value, { mends: true, signal: request?.signal });
    },
  };
}

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
function logAddress({ database, project }: ProjectRows, session: string): string {
  return `${database.address}#${project}/${session}`;
}
