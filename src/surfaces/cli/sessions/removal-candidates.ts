import { ok, type Result } from "../../../spec/index.ts";
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
    const openIn = await openElsewhere(places, store, session.session);
    if (!openIn.ok) return openIn;
    candidates.push({
      ...session,
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
  session: string,
): Promise<Result<string | null>> {
  const holder = await store.leases.holder(session);
  if (!holder.ok) return holder;
  if (holder.value === null) return ok(null);
  const state = await judgeHolder(holder.value, await places.processes.self(), places.processes.look);
  return ok(state === "dead" ? null : `process ${holder.value.pid} on ${holder.value.host.split("/")[0]}`);
}
