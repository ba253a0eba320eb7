import { type Disk, type Ids, ok, type RedactionRecord, type Result } from "../../../spec/index.ts";
import { readWholeFile, writeWholeFile } from "../disk/whole-file.ts";
import type { Layout } from "../layout.ts";

interface RecordFile {
  readonly session: string;
  readonly redactions: readonly RedactionRecord[];
}

export function redactionRecordPath(layout: Layout, session: string): Result<string> {
  const log = layout.log(session);
  return log.ok ? ok(`${log.value.slice(0, -".jsonl".length)}.redacted.json`) : log;
}

/** Oldest first; none where nothing was ever redacted. */
export async function readRedactions(
  disk: Disk,
  layout: Layout,
  session: string,
): Promise<Result<readonly RedactionRecord[]>> {
  const path = redactionRecordPath(layout, session);
  if (!path.ok) return path;
  const bytes = await readWholeFile(disk, path.value);
  if (!bytes.ok) return bytes.error.code === "not-found" ? ok([]) : bytes;
  try {
    const file = JSON.parse(Buffer.from(bytes.value).toString("utf8")) as RecordFile;
    return ok(Array.isArray(file.redactions) ? file.redactions : []);
  } catch {
    return ok([]);
  }
}

export async function writeRedactions(
  disk: Disk,
  ids: Ids,
  layout: Layout,
  session: string,
  redactions: readonly RedactionRecord[],
): Promise<Result<void>> {
  const path = redactionRecordPath(layout, session);
  if (!path.ok) return path;
  const file: RecordFile = { session, redactions };
  const bytes = Buffer.from(`${JSON.stringify(file, null, 2)}\n`);
  const temporary = `${layout.sessions}/${ids.next("tmp")}`;
  return writeWholeFile(disk, path.value, bytes, { temporary, durable: true, when: "replace" });
}
