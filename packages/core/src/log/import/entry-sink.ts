import { isRecord, type JsonObject, textField } from "../../json/json-values.ts";
import type { Entry, EntryBody, SessionHeader } from "../../spec/index.ts";
import type { ImportedFormat, ImportOptions, LineLocation } from "./import-report.ts";
import { epochTime, type LineTimes, statedTime, type Tally } from "./tally.ts";

export type ImportedEntry = EntryBody & { readonly id: string; readonly at: string };

/** Gives entries their sequence numbers, from 1, and hands them on. */
export interface EntrySink {
  emit(entry: ImportedEntry): void;
  readonly count: number;
  readonly lastId: string;
  readonly lastSeq: number;
}

export function createEntrySink(visit: (entry: Entry) => void): EntrySink {
  let count = 0;
  let lastId = "";
  return {
    emit(entry) {
      count += 1;
      lastId = entry.id;
      const { id, at, ...body } = entry;
      visit({ v: 1, seq: count, epoch: 1, id, at, ...body } as Entry);
    },
    get count() {
      return count;
    },
    get lastId() {
      return lastId;
    },
    get lastSeq() {
      return count;
    },
  };
}

/** The id of an entry whose line has none of its own. */
export function lineId(line: number): string {
  return `line-${line}`;
}

/** Line ids are ours: a foreign id that looks like one is not taken over. */
export function isLineId(id: string): boolean {
  return /^line-\d+$/.test(id);
}

/** The first entry of an imported log, from what the first records say; the file's name stands in for an id. */
export function sessionEntry(
  format: ImportedFormat,
  records: readonly JsonObject[],
  options: ImportOptions,
): ImportedEntry {
  const cwd = firstFound(
    records,
    (record) => textField(record, "cwd") ?? textField(payloadOf(record), "cwd"),
  );
  const model = firstFound(records, modelOf);
  const session: SessionHeader = {
    id: firstFound(records, sessionIdOf) ?? stem(options.file) ?? "imported",
    project: (cwd === undefined ? undefined : baseName(cwd)) ?? "imported",
    ...(cwd !== undefined && { cwd }),
    ...(model !== undefined && { model }),
    imported: { format, ...(options.file !== undefined && { file: options.file }) },
  };
  const at = firstFound(records, statedTime) ?? options.at ?? epochTime;
  return { kind: "session", session, id: lineId(0), at };
}

function firstFound<T>(
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
  return isRecord(record.payload) ? record.payload : {};
}

function sessionIdOf(record: JsonObject): string | undefined {
  if (record.type === "session") return textField(record, "id");
  if (record.type === "session_meta") return textField(payloadOf(record), "id");
  return textField(record, "sessionId");
}

/** Messages made by the program itself name the model `<synthetic>`. */
function modelOf(record: JsonObject): string | undefined {
  const said = isRecord(record.message) ? record.message : record;
  const model = textField(said, "model") ?? textField(payloadOf(record), "model");
  return model === "<synthetic>" ? undefined : model;
}

function baseName(path: string): string | undefined {
  return path.split(/[/\\]/).findLast((part) => part !== "");
}

function stem(file: string | undefined): string | undefined {
  const name = file === undefined ? undefined : baseName(file)?.replace(/(\.jsonl?)?(\.gz)?$/, "");
  return name === "" ? undefined : name;
}

/** The common parts of all readers. */
export interface ReadingParts {
  readonly sink: EntrySink;
  readonly tally: Tally;
  readonly times: LineTimes;
}

/** Turns the records of one format into entries, and counts every one. */
export interface RecordReader {
  read(record: JsonObject, location: LineLocation): void;
  /** Lets go what was held back for lines that did not come. */
  end(): void;
}
