import { type Disk, ok, type Result } from "../../../spec/index.ts";
import { folderOf } from "./whole-file.ts";

export interface DurableFolders {
  /** Makes a folder, with parents. With `durable`, its name and its parents' names survive power loss after this. */
  make(folder: string, durable: boolean): Promise<Result<void>>;
}

/**
 * A new folder's name is safe only when its parent is synced, and its parent's name when the grandparent is. Another
 * process may have made them without syncing, so each process syncs all the way up once per folder. Above `root`
 * this is best effort: those folders may be another user's.
 */
export function createDurableFolders(disk: Disk, root: string): DurableFolders {
  const settled = new Set<string>();

  async function syncParents(folder: string): Promise<Result<void>> {
    for (let child = folder; child !== "/" && !settled.has(child); child = folderOf(child)) {
      const synced = await disk.syncDirectory(folderOf(child));
      const isOurs = child === root || child.startsWith(`${root}/`);
      if (!synced.ok && (isOurs || synced.error.code === "crashed")) return synced;
    }
    for (let child = folder; child !== "/"; child = folderOf(child)) settled.add(child);
    return ok();
  }

  return {
    async make(folder, durable) {
      const stat = durable ? await disk.stat(folder) : null;
      if (stat?.ok === false) settled.clear();
      const made = await disk.makeDirectory(folder);
      return made.ok && durable ? syncParents(folder) : made;
    },
  };
}
