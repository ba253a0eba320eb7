import { isDreamSession } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import { orThrow } from "../or-throw.ts";
import { findSession } from "../sessions/find-session.ts";
import { listSessions } from "../sessions/list-sessions.ts";
import { openSessionPlaces, type SessionLocations } from "../sessions/session-locations.ts";
import type { CommandContext } from "../terminal.ts";
import type { RunChoices } from "./run-choices.ts";

/** The session to go on with. */
export interface ChosenSession {
  readonly id: string;
  /** The model it began with, where its log says so. */
  readonly model?: string;
}

/** `undefined`: a new one. Throws where what was named is not there, or belongs elsewhere. */
export async function chooseSession(
  context: CommandContext,
  choices: Pick<RunChoices, "resume" | "continue">,
): Promise<ChosenSession | undefined> {
  if (choices.resume === undefined && !choices.continue) return undefined;
  const places = await openSessionPlaces(context);
  const project = orThrow(await places.currentProject());
  if (choices.resume !== undefined) return namedSession(places, project, choices.resume);
  const listed = orThrow(await listSessions(places, [project]));
  const newest = listed.find(
    ({ session, parent, problem }) =>
      parent === undefined && problem === undefined && !isDreamSession(session),
  );
  if (newest) return { id: newest.session, model: newest.model };
  throw fail("not-found", "This project has no session to go on with.", {
    path: context.folder,
    fix: "Leave --continue away to begin one, or name the project's folder with --cwd.",
  }).error;
}

async function namedSession(
  places: SessionLocations,
  project: string,
  named: string,
): Promise<ChosenSession> {
  const found = orThrow(await findSession(places, named));
  const listed = orThrow(await listSessions(places, [found.project]));
  const listing = listed.find(({ session }) => session === found.session);
  if (found.project === project) return { id: found.session, model: listing?.model };
  const folder = listing?.cwd;
  throw fail("not-found", `Session ${found.session} belongs to another project: ${found.project}.`, {
    path: found.session,
    fix: folder === undefined ? "Call it in that project's folder." : `Add --cwd ${folder}`,
  }).error;
}
