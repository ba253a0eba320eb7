import { lostBlobs } from "../../../log/lost-blobs.ts";
import {
  type BlobStore,
  type LogStore,
  ok,
  type RepairReport,
  type Result,
  type SecretSurvey,
  type SessionUpkeep,
} from "../../../spec/index.ts";
import { type LogRepair, planRepair } from "./plan-repair.ts";
import { type RedactParts, redactSession } from "./redact-session.ts";
import { readRedactions } from "./redaction-record.ts";
import { repairSession } from "./repair-session.ts";
import { type FileSecretSurvey, isClean, surveySecret } from "./survey-secret.ts";

export interface FileUpkeepOptions extends RedactParts {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
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
      if (!report.ok) return report;
      return withLostBlobs(options, planRepair(session, path.value, report.value), { mends: false, signal });
    },
    async repair(session, request) {
      const repaired = await repairSession(options, session, request);
      if (!repaired.ok) return repaired;
      return withLostBlobs(options, repaired.value, { mends: true, signal: request?.signal });
    },
  };
}

/** Adds what is to be said about a log's blobs. */
export async function withLostBlobs(
  { logs, blobs }: Pick<FileUpkeepOptions, "logs" | "blobs">,
  repair: LogRepair,
  options: { readonly mends: boolean; readonly signal?: AbortSignal },
): Promise<Result<RepairReport>> {
  const lost = await lostBlobs({ logs, blobs, session: repair.session, ...options });
  return lost.ok ? ok({ ...repair, lostBlobs: lost.value }) : lost;
}

/** What a store found, as everybody may see it. */
export function toSurvey(surveyed: Result<FileSecretSurvey>): Result<SecretSurvey> {
  if (!surveyed.ok) return surveyed;
  const { blobs, blobKinds: _blobKinds, ...survey } = surveyed.value;
  return ok({ ...survey, blobs: blobs.size, isClean: isClean(surveyed.value) });
}
