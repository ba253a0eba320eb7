import { isObject, parseJson } from "../../json/json-values.ts";
import { type Clock, type Disk, type Ids, ok, type Result } from "../../spec/index.ts";
import { readWholeFile, writeWholeFile } from "../../stores/files/disk/whole-file.ts";
import { sha256Of } from "../../stores/shared/sha256.ts";

/** A file as it was read: what is said of it holds for exactly this. */
export interface FileContent {
  /** Its real path. */
  readonly path: string;
  /** Of path and bytes together: the same text elsewhere may mean something else. */
  readonly digest: string;
}

export function toFileContent(path: string, bytes: Uint8Array): FileContent {
  return { path, digest: sha256Of(Buffer.concat([Buffer.from(`${path}\0`), bytes])) };
}

export interface RecordWriter {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Records of contents, one file for each, so that two processes never write over each other. */
export interface ContentRecords {
  has(content: FileContent): Promise<Result<boolean>>;
  /** Safe to call twice. Power loss may take it. */
  add(content: FileContent, writer: RecordWriter): Promise<Result<void>>;
  /** Forgets this one; safe to call twice. */
  remove(content: FileContent): Promise<Result<void>>;
  /** Forgets every content of these files and of files in these folders, and gives how many records went; power loss does not bring them back. */
  removeAll(paths: readonly string[]): Promise<Result<number>>;
  /** The files that anything is remembered of, each once. */
  paths(): Promise<Result<readonly string[]>>;
}

export function createContentRecords(disk: Disk, folder: string): ContentRecords {
  const recordPath = ({ digest }: FileContent) => `${folder}/${digest}.json`;

  async function records(): Promise<Result<readonly { readonly record: string; readonly path?: string }[]>> {
    const names = await disk.list(folder);
    if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
    const found = [];
    for (const name of names.value.filter((each) => each.endsWith(".json"))) {
      const record = `${folder}/${name}`;
      const stat = await disk.stat(record);
      if (stat.ok && stat.value.kind !== "file") continue;
      const path = await recordedPath(disk, record);
      found.push({ record, ...(path !== undefined && { path }) });
    }
    return ok(found);
  }

  return {
    async has(content) {
      const stat = await disk.stat(recordPath(content));
      if (stat.ok) return ok(stat.value.kind === "file");
      return stat.error.code === "not-found" ? ok(false) : stat;
    },

    async add(content, { clock, ids }) {
      const made = await disk.makeDirectory(folder);
      if (!made.ok) return made;
      const record = { path: content.path, at: new Date(clock.now()).toISOString() };
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      const temporary = `${folder}/${ids.next("tmp")}`;
      const options = { temporary, durable: false, when: "absent" } as const;
      const written = await writeWholeFile(disk, recordPath(content), bytes, options);
      return !written.ok && written.error.code === "exists" ? ok() : written;
    },

    async remove(content) {
      const removed = await disk.remove(recordPath(content));
      if (!removed.ok && removed.error.code !== "not-found") return removed;
      return disk.syncDirectory(folder);
    },

    /** One that does not say whose it is goes too. */
    async removeAll(paths) {
      const all = await records();
      if (!all.ok) return all;
      let gone = 0;
      for (const { record, path } of all.value) {
        if (path !== undefined && !paths.some((one) => path === one || path.startsWith(`${one}/`))) continue;
        const removed = await disk.remove(record);
        if (removed.ok) gone += 1;
        else if (removed.error.code !== "not-found") return removed;
      }
      const synced = gone === 0 ? ok() : await disk.syncDirectory(folder);
      return synced.ok ? ok(gone) : synced;
    },

    async paths() {
      const all = await records();
      if (!all.ok) return all;
      return ok([...new Set(all.value.flatMap(({ path }) => path ?? []))]);
    },
  };
}

const maxRecordBytes = 64 * 1024;

async function recordedPath(disk: Disk, record: string): Promise<string | undefined> {
  const bytes = await readWholeFile(disk, record, maxRecordBytes);
  if (!bytes.ok) return undefined;
  const value = parseJson(Buffer.from(bytes.value).toString("utf8"));
  return isObject(value) && typeof value.path === "string" ? value.path : undefined;
}
