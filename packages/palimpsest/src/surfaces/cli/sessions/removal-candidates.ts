import { ok, type ProjectStore, type Result } from "@palimpsest/core/spec";
import type { ListedSession } from "./list-sessions.ts";
import type { SessionLocations } from "./session-locations.ts";

/** A session that may be removed, and what speaks against it. */
export interface RemovalCandidate extends ListedSession {
  readonly store: ProjectStore;
  /** With blobs, notes and all that goes with it. */
  readonly footprintBytes: number;
  /** Who has it open; `null` if nobody. */
  readonly openIn: string | null;
  /** Sessions that were forked from it. */
  readonly forks: readonly string[];
}

/** `sessions` must be all of their projects: a fork that is not among them is not seen. */
export async function removalCandidates(
  places: SessionLocations,
  sessions: readonly ListedSession[],
): Promise<Result<readonly RemovalCandidate[]>> {
  const candidates: RemovalCandidate[] = [];
  for (const session of sessions) {
    const store = places.store(session.project);
    const footprint = await store.sessions.footprint(session.session);
    if (!footprint.ok) return footprint;
    const agents = await store.sessions.agentsOf(session.session);
    if (!agents.ok) return agents;
    const openIn = await openElsewhere(store, [session.session, ...agents.value]);
    if (!openIn.ok) return openIn;
    candidates.push({
      ...session,
      modifiedAt: await newestChange(store, session.modifiedAt, agents.value),
      store,
      footprintBytes: footprint.value.bytes,
      openIn: openIn.value,
      forks: forksOf(session, sessions),
    });
  }
  return ok(candidates);
}

/** Also forks of the agents that live inside it. */
function forksOf({ session, project }: ListedSession, sessions: readonly ListedSession[]): readonly string[] {
  return sessions
    .filter((other) => other.project === project && other.parent?.split("/")[0] === session)
    .map((other) => other.session);
}

async function openElsewhere(
  store: ProjectStore,
  sessions: readonly string[],
): Promise<Result<string | null>> {
  for (const session of sessions) {
    const held = await store.sessions.holder(session);
    if (!held.ok) return held;
    if (held.value === null || held.value.state === "dead") continue;
    const { pid, host } = held.value.holder;
    return ok(`process ${pid} on ${host.split("/")[0]}`);
  }
  return ok(null);
}

/** A session is in use as long as the forks that live inside it are. */
async function newestChange(
  { sessions }: ProjectStore,
  ownAt: string,
  agents: readonly string[],
): Promise<string> {
  let newest = ownAt;
  for (const agent of agents) {
    const stamp = await sessions.stamp(agent);
    if (stamp.ok && stamp.value.modifiedAt > newest) newest = stamp.value.modifiedAt;
  }
  return newest;
}
