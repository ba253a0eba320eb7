import { type ArchivePiece, type Disk, ok, type Result } from "../../../spec/index.ts";
import type { Layout } from "../layout.ts";
import { fromHistoryName, historyFolderName, toTreePath } from "../trees/tree-path.ts";
import { toTreePlace } from "../trees/tree-place.ts";

type VersionPiece = Extract<ArchivePiece, { readonly kind: "version" }>;

const isNumber = (name: string) => /^[1-9]\d{0,14}$/.test(name);

/** Every version of every file of every tree of a project, each file's in order. */
export async function treePieces(disk: Disk, layout: Layout): Promise<Result<readonly VersionPiece[]>> {
  const folders = await disk.list(layout.root);
  if (!folders.ok) return folders.error.code === "not-found" ? ok([]) : folders;
  const pieces: VersionPiece[] = [];
  for (const tree of folders.value) {
    const histories = await disk.list(`${layout.root}/${tree}/${historyFolderName}`);
    if (!histories.ok) continue;
    for (const name of histories.value) {
      const path = fromHistoryName(name);
      if (path === null) continue;
      const versions = await disk.list(`${layout.root}/${tree}/${historyFolderName}/${name}`);
      if (!versions.ok) return versions;
      const numbers = versions.value.filter(isNumber).map(Number);
      for (const version of numbers.sort((one, other) => one - other))
        pieces.push({ kind: "version", tree, path, version });
    }
  }
  return ok(pieces);
}

export function versionPlace(layout: Layout, { tree, path, version }: VersionPiece): Result<string> {
  const folder = layout.tree(tree);
  const checked = folder.ok ? toTreePath(path) : folder;
  if (!folder.ok || !checked.ok) return checked;
  return ok(toTreePlace(folder.value, checked.value).version(version));
}
