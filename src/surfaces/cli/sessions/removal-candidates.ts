import { ok, type Result } from "../../../spec/index.ts";
import { agentsOf } from "../../../stores/files/agents-of.ts";
import { judgeHolder } from "../../../stores/files/holder-judgement.ts";
import type { FileStore } from "../../../stores/files/index.ts";
import { footprintBytes, sessionFiles } from "../../../stores/files/session-files.ts";
import type { ListedSession } from "./list-sessions.ts";
import type { SessionPlaces } from "./session-places.ts";

/** A session that may be removed, and what speaks against it. */
export interface RemovalCandidate extends ListedSession {
  readonly store: FileStore;
  /** With blobs, notes and all that goes with it. */
  readonly footprintBytes: number;
  /** Who has it open; `null` if nobody. */
  readonly openIn: string | null;
  /** Sessions that were forked from it. */
  readonly forks: readonly string[];
}

/** `sessions` must be all of their projects: a fork that is not among them is not seen. */
export async function removalCandidates(
  places: SessionPlaces,
  sessions: readonly ListedSession[],
): Promise<Result<readonly RemovalCandidate[]>> {
  const candidates: RemovalCandidate[] = [];
  for (const session of sessions) {
    const store = places.store(session.project);
    const files = await sessionFiles(places.disk, store.layout, session.session);
    if (!files.ok) return files;
    const agents = await agentsOf(places.disk, store.layout, session.session);
    if (!agents.ok) return agents;
    const openIn = await openElsewhere(places, store, [session.session, ...agents.value]);
    if (!openIn.ok) return openIn;
    candidates.push({
      ...session,
      modifiedAt: await newestChange(places, store, session.modifiedAt, agents.value),
      store,
      footprintBytes: footprintBytes(files.value),
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
  places: SessionPlaces,
  store: FileStore,
  sessions: readonly string[],
): Promise<Result<string | null>> {
  for (const session of sessions) {
    const holder = await store.leases.holder(session);
    if (!holder.ok) return holder;
    if (holder.value === null) continue;
    const { pid, host } = holder.value;
    const state = await judgeHolder(holder.value, await places.processes.self(), places.processes.look);
    if (state !== "dead") return ok(`process ${pid} on ${host.split("/")[0]}`);
  }
  return ok(null);
}

/** A session is in use as long as the forks that live inside it are. */
async function newestChange(
  { disk }: SessionPlaces,
  { layout }: FileStore,
  ownAt: string,
  agents: readonly string[],
): Promise<string> {
  let newest = ownAt;
  for (const agent of agents) {
    const path = layout.log(agent);
    const stat = path.ok ? await disk.stat(path.value) : path;
    const changedAt = stat.ok ? new Date(stat.value.modifiedMs).toISOString() : newest;
    if (changedAt > newest) newest = changedAt;
  }
  return newest;
}
