import { type LogListing, ok, type Result } from "@palimpsest/core/spec";
import type { SessionLocations } from "./session-locations.ts";

export interface ListedSession extends LogListing {
  readonly project: string;
}

/** The sessions of some projects, newest first. A log that cannot be read is in it, with its problem. */
export async function listSessions(
  places: SessionLocations,
  projects: readonly string[],
): Promise<Result<readonly ListedSession[]>> {
  const sessions: ListedSession[] = [];
  for (const project of projects) {
    const listed = await places.store(project).logs.list();
    if (!listed.ok) return listed;
    for (const listing of listed.value) sessions.push({ project, ...listing });
  }
  return ok(
    sessions.sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : a.modifiedAt > b.modifiedAt ? -1 : 0)),
  );
}

const minShownChars = 8;

/** For each id the shortest beginning that names it alone, and no less than is easy to recognise. */
export function shortenIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    const shared = Math.max(sharedChars(id, sorted[index - 1]), sharedChars(id, sorted[index + 1]));
    short.set(id, id.slice(0, Math.max(minShownChars, shared + 1)));
  }
  return short;
}

function sharedChars(id: string, other = ""): number {
  let shared = 0;
  while (shared < id.length && id[shared] === other[shared]) shared += 1;
  return shared;
}
