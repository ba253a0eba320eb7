import type { RequestViolation } from "../wire.ts";

/** Says that a rule is broken; `sentence` is what the API says behind the path. */
export type Report = (rule: string, path: string, sentence: string) => void;

/** A report that writes violations into a list, each message beginning with its path as the API's do. */
export function reportInto(violations: RequestViolation[]): Report {
  return (rule, path, sentence) =>
    violations.push({ rule, path, message: path === "" ? sentence : `${path}: ${sentence}` });
}
