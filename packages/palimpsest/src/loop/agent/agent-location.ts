import { join, resolve } from "node:path";
import {
  createEnvironmentMask,
  createRuntime,
  type EnvironmentMask,
  noMask,
  type Runtime,
  readTrackedFiles,
  rulesNames,
  type SessionTrustLocations,
  systemShell,
} from "@palimpsest/core/internal";
import type { Clock, Disk } from "@palimpsest/core/spec";
import { createNodeDisk, dataRoot, projectSlug } from "@palimpsest/core/stores/files";
import { memoryToolName } from "../../tools/memory/index.ts";
import { withRealPaths } from "../../tools/permissions/index.ts";

/** Where an agent works and keeps its things. */
export interface AgentLocation {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly cwd: string;
  /** Where the session works; an agent in a worktree works elsewhere. */
  readonly projectFolder: string;
  /** The data root. */
  readonly home: string;
  /** The project's slug. */
  readonly project: string;
  /** A real path: where memories are. */
  readonly memoryFolder: string;
  /** Where the index of the search is; everything in it can be made anew. */
  readonly recallFolder: string;
  /** The agent's own folder for small files. */
  readonly scratchFolder: string;
  /** The user's skills, then the project's. */
  readonly skillRoots: readonly string[];
  /** Real paths that the model is told of, and may read: results that layer 1 put on disk, plans, the user's skills. */
  readonly readable: readonly string[];
  /** Masks keys of the environment; nothing, where the program wants none masked. */
  readonly secrets: EnvironmentMask;
  /** A real path. */
  planFile(session: string): string;
}

export async function openAgentLocation(options: {
  readonly cwd?: string;
  readonly home?: string;
  readonly clock?: Clock;
  readonly secrets?: Readonly<Record<string, string>> | false;
}): Promise<AgentLocation> {
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const cwd = resolve(options.cwd ?? runtime.workingFolder());
  const home = resolve(options.home ?? dataRoot(runtime.environment, runtime.homeFolder));
  const slug = await projectSlug(disk, cwd);
  if (!slug.ok) throw slug.error;
  const project = join(home, "projects", slug.value);
  const userSkills = join(home, "skills");
  const real = (path: string) => realPathOf(disk, path);
  const [results, plans, skills, memoryFolder] = await Promise.all([
    real(join(project, "tool-results")),
    real(join(project, "plans")),
    real(userSkills),
    real(join(project, "memory")),
  ]);
  return {
    runtime,
    clock: options.clock ?? runtime.clock,
    disk,
    cwd,
    projectFolder: cwd,
    home,
    project: slug.value,
    memoryFolder,
    recallFolder: join(project, "recall"),
    scratchFolder: join(project, "scratch"),
    skillRoots: [userSkills, join(cwd, ".palimpsest", "skills")],
    secrets: options.secrets === false ? noMask : createEnvironmentMask(runtime.environment),
    readable: [results, plans, skills],
    planFile: (session) => join(plans, `${session.replaceAll("/", "_")}.md`),
  };
}

/** Also of what is not there yet. */
async function realPathOf(disk: Disk, path: string): Promise<string> {
  const [subject] = await withRealPaths(disk, [{ kind: "path", value: path, access: "read" }]);
  return subject?.realPath ?? path;
}

/** Which files are trusted: those of the workspace under version control, and the user's own rules files. */
export async function readAgentTrust(
  { home, disk, runtime, clock, projectFolder }: AgentLocation,
  workspace: readonly string[],
): Promise<SessionTrustLocations> {
  const [cwd = "/"] = workspace;
  const real = await disk.realPath(home);
  const homes = [home, ...(real.ok ? [real.value] : [])];
  const own = new Set(homes.flatMap((folder) => rulesNames.map((name) => `${folder}/${name}`)));
  const locations = await readTrackedFiles({
    shell: systemShell,
    clock,
    environment: runtime.environment,
    workspace: [...workspace, projectFolder],
    cwd,
    folders: workspace,
    isOwn: (path) => own.has(path),
  });
  return { ...locations, memoryTool: memoryToolName };
}
