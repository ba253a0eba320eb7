import { resolve } from "node:path";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { ShelfScope } from "../../inspector/read/session-shelf.ts";
import { findFiles } from "../replay/find-files.ts";
import { findTranscript } from "../sessions/find-transcript.ts";
import type { SessionPlaces } from "../sessions/session-places.ts";
import { UsageError } from "../usage-error.ts";

export interface InspectTarget {
  readonly scope: ShelfScope;
  /** Whose memories are shown; `null` where what is looked at belongs to no project, or to several. */
  readonly project: string | null;
}

/** What a person means: a session, a file, a project's folder or one with transcripts; nothing: this project. */
export async function findInspectTarget(
  places: SessionPlaces,
  named: string | undefined,
): Promise<Result<InspectTarget>> {
  if (named === undefined) return ownProject(places);
  if (named === "-")
    throw new UsageError("standard input cannot be looked into; use: palimpsest inspect FILE");
  const target = await findTranscript(places, named);
  if (target.ok && target.value.kind === "session") {
    const { kind: _kind, ...session } = target.value;
    return ok({ scope: { session }, project: session.project });
  }
  if (target.ok && target.value.kind === "file")
    return ok({ scope: { files: [target.value.path] }, project: null });
  if (target.ok || target.error.code !== "is-directory") return target as Result<never>;
  return folderTarget(places, resolve(places.folder, named));
}

async function ownProject(places: SessionPlaces): Promise<Result<InspectTarget>> {
  const all = await places.projects();
  if (!all.ok) return all;
  const current = await places.currentProject();
  const own = current.ok && all.value.includes(current.value) ? current.value : null;
  if (own !== null) return ok({ scope: { projects: [own] }, project: own });
  return ok({ scope: { projects: all.value }, project: null });
}

async function folderTarget(places: SessionPlaces, folder: string): Promise<Result<InspectTarget>> {
  const all = await places.projects();
  if (!all.ok) return all;
  const slug = await places.toProject(folder);
  const project = slug.ok && all.value.includes(slug.value) ? slug.value : null;
  const files = await findFiles([folder], folder);
  if (project === null && files.length === 0)
    return fail("not-found", `There are no sessions in ${folder}.`, {
      path: folder,
      fix: "Name a session, a file, or a folder that has transcripts (.jsonl, .json, .gz).",
    });
  return ok({ scope: { ...(project !== null && { projects: [project] }), files }, project });
}
