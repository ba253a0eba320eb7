import type { BlobStore, LogStore, SessionUpkeep } from "../../spec/index.ts";
import { planRepair } from "../files/upkeep/plan-repair.ts";
import { toSurvey, withLostBlobs } from "../files/upkeep/session-upkeep.ts";
import { redactSession } from "./upkeep/redact-session.ts";
import { readRedactions } from "./upkeep/redaction-record.ts";
import { logAddress, repairSession } from "./upkeep/repair-session.ts";
import { surveySecret } from "./upkeep/survey-secret.ts";
import type { UpkeepParts } from "./upkeep/with-held-log.ts";

export interface PostgresUpkeepOptions extends UpkeepParts {
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
