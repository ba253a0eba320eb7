import type { ForkResult, TaintSource } from "../../spec/index.ts";
import { isMemoryPath, type MemoryFile } from "./known-memories.ts";

/**
 * What untrusted a fork has read beyond what its parent had in view. Its directive is the program's own, a memory is
 * worth what it says of itself, and one that was not there is the fork's own. A fork of which nobody knows is taken at
 * its parent's worth.
 */
export function foreignTo(
  { taint }: Pick<ForkResult, "taint">,
  { folder, files }: { readonly folder: string; readonly files: ReadonlyMap<string, MemoryFile> },
): readonly TaintSource[] {
  const isTrusted = (path: string | undefined) => {
    if (path === undefined || !path.startsWith(`${folder}/`)) return false;
    const below = path.slice(folder.length + 1);
    const file = files.get(below);
    if (!file) return isMemoryPath(below) && !below.split("/").includes("..");
    return file.memory?.trust === "trusted" || file.memory?.isConfirmed === true;
  };
  return (taint?.because ?? []).filter(
    ({ kind, name }) => kind !== "program" && kind !== "answer" && !isTrusted(name),
  );
}
