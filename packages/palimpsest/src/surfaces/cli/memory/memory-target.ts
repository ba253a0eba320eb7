import { resolve } from "node:path";
import { openMemory } from "@palimpsest/core";
import { indexPath } from "@palimpsest/core/internal";
import { fail, type MemoryFolder, ok, type Result, type TreeVersion } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { orThrow, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";

export interface TargetOptions {
  readonly project?: string;
  readonly dir?: string;
}

interface MemoryTarget {
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
  const locations = await openSessionLocations(context);
  const slug = orThrow(
    project === undefined ? await locations.currentProject() : await locations.toProject(project),
  );
  const isSlug = project !== undefined && orThrow(await locations.projects()).includes(project);
  const cwd = project === undefined ? folder : isSlug ? undefined : resolve(folder, project);
  const store = locations.store(slug);
  const memory = await openMemory({ store, project: slug, cwd, onProblem });
  return { memory, folder: store.folders?.memory ?? `${locations.address}, project ${slug}` };
}

async function refuseAbsent(folder: string): Promise<void> {
  const stat = await createNodeDisk().stat(folder);
  if (stat.ok && (stat.value.kind === "directory" || stat.value.kind === "link")) return;
  throw fail("not-found", `${folder} is not a folder.`, { path: folder, fix: "Name a folder that is there." })
    .error;
}

/** The path that a person means: a file, the beginning of its name, or the name of the memory in it. */
export async function findFile(memory: MemoryFolder, named: string): Promise<Result<string>> {
  const { memories, quarantined, invalid, index } = await memory.survey();
  const present: readonly KnownFile[] = [
    ...memories,
    ...quarantined,
    ...invalid,
    ...(index === undefined ? [] : [{ path: indexPath }]),
  ];
  const exact = exactPath(present, named);
  if (exact !== undefined) return ok(exact);
  const known = withFormer(present, await memory.history());
  const former = exactPath(known, named);
  if (former !== undefined) return ok(former);
  const lower = named.toLowerCase();
  const found = known.filter(
    ({ path, name }) => path.toLowerCase().startsWith(lower) || name?.toLowerCase() === lower,
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return ok(only.path);
  if (only === undefined) {
    return fail("not-found", `There is no memory “${named}”.`, {
      path: named,
      fix: "“palimpsest memory list” shows the memories, “palimpsest memory log” also removed ones.",
    });
  }
  return fail("invalid-input", `“${named}” may be ${found.map(({ path }) => path).join(", ")}.`, {
    path: named,
    fix: "Write more of the name.",
  });
}

interface KnownFile {
  readonly path: string;
  readonly name?: string;
}

function exactPath(files: readonly KnownFile[], named: string): string | undefined {
  return [named, `${named}.md`].find((path) => files.some((one) => one.path === path));
}

/** With every file that was there once. */
function withFormer(present: readonly KnownFile[], history: readonly TreeVersion[]): readonly KnownFile[] {
  const names = new Map(present.map(({ path, name }) => [path, name]));
  const paths = new Set([...names.keys(), ...history.map(({ path }) => path)]);
  return [...paths].map((path) => ({ path, name: names.get(path) }));
}
