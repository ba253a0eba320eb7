import type { Capabilities } from "@palimpsest/core/spec";
import type { MeasuredPrompt, RequestViolation } from "../wire.ts";
import type { Report } from "./report.ts";
import { isRecord } from "./wire-values.ts";

/** Half of a surrogate pair, which JSON can spell and Unicode has not, anywhere in the body, names of fields too. */
export function checkUnicode(value: unknown, report: Report, path = ""): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) say(path, report);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkUnicode(item, report, join(path, index));
  } else if (isRecord(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (!name.isWellFormed()) say(join(path, name.toWellFormed()), report);
      checkUnicode(item, report, join(path, name));
    }
  }
}

function join(path: string, step: string | number): string {
  return path === "" ? String(step) : `${path}.${step}`;
}

function say(path: string, report: Report): void {
  report("unicode", path, "The request body is not valid JSON: no low surrogate in string");
}

/** The refusal of a prompt that has more tokens than the model takes, in the API's words; `null` when it fits. */
export function checkWindow(
  { tokens }: MeasuredPrompt,
  { contextWindow }: Pick<Capabilities, "contextWindow">,
): RequestViolation | null {
  if (tokens <= contextWindow) return null;
  return {
    rule: "window",
    path: "",
    message: `prompt is too long: ${tokens} tokens > ${contextWindow} maximum`,
  };
}
