import { ok, type Result } from "@palimpsest/core/spec";
import { checkRunning } from "../check-running.ts";
import type { FileSystem } from "../disk/file-system.ts";

const atOnce = 64;

/** By the time of the last change, then by path; what is gone meanwhile is left out. */
export async function newestFirst(
  fileSystem: FileSystem,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const dated: { readonly path: string; readonly modifiedMs: number }[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    const running = checkRunning(signal);
    if (!running.ok) return running;
    const batch = paths.slice(from, from + atOnce);
    const facts = await Promise.all(batch.map((path) => fileSystem.stat(path)));
    facts.forEach((fact, at) => {
      if (fact.ok) dated.push({ path: batch[at] as string, modifiedMs: fact.value.modifiedMs });
    });
  }
  dated.sort((one, other) => other.modifiedMs - one.modifiedMs || (one.path < other.path ? -1 : 1));
  return ok(dated.map(({ path }) => path));
}
