import { fail, type Result, type Tombstone } from "../../spec/index.ts";

/** The answer for a session that has no log: removed, with the date, or never there. */
export async function refuseAbsentSession(
  session: string,
  readTombstone: (session: string) => Promise<Result<Tombstone | null>>,
): Promise<Result<never>> {
  const own = await readTombstone(session);
  if (!own.ok) return own;
  const [root = session] = session.split("/");
  /** A fork goes with the session it lives in. */
  const tombstone = own.value === null && root !== session ? await readTombstone(root) : own;
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
