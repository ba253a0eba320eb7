import { type Disk, ok, type Result } from "../../../spec/index.ts";
import { fileContains } from "../log/find-bytes.ts";

/** Every file under a folder that holds one of the needles. Links are not followed; what cannot be read is named too. */
export async function findSecret(
  disk: Disk,
  folder: string,
  needles: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Result<readonly string[]>> {
  const found: string[] = [];

  async function look(path: string): Promise<Result<void>> {
    const stat = await disk.stat(path);
    if (!stat.ok) return ok();
    if (stat.value.kind === "file") {
      const holds = await fileContains(disk, path, needles, { signal });
      if (!holds.ok && holds.error.code === "aborted") return holds;
      if (!holds.ok || holds.value) found.push(holds.ok ? path : `${path} (cannot be read)`);
    }
    const names = stat.value.kind === "directory" ? await disk.list(path) : ok([]);
    for (const name of names.ok ? names.value : []) {
      const looked = await look(`${path}/${name}`);
      if (!looked.ok) return looked;
    }
    return ok();
  }

  const looked = await look(folder);
  return looked.ok ? ok(found) : looked;
}
