import { resolve } from "node:path";
import { openMemory } from "@palimpsest/core";
import { fail, type MemoryFolder } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { escapeTerminal } from "../escape-terminal.ts";
import { orThrow } from "../or-throw.ts";
import { openSessionPlaces } from "../sessions/session-locations.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export interface TargetOptions {
  readonly project?: string;
  readonly dir?: string;
}

export interface MemoryTarget {
  readonly memory: MemoryFolder;
  /** Where the memories are. */
  readonly folder: string;
}

/** The memories that a command is about. */
export async function openMemoryTarget(
  context: CommandContext,
  { project, dir }: TargetOptions,
): Promise<MemoryTarget> {
  const { folder, terminal } = context;
  const onProblem = (problem: Error) => terminal.say(`note: ${escapeTerminal(problem.message)}`);
  if (dir !== undefined && project !== undefined) {
    throw new UsageError("--dir and --project exclude each other; use: palimpsest memory … --dir DIR");
  }
  if (dir !== undefined) {
    const named = resolve(folder, dir);
    await refuseAbsent(named);
    return { memory: await openMemory({ dir: named, onProblem }), folder: named };
  }
  const places = await openSessionPlaces(context);
  const slug = orThrow(
    project === undefined ? await places.currentProject() : await places.toProject(project),
  );
  const isSlug = project !== undefined && orThrow(await places.projects()).includes(project);
  const cwd = project === undefined ? folder : isSlug ? undefined : resolve(folder, project);
  const store = places.store(slug);
  const memory = await openMemory({ store, project: slug, cwd, onProblem });
  return { memory, folder: store.folders?.memory ?? `${places.address}, project ${slug}` };
}

async function refuseAbsent(folder: string): Promise<void> {
  const stat = await createNodeDisk().stat(folder);
  if (stat.ok && (stat.value.kind === "directory" || stat.value.kind === "link")) return;
  throw fail("not-found", `${folder} is not a folder.`, { path: folder, fix: "Name a folder that is there." })
    .error;
}
