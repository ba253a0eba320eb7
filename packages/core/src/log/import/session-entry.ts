import type { SessionHeader } from "../../spec/index.ts";
import { type ImportedEntry, lineId } from "./entry-sink.ts";
import type { ImportedFormat, ImportOptions } from "./import-report.ts";
import { isObject, type JsonObject, textOf } from "./json-value.ts";
import { epochTime, statedTime } from "./line-times.ts";

/** The first entry of an imported log, from what the first records say; the file's name stands in for an id. */
export function sessionEntry(
  format: ImportedFormat,
  records: readonly JsonObject[],
  options: ImportOptions,
): ImportedEntry {
  const cwd = first(records, (record) => textOf(record, "cwd") ?? textOf(payloadOf(record), "cwd"));
  const model = first(records, modelOf);
  const session: SessionHeader = {
    id: first(records, sessionIdOf) ?? stem(options.file) ?? "imported",
    project: (cwd === undefined ? undefined : baseName(cwd)) ?? "imported",
    ...(cwd !== undefined && { cwd }),
    ...(model !== undefined && { model }),
    imported: { format, ...(options.file !== undefined && { file: options.file }) },
  };
  const at = first(records, statedTime) ?? options.at ?? epochTime;
  return { kind: "session", session, id: lineId(0), at };
}

function first<T>(
  records: readonly JsonObject[],
  find: (record: JsonObject) => T | undefined,
): T | undefined {
  for (const record of records) {
    const found = find(record);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Codex wraps what a line says. */
function payloadOf(record: JsonObject): JsonObject {
  return isObject(record.payload) ? record.payload : {};
}

function sessionIdOf(record: JsonObject): string | undefined {
  if (record.type === "session") return textOf(record, "id");
  if (record.type === "session_meta") return textOf(payloadOf(record), "id");
  return textOf(record, "sessionId");
}

/** Messages made by the program itself name the model `<synthetic>`. */
function modelOf(record: JsonObject): string | undefined {
  const said = isObject(record.message) ? record.message : record;
  const model = textOf(said, "model") ?? textOf(payloadOf(record), "model");
  return model === "<synthetic>" ? undefined : model;
}

function baseName(path: string): string | undefined {
  return path.split(/[/\\]/).findLast((part) => part !== "");
}

function stem(file: string | undefined): string | undefined {
  const name = file === undefined ? undefined : baseName(file)?.replace(/(\.jsonl?)?(\.gz)?$/, "");
  return name === "" ? undefined : name;
}
