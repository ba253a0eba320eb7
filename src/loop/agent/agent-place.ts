import { join, resolve } from "node:path";
import { createRuntime, type Runtime } from "../../runtime.ts";
import type { Disk } from "../../spec/index.ts";
import { createNodeDisk, dataRoot, projectSlug } from "../../stores/files/index.ts";

/** Where an agent works and keeps its things. */
export interface AgentPlace {
  readonly runtime: Runtime;
  readonly disk: Disk;
  readonly cwd: string;
  /** The data root. */
  readonly home: string;
  /** The agent's own folder for small files. */
  readonly scratchFolder: string;
  /** Where layer 1 puts results: the model is told these paths, and may read them. */
  readonly resultsFolder: string;
  /** The user's skills, then the project's. */
  readonly skillRoots: readonly string[];
  planFile(session: string): string;
}

export async function openAgentPlace(options: {
  readonly cwd?: string;
  readonly home?: string;
}): Promise<AgentPlace> {
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const cwd = resolve(options.cwd ?? runtime.workingFolder());
  const home = resolve(options.home ?? dataRoot(runtime.environment, runtime.homeFolder));
  const slug = await projectSlug(disk, cwd);
  if (!slug.ok) throw slug.error;
  const project = join(home, "projects", slug.value);
  return {
    runtime,
    disk,
    cwd,
    home,
    scratchFolder: join(project, "scratch"),
    resultsFolder: join(project, "tool-results"),
    skillRoots: [join(home, "skills"), join(cwd, ".palimpsest", "skills")],
    planFile: (session) => join(project, "plans", `${session.replaceAll("/", "_")}.md`),
  };
}
