import { type LogStore, ok, type Result, type SecretSurvey, type SessionUpkeep } from "../../spec/index.ts";
import { planRepair } from "./plan-repair.ts";
import { type RedactParts, redactSession } from "./redact-session.ts";
import { readRedactions } from "./redaction-record.ts";
import { repairSession } from "./repair-session.ts";
import { type FileSecretSurvey, isClean, surveySecret } from "./survey-secret.ts";

export interface FileUpkeepOptions extends RedactParts {
  readonly logs: LogStore;
}

export function createFileUpkeep(options: FileUpkeepOptions): SessionUpkeep {
  const { disk, layout, logs } = options;
  return {
    survey: async (session, redaction, signal) =>
      toSurvey(await surveySecret(options, session, redaction, signal)),
    redact: async (session, redaction, request) =>
      toSurvey(await redactSession(options, session, redaction, request)),
    redactions: (session) => readRedactions(disk, layout, session),
    async planRepair(session, signal) {
      const path = layout.log(session);
      if (!path.ok) return path;
      const report = await logs.scan(session, () => undefined, { signal });
      return report.ok ? ok(planRepair(session, path.value, report.value)) : report;
    },
    repair: (session, request) => repairSession(options, session, request),
  };
}

/** What a store found, as everybody may see it. */
export function toSurvey(surveyed: Result<FileSecretSurvey>): Result<SecretSurvey> {
  if (!surveyed.ok) return surveyed;
  const { blobs, blobKinds: _blobKinds, ...survey } = surveyed.value;
  return ok({ ...survey, blobs: blobs.size, isClean: isClean(surveyed.value) });
}
