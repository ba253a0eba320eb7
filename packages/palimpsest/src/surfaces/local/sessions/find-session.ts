import { fail, ok, type ProjectStore, type Result } from "@palimpsest/core/spec";
import type { SessionLocations } from "./session-locations.ts";

const maxNamed = 5;

export interface FoundSession {
  readonly project: string;
  readonly session: string;
  /** Where a person finds it: a path, or the place in a database. */
  readonly address: string;
  readonly store: ProjectStore;
}

/**
 * The session with that id, or the only one whose id begins so. This project's come first, then all others', unless
 * `project` names the only one to look in. A fork is `<session>/<fork>`.
 */
export async function findSession(
  locations: SessionLocations,
  named: string,
  project?: string,
): Promise<Result<FoundSession>> {
  const scopes = await searchScopes(locations, project);
  if (!scopes.ok) return scopes;
  for (const scope of scopes.value) {
    const known = await knownSessions(locations, scope, named.split("/")[0] ?? "");
    if (!known.ok) return known;
    const found = await choose(known.value, named);
    if (!found.ok || found.value !== null) return found as Result<FoundSession>;
  }
  return notFound(locations, named, scopes.value.flat());
}

async function searchScopes(
  locations: SessionLocations,
  named?: string,
): Promise<Result<readonly (readonly string[])[]>> {
  if (named !== undefined) {
    const project = await locations.toProject(named);
    return project.ok ? ok([[project.value]]) : project;
  }
  const all = await locations.projects();
  if (!all.ok) return all;
  const current = await locations.currentProject();
  const own = current.ok ? all.value.filter((slug) => slug === current.value) : [];
  return ok([own, all.value.filter((slug) => !own.includes(slug))]);
}

async function knownSessions(
  locations: SessionLocations,
  projects: readonly string[],
  prefix: string,
): Promise<Result<readonly FoundSession[]>> {
  const found: FoundSession[] = [];
  for (const project of projects) {
    const store = locations.store(project);
    const ids = await store.sessions.ids(prefix);
    if (!ids.ok) return ids;
    for (const session of ids.value)
      found.push({ project, session, address: store.sessions.address(session), store });
  }
  return ok(found);
}

/** `null`: none of them is meant. */
async function choose(known: readonly FoundSession[], named: string): Promise<Result<FoundSession | null>> {
  const [first = "", ...rest] = named.split("/");
  const chosen = onlyMatch(known, first);
  if (!chosen.ok || chosen.value === null || rest.length === 0) return chosen;
  const { project, session, store } = chosen.value;
  const agents = await store.sessions.agentsOf(session);
  if (!agents.ok) return agents;
  const forks = agents.value.map((fork): FoundSession => {
    return { project, session: fork, address: store.sessions.address(fork), store };
  });
  return onlyMatch(forks, `${session}/${rest.join("/")}`);
}

function onlyMatch(known: readonly FoundSession[], named: string): Result<FoundSession | null> {
  const exact = known.filter(({ session }) => session === named);
  const meant = exact.length > 0 ? exact : known.filter(({ session }) => session.startsWith(named));
  if (meant.length <= 1 || named === "") return ok(named === "" ? null : (meant[0] ?? null));
  const shown = meant.slice(0, maxNamed).map(({ session, project }) => `${session} (${project})`);
  const more = meant.length > maxNamed ? `, and ${meant.length - maxNamed} more` : "";
  return fail(
    "invalid-input",
    `“${named}” could be any of ${meant.length} sessions: ${shown.join(", ")}${more}.`,
    {
      path: named,
      fix: "Give more of the id, or name the project with --project.",
      facts: { sessions: meant.map(({ session }) => session) },
    },
  );
}

async function notFound(
  locations: SessionLocations,
  named: string,
  projects: readonly string[],
): Promise<Result<never>> {
  for (const project of projects) {
    const stamp = await locations.store(project).sessions.stamp(named);
    if (!stamp.ok && stamp.error.code === "collected") return stamp;
  }
  const where = projects.length === 1 ? `project ${projects[0]}` : `${projects.length} projects`;
  return fail("not-found", `There is no session “${named}” in ${locations.address} (${where}).`, {
    path: named,
    fix: "“palimpsest sessions list --all” shows all there are; --home names another data root.",
  });
}
