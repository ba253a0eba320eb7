import { isNestedTooDeeply, isObject, type JsonObject, maxNesting } from "./json-value.ts";
import type { Line } from "./line-splitter.ts";

export type ParsedLine =
  | { readonly outcome: "record"; readonly record: JsonObject }
  | { readonly outcome: "blank" }
  | { readonly outcome: "corrupt" | "torn" | "skipped"; readonly reason: string };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** What JSON calls white space, and what may stand before a newline. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, 0x0a]);

export function parseLine(line: Line): ParsedLine {
  if (line.bytes === undefined) return { outcome: "skipped", reason: "it is longer than the limit" };
  if (line.bytes.every((byte) => blanks.has(byte))) return { outcome: "blank" };
  const damaged = line.isTerminated ? "corrupt" : "torn";
  const parsed = parseJson(line.bytes);
  return "reason" in parsed ? { outcome: damaged, reason: parsed.reason } : toRecord(parsed.value);
}

/** Turns a JSON value into a record, or says why it is none. */
export function toRecord(value: unknown): ParsedLine {
  if (!isObject(value)) return { outcome: "skipped", reason: "it is JSON, but not an object" };
  if (isNestedTooDeeply(value)) {
    return { outcome: "skipped", reason: `it is nested deeper than ${maxNesting} levels` };
  }
  return { outcome: "record", record: value };
}

/** Own words for what is wrong: the engine's would quote the content. */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | { readonly reason: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { reason: "it is not valid UTF-8" };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { reason: bytes.includes(0) ? "it holds NUL bytes" : "it is not JSON" };
  }
}
