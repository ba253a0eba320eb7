import { type Clock, type Disk, type Ids, ok, type Result } from "../../spec/index.ts";
import { sha256Of } from "../../stores/files/sha256.ts";
import { readWholeFile, writeWholeFile } from "../../stores/files/whole-file.ts";

/** A file as it was read: what a person is asked about is what gets trusted. */
export interface FileContent {
  /** Its real path. */
  readonly path: string;
  /** Of path and bytes together: the same text elsewhere may run other scripts. */
  readonly digest: string;
}

export interface TrustPlace {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
}

export function toFileContent(path: string, bytes: Uint8Array): FileContent {
  return { path, digest: sha256Of(Buffer.concat([Buffer.from(`${path}\0`), bytes])) };
}

/** Whether somebody trusted exactly this content at this path. */
export async function isTrusted({ disk, home }: TrustPlace, content: FileContent): Promise<Result<boolean>> {
  const stat = await disk.stat(recordPath(home, content));
  if (stat.ok) return ok(stat.value.kind === "file");
  return stat.error.code === "not-found" ? ok(false) : stat;
}

/**
 * Remembers that a person trusts this content; safe to call twice. One record per content, so that two processes never
 * write over each other. Power loss may take it: the person is then asked again.
 */
export async function trust(
  { disk, home, clock, ids }: TrustPlace & { readonly clock: Clock; readonly ids: Ids },
  content: FileContent,
): Promise<Result<void>> {
  const made = await disk.makeDirectory(trustFolder(home));
  if (!made.ok) return made;
  const record = { path: content.path, at: new Date(clock.now()).toISOString() };
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  const temporary = `${trustFolder(home)}/${ids.next("tmp")}`;
  const options = { temporary, durable: false, when: "absent" } as const;
  const written = await writeWholeFile(disk, recordPath(home, content), bytes, options);
  return !written.ok && written.error.code === "exists" ? ok() : written;
}

/**
 * Forgets every version of these files that was ever trusted, and gives how many records went; one that does not say
 * whose it is goes too. Power loss does not bring them back.
 */
export async function revokeTrust(
  { disk, home }: TrustPlace,
  paths: readonly string[],
): Promise<Result<number>> {
  const names = await disk.list(trustFolder(home));
  if (!names.ok) return names.error.code === "not-found" ? ok(0) : names;
  let gone = 0;
  for (const name of names.value.filter((each) => each.endsWith(".json"))) {
    const record = `${trustFolder(home)}/${name}`;
    const stat = await disk.stat(record);
    if (stat.ok && stat.value.kind !== "file") continue;
    const path = await trustedPath(disk, record);
    if (path !== undefined && !paths.includes(path)) continue;
    const removed = await disk.remove(record);
    if (removed.ok) gone += 1;
    else if (removed.error.code !== "not-found") return removed;
  }
  const synced = gone === 0 ? ok() : await disk.syncDirectory(trustFolder(home));
  return synced.ok ? ok(gone) : synced;
}

const maxRecordBytes = 64 * 1024;

async function trustedPath(disk: Disk, record: string): Promise<string | undefined> {
  const bytes = await readWholeFile(disk, record, maxRecordBytes);
  if (!bytes.ok) return undefined;
  try {
    const { path } = JSON.parse(Buffer.from(bytes.value).toString("utf8"));
    return typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}

function trustFolder(home: string): string {
  return `${home}/trust`;
}

function recordPath(home: string, { digest }: FileContent): string {
  return `${trustFolder(home)}/${digest}.json`;
}
