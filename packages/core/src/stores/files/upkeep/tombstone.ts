import { type Disk, type Ids, ok, type Result, type Tombstone } from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { refuseAbsentSession } from "../../shared/refuse-absent-session.ts";
import { readWholeFile, writeWholeFile } from "../disk/whole-file.ts";

export async function writeTombstone(
  disk: Disk,
  ids: Ids,
  layout: Layout,
  tombstone: Tombstone,
): Promise<Result<void>> {
  const path = layout.tombstone(tombstone.session);
  if (!path.ok) return path;
  const bytes = Buffer.from(`${JSON.stringify(tombstone)}\n`);
  const temporary = `${layout.sessions}/${ids.next("tmp")}`;
  return writeWholeFile(disk, path.value, bytes, { temporary, durable: true, when: "replace" });
}

/** `null` where there is none, or where it cannot be understood. */
export async function readTombstone(
  disk: Disk,
  layout: Layout,
  session: string,
): Promise<Result<Tombstone | null>> {
  const path = layout.tombstone(session);
  if (!path.ok) return path;
  const bytes = await readWholeFile(disk, path.value);
  if (!bytes.ok) return bytes.error.code === "not-found" ? ok(null) : bytes;
  try {
    return ok(JSON.parse(Buffer.from(bytes.value).toString("utf8")) as Tombstone);
  } catch {
    return ok(null);
  }
}

export const absentSession = (disk: Disk, layout: Layout, session: string): Promise<Result<never>> =>
  refuseAbsentSession(session, (name) => readTombstone(disk, layout, name));
