import { type Disk, fail, type Ids, ok, type Result, type Tombstone } from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
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

/** The answer for a session that has no log: removed, with the date, or never there. */
export async function absentSession(disk: Disk, layout: Layout, session: string): Promise<Result<never>> {
  const own = await readTombstone(disk, layout, session);
  if (!own.ok) return own;
  const [root = session] = session.split("/");
  /** A fork goes with the session it lives in. */
  const tombstone = own.value === null && root !== session ? await readTombstone(disk, layout, root) : own;
  if (!tombstone.ok) return tombstone;
  if (tombstone.value === null) {
    return fail("not-found", `There is no session ${session}.`, {
      path: session,
      fix: "“palimpsest sessions list --all” shows all there are.",
    });
  }
  const { at, why } = tombstone.value;
  return fail("collected", `Session ${session} was removed on ${at.slice(0, 10)} (${why}).`, {
    path: session,
    facts: { at, why },
  });
}
