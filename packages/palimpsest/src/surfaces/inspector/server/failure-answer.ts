import { createEnvironmentMask, createRuntime } from "@palimpsest/core/internal";
import type { ErrorCode, PalimpsestError } from "@palimpsest/core/spec";
import type { InspectorFailure } from "../inspected.ts";
import { type Answer, jsonAnswer } from "./send-answer.ts";

const secrets = createEnvironmentMask(createRuntime().environment);

const statuses: Partial<Readonly<Record<ErrorCode, number>>> = {
  "not-found": 404,
  collected: 404,
  "invalid-input": 400,
  "invalid-path": 400,
  "unknown-format": 400,
  permission: 403,
  overloaded: 503,
  "too-large": 413,
};

export function failureAnswer({ code, message, fix }: PalimpsestError): Answer {
  return refusal(statuses[code] ?? 500, message, fix);
}

export function refusal(status: number, message: string, fix?: string): Answer {
  const failure: InspectorFailure = secrets.value({ message, ...(fix !== undefined && { fix }) });
  const answer = jsonAnswer(failure, status);
  return status === 405 ? { ...answer, headers: { allow: "GET, HEAD" } } : answer;
}
