import type { StoreSessions } from "@palimpsest/core/spec";

/** While it stays the same, so has the log: which one it is, how large, and when it was changed. */
export async function logStamp(sessions: StoreSessions, session: string): Promise<string> {
  const stamp = await sessions.stamp(session);
  if (!stamp.ok) return "absent";
  const { identity, bytes, modifiedAt } = stamp.value;
  return `${identity} ${bytes} ${modifiedAt}`;
}
