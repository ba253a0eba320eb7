import { posix } from "node:path";
import type { Disk } from "../../spec/index.ts";

/**
 * Whether a path that a memory names is there: as it is, below the home folder, or below the folder of work or one
 * above it, up to the root of the repository. Looks at names only.
 */
export function createHasPath(
  disk: Disk,
  cwd: string,
  homeFolder: string,
): (path: string) => Promise<boolean> {
  let roots: Promise<readonly string[]> | undefined;
  return async (path) => {
    if (path.startsWith("/")) return isThere(disk, path);
    if (path.startsWith("~/")) return isThere(disk, posix.join(homeFolder, path.slice(2)));
    roots ??= findRoots(disk, cwd);
    for (const root of await roots) if (await isThere(disk, posix.join(root, path))) return true;
    return false;
  };
}

async function isThere(disk: Disk, path: string): Promise<boolean> {
  const stat = await disk.stat(path.replace(/(?<=.)\/$/, ""));
  return stat.ok || (stat.error.code !== "not-found" && stat.error.code !== "not-directory");
}

async function findRoots(disk: Disk, cwd: string): Promise<readonly string[]> {
  const roots = [cwd];
  for (let folder = cwd; ; folder = posix.dirname(folder)) {
    if (folder !== cwd) roots.push(folder);
    if (await isThere(disk, posix.join(folder, ".git"))) return roots;
    if (folder === posix.dirname(folder)) return [cwd];
  }
}
