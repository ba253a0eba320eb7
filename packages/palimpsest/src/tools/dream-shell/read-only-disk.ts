import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { JustBash } from "./load-just-bash.ts";

/** Folders by the name they have in the shell (`memory` is `/memory`): real ones, or texts by path as they are now. */
export type DreamMounts = Readonly<Record<string, string | (() => ReadonlyMap<string, string>)>>;

/** Files over this read as missing. */
export const maxReadBytes = 10 * 1024 * 1024;

const legalName = /^[a-z][a-z-]*$/;

/** A file system with these folders and nothing else: no links are followed, and no write gets anywhere. */
export function createReadOnlyDisk(
  { InMemoryFs, MountableFs, OverlayFs }: JustBash,
  mounts: DreamMounts,
): Result<InstanceType<JustBash["MountableFs"]>> {
  try {
    const disk = new MountableFs({ base: new InMemoryFs() });
    for (const [name, root] of Object.entries(mounts)) {
      if (!legalName.test(name)) return fail("invalid-input", `“${name}” cannot name a folder of the shell.`);
      const folder =
        typeof root === "string"
          ? new OverlayFs({ root, mountPoint: "/", readOnly: true, maxFileReadSize: maxReadBytes })
          : new InMemoryFs(Object.fromEntries([...root()].map(([path, text]) => [`/${path}`, text])));
      disk.mount(`/${name}`, folder);
    }
    return ok(disk);
  } catch (cause) {
    return fail("not-found", `A folder of the shell cannot be opened: ${String(cause)}`, {
      fix: "Check that memory and sessions are there.",
      cause,
    });
  }
}
