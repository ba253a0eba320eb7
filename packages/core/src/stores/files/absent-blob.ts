import { type Disk, fail, type PalimpsestError, type Result } from "../../spec/index.ts";
import type { Layout } from "./layout.ts";
import { readTombstone } from "./upkeep/tombstone.ts";

/** Why a blob is not there: `collected` with the date if its session was removed, else `not-found`. */
export async function explainAbsentBlob(
  disk: Disk,
  layout: Layout,
  session: string,
  sha256: string,
  cause: PalimpsestError,
): Promise<Result<never>> {
  const tombstone = await readTombstone(disk, layout, session);
  if (!tombstone.ok) return tombstone;
  if (tombstone.value === null) {
    return fail("not-found", `Session ${session} has no blob ${sha256}.`, { path: cause.path, cause });
  }
  const { at, why } = tombstone.value;
  return fail("collected", `Blob ${sha256} went with its session ${session} on ${String(at).slice(0, 10)}.`, {
    path: cause.path,
    fix: "Nothing here can bring it back; look for the session in a backup.",
    facts: { at, why },
  });
}
