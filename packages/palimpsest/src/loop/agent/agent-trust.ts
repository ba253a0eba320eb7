import {
  readTrackedFiles,
  rulesNames,
  type SessionTrustLocations,
  systemShell,
} from "@palimpsest/core/internal";
import { memoryToolName } from "../../tools/memory/index.ts";
import type { AgentLocation } from "./agent-location.ts";

/** Which files are trusted: those of the workspace under version control, and the user's own rules files. */
export async function readAgentTrust(
  { home, disk, runtime, clock, projectFolder }: AgentLocation,
  workspace: readonly string[],
): Promise<SessionTrustLocations> {
  const [cwd = "/"] = workspace;
  const real = await disk.realPath(home);
  const homes = [home, ...(real.ok ? [real.value] : [])];
  const own = new Set(homes.flatMap((folder) => rulesNames.map((name) => `${folder}/${name}`)));
  const places = await readTrackedFiles({
    shell: systemShell,
    clock,
    environment: runtime.environment,
    workspace: [...workspace, projectFolder],
    cwd,
    folders: workspace,
    isOwn: (path) => own.has(path),
  });
  return { ...places, memoryTool: memoryToolName };
}
