import { quarantineFolder } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import type { PublishedSources } from "./published-tool.ts";

/** Whether a file waits for a person, in any spelling: what stands in it, and its name, is for no model to read. */
export function isQuarantined(path: string): boolean {
  const plain = path.normalize("NFKC").replace(/^(?:\.?\/)+/, "");
  return plain.toLowerCase().startsWith(quarantineFolder);
}

/** One memory, or an earlier version of it, as long as it does not wait in quarantine. */
export async function readUnquarantined(memory: PublishedSources["memory"], path: string, version?: number) {
  if (isQuarantined(path))
    throw fail("denied", `${path} waits in quarantine until a person confirms or rejects it.`, {
      path,
      fix: "Ask the user to look: palimpsest memory list --quarantine.",
    }).error;
  return memory.read(path, version);
}
