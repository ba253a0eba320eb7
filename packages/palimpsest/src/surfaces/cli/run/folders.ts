import { resolve } from "node:path";
import { type Disk, fail } from "@palimpsest/core/spec";

/** The folders named after `--add-dir`, absolute. Throws where one is none. */
export async function foldersOf(
  disk: Disk,
  folder: string,
  named: readonly string[],
): Promise<readonly string[]> {
  const folders = named.map((name) => resolve(folder, name));
  for (const path of folders) {
    const real = await disk.realPath(path);
    const stat = real.ok ? await disk.stat(real.value) : real;
    if (stat.ok && stat.value.kind === "directory") continue;
    if (!stat.ok && stat.error.code !== "not-found") throw stat.error;
    const what = stat.ok ? `${path} is no folder.` : `There is no folder ${path}.`;
    throw fail(stat.ok ? "not-directory" : "not-found", what, { path, fix: "Name a folder after --add-dir." })
      .error;
  }
  return folders;
}
