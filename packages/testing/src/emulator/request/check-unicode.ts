import { isRecord } from "./is-record.ts";
import type { Report } from "./report.ts";

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
