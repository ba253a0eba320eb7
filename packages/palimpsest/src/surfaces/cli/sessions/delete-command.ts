import { fail } from "@palimpsest/core/spec";
import { exitWith } from "../exit-codes.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { needersOf } from "./choose-prunable.ts";
import { type FoundSession, findSession } from "./find-session.ts";
import { type ListedSession, listSessions } from "./list-sessions.ts";
import { type RemovalCandidate, removalCandidates } from "./removal-candidates.ts";
import { type RemovalOptions, removeSessions } from "./remove-sessions.ts";
import { openSessionPlaces, type SessionPlaces } from "./session-places.ts";

export interface DeleteOptions extends RemovalOptions {
  readonly project?: string;
}

export async function runDelete(
  context: CommandContext,
  named: readonly string[],
  options: DeleteOptions,
): Promise<void> {
  const places = await openSessionPlaces(context);
  const found = new Map<string, FoundSession>();
  for (const name of named) {
    const session = orThrow(await findSession(places, name, options.project));
    found.set(`${session.project} ${session.session}`, session);
  }
  const candidates = await candidatesFor(places, [...found.values()]);
  for (const one of candidates) refuseNeeded(one, candidates);
  const isHeld = ({ openIn }: RemovalCandidate) => openIn !== null && !options.takeOver;
  const outcome = await removeSessions(
    context,
    {
      go: candidates.filter((one) => !isHeld(one)),
      stay: candidates
        .filter(isHeld)
        .map((candidate) => ({ candidate, why: `it is open in ${candidate.openIn}` })),
      why: "deleted by hand",
      form: `palimpsest sessions delete ${named.join(" ")}`,
    },
    options,
  );
  if (outcome.skipped.length > 0) exitWith("failed");
}

async function candidatesFor(
  places: SessionPlaces,
  found: readonly FoundSession[],
): Promise<readonly RemovalCandidate[]> {
  const projects = [...new Set(found.map(({ project }) => project))];
  const listed = orThrow(await listSessions(places, projects));
  const isNamed = ({ project, session }: ListedSession) =>
    found.some((one) => one.project === project && one.session === session);
  const agents: ListedSession[] = [];
  for (const { session, project, store } of found) {
    // A fork that lives inside another session is in no listing.
    if (session.includes("/")) agents.push({ project, ...(await store.sessions.listing(session)) });
  }
  return orThrow(await removalCandidates(places, [...listed, ...agents])).filter(isNamed);
}

function refuseNeeded(one: RemovalCandidate, going: readonly RemovalCandidate[]): void {
  const needers = needersOf(one, going);
  if (needers.length === 0) return;
  throw fail(
    "conflict",
    `${one.session} stays: ${needers.join(", ")} was forked from it and would lose its beginning.`,
    {
      path: one.session,
      fix: `Delete them together: palimpsest sessions delete ${[one.session, ...needers].join(" ")}`,
    },
  ).error;
}
