import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { type FoundSession, findSession } from "./find-session.ts";
import type { SessionLocations } from "./session-locations.ts";

/** The target that `FILE|ID` names. A log inside a data root is a session, however it was named. */
export type TranscriptTarget =
  | ({ readonly kind: "session" } & FoundSession)
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "input" };

/** A file wins over an id; `-` is what is piped in. */
export async function findTranscript(
  locations: SessionLocations,
  named: string,
  project?: string,
): Promise<Result<TranscriptTarget>> {
  if (named === "-") return ok({ kind: "input" });
  const path = resolve(locations.folder, named);
  const kind = await kindOf(path);
  if (kind === "file") {
    const session = await sessionAt(locations, path);
    return ok(session === null ? { kind: "file", path } : { kind: "session", ...session });
  }
  const found = await findSession(locations, named, project);
  if (found.ok) return ok({ kind: "session", ...found.value });
  if (found.error.code !== "not-found") return found;
  if (kind === "folder") {
    return fail("is-directory", `${path} is a folder.`, {
      path,
      fix: "Name a file in it, or a session's id.",
    });
  }
  return fail("not-found", `There is no file ${path}, and no session “${named}” in ${locations.address}.`, {
    path: named,
    fix: "“palimpsest sessions list --all” shows all sessions; --home names another data root.",
  });
}

async function kindOf(path: string): Promise<"file" | "folder" | "absent"> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "absent" : "file";
  }
}

/** The session whose log stands at a path, in this data root or another. */
async function sessionAt(locations: SessionLocations, path: string): Promise<FoundSession | null> {
  const [, home, project, name] = /^(.*)\/projects\/([^/]+)\/sessions\/(.+)\.jsonl$/.exec(path) ?? [];
  if (home === undefined || project === undefined || name === undefined) return null;
  const session = name.replace(".agents/", "/");
  const store = await locations.fileStore(project, home);
  const address = store.sessions.address(session);
  return address === path ? { project, session, address, store } : null;
}
