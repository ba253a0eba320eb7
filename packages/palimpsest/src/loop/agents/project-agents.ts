import { join } from "node:path";
import { isTrusted, toFileContent } from "@palimpsest/core/internal";
import type { Disk } from "@palimpsest/core/spec";
import { type LoadedAgents, loadAgents, type RestrictedAgent } from "../../tools/agent/index.ts";

export interface ProjectAgentsLocation {
  readonly disk: Disk;
  /** The data root. */
  readonly home: string;
  readonly cwd: string;
}

/** Where a project keeps its agents. */
export function projectAgentsFolder(cwd: string): string {
  return join(cwd, ".palimpsest", "agents");
}

/** The user's agents and the project's, which may have come with somebody else's repository. */
export async function loadProjectAgents({ disk, home, cwd }: ProjectAgentsLocation): Promise<LoadedAgents> {
  const [own, project] = await Promise.all([home, join(cwd, ".palimpsest")].map((one) => disk.realPath(one)));
  const isOwn = own?.ok && project?.ok && own.value === project.value;
  const ofUser = { path: join(home, "agents") };
  if (isOwn) return loadAgents({ disk, roots: [ofUser] });
  const ofProject = {
    path: projectAgentsFolder(cwd),
    async isTrusted(path: string, bytes: Uint8Array) {
      const trusted = await isTrusted({ disk, home }, toFileContent(path, bytes));
      return trusted.ok && trusted.value;
    },
  };
  return loadAgents({ disk, roots: [ofUser, ofProject] });
}

/** What is said of an agent that waits for trust. */
export function ignoredText({ path, fields }: RestrictedAgent): string {
  const what = fields.includes("name")
    ? "not used in place of your agent of that name"
    : `${fields.join(", ")}: ignored`;
  return `${path}: ${what} until you trust this version of the file; read it, then run “palimpsest config trust”.`;
}
