import { type Disk, ok, type Result } from "../../spec/index.ts";
import { folderOf } from "./whole-file.ts";

/** `<home>/projects/<slug>/sessions` and the folder that holds `<home>`. */
const levels = 5;

/** Makes a folder and the folders it stands in survive power loss, as far up as this program may have made them. */
export async function syncFolders(disk: Disk, folder: string): Promise<Result<void>> {
  const real = await disk.realPath(folder);
  if (!real.ok) return real;
  let path = real.value;
  for (let level = 0; level < levels; level += 1) {
    const synced = await disk.syncDirectory(path);
    if (!synced.ok && synced.error.code !== "permission") return synced;
    if (path === "/") break;
    path = folderOf(path);
  }
  return ok();
}
