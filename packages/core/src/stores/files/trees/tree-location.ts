import { type Disk, ok, type PalimpsestError, type Result } from "../../../spec/index.ts";
import { historyFolderName, toHistoryName } from "../../shared/trees/tree-path.ts";
import { checkConfined } from "../disk/check-confined.ts";
import { folderOf } from "../disk/whole-file.ts";

/** Where one file of a tree lives: the copy people see, its versions, and the tree's second names for its copies. */
export interface TreeLocation {
  readonly path: string;
  readonly visible: string;
  readonly visibleFolder: string;
  readonly history: string;
  readonly copies: string;
  version(number: number): string;
}

export function toTreePlace(folder: string, path: string): TreeLocation {
  const visible = `${folder}/${path}`;
  const history = `${folder}/${historyFolderName}/${toHistoryName(path)}`;
  return {
    path,
    visible,
    visibleFolder: folderOf(visible),
    history,
    copies: `${history}/copies`,
    version: (number) => `${history}/${number}`,
  };
}

/**
 * No folder of a place below the tree's own may be a symbolic link. Gives what stands in the way of a visible file,
 * if something does: a file where a folder of its path should be.
 */
export async function checkPlace(
  disk: Disk,
  folder: string,
  place: TreeLocation,
): Promise<Result<PalimpsestError | null>> {
  const kept = [historyFolderName, toHistoryName(place.path), "copies"];
  const history = await checkConfined(disk, folder, kept);
  if (!history.ok) return history;
  const parents = await checkConfined(disk, folder, place.path.split("/").slice(0, -1));
  if (parents.ok) return ok(null);
  return parents.error.code === "not-directory" ? ok(parents.error) : parents;
}
