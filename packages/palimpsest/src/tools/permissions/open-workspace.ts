import type { Disk } from "@palimpsest/core/spec";

export interface Workspace {
  /** Real, absolute paths; the working folder first. */
  readonly roots: readonly string[];
  /** Folders that were named and are not there. */
  readonly warnings: readonly string[];
}

/** The folders that the agent works in: its own, and what `additionalFolders` names, each where it really is. */
export async function openWorkspace(question: {
  readonly disk: Pick<Disk, "realPath">;
  readonly cwd: string;
  readonly homeFolder: string;
  /** Absolute, below home (`~/…`) or from the working folder on. */
  readonly additionalFolders?: readonly string[];
}): Promise<Workspace> {
  const { disk, cwd, homeFolder, additionalFolders = [] } = question;
  const own = await disk.realPath(cwd);
  const roots = new Set([own.ok ? own.value : cwd]);
  const warnings: string[] = [];
  for (const folder of additionalFolders) {
    const real = await disk.realPath(absolute(folder));
    if (real.ok) roots.add(real.value);
    else warnings.push(`additionalFolders: ${folder} cannot be used. ${real.error.message}`);
  }
  return { roots: [...roots], warnings };

  function absolute(folder: string): string {
    if (folder === "~" || folder.startsWith("~/")) return homeFolder + folder.slice(1);
    return folder.startsWith("/") ? folder : `${cwd}/${folder}`;
  }
}
