import { type LogStore, ok, type SessionUpkeep } from "../../spec/index.ts";
import { planRepair } from "../files/plan-repair.ts";
import { toSurvey } from "../files/session-upkeep.ts";
import { redactSession } from "./upkeep/redact-session.ts";
import { readRedactions } from "./upkeep/redaction-record.ts";
import { logAddress, repairSession } from "./upkeep/repair-session.ts";
import { surveySecret } from "./upkeep/survey-secret.ts";
import type { UpkeepParts } from "./upkeep/with-held-log.ts";

export interface PostgresUpkeepOptions extends UpkeepParts {
  readonly logs: LogStore;
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
      return report.ok ? ok(planRepair(session, logAddress(options, session), report.value)) : report;
    },
    repair: (session, request) => repairSession(options, session, request),
  };
}
