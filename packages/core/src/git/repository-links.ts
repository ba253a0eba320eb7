import { basename, dirname } from "node:path";
import type { Disk } from "../spec/index.ts";
import type { GitRepository } from "./create-git.ts";
import { isWithinAny, readText, realPathOf } from "./folder-bounds.ts";

/** The folders of a repository, without links in their paths. */
export interface RealRepository {
  readonly gitFolder: string;
  readonly commonFolder: string;
  readonly worktree?: string;
}

const maxPointerBytes = 8_192;

/**
 * Folders outside of the workspace that belong to its repository all the same: those of a repository above it, and those
 * whose own files lead back to the folder that names them, which no folder can bring about from outside.
 */
export async function findLinkedFolders(
  disk: Disk,
  { folder, settings }: Pick<GitRepository, "folder" | "settings">,
  { gitFolder, commonFolder, worktree }: RealRepository,
  roots: readonly string[],
): Promise<readonly string[]> {
  if (isWithinAny(roots, gitFolder)) return [];
  const marked = await findMarked(disk, folder, gitFolder);
  if (marked === undefined) return [];
  const { top, kind } = marked;
  if (kind === "directory") return [top];
  if (gitFolder === commonFolder) {
    const isLinkedBack = await Promise.all(
      settings
        .filter(({ name, origin }) => name === "core.worktree" && dirname(origin) === gitFolder)
        .map(async ({ value }) => (await realPathOf(disk, pathFrom(gitFolder, value))) === top),
    );
    return worktree === top && isLinkedBack.includes(true) ? [top, gitFolder] : [];
  }
  if (dirname(gitFolder) !== `${commonFolder}/worktrees`) return [];
  const back = (await readText(disk, `${gitFolder}/gitdir`, maxPointerBytes))?.replace(/\s+$/, "");
  const isLinkedBack =
    back !== undefined && (await realPathOf(disk, pathFrom(gitFolder, back))) === `${top}/.git`;
  if (!isLinkedBack) return [];
  return [top, commonFolder, ...(basename(commonFolder) === ".git" ? [dirname(commonFolder)] : [])];
}

/** As the system reads it: links in it count before `..` does. */
export function pathFrom(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

/** The next folder upwards that has this git folder or names it in a file; a link does not count. */
async function findMarked(
  disk: Disk,
  folder: string,
  gitFolder: string,
): Promise<{ readonly top: string; readonly kind: "directory" | "file" } | undefined> {
  const from = await realPathOf(disk, folder);
  if (from === undefined) return undefined;
  for (let top = from; ; top = dirname(top)) {
    const marker = `${top === "/" ? "" : top}/.git`;
    const stat = await disk.stat(marker);
    const kind = stat.ok ? stat.value.kind : undefined;
    if (kind === "directory" && marker === gitFolder) return { top, kind };
    if (kind === "file") {
      const [, path] =
        /^gitdir: ([\s\S]*?)\s*$/.exec((await readText(disk, marker, maxPointerBytes)) ?? "") ?? [];
      const named = path === undefined ? undefined : await realPathOf(disk, pathFrom(top, path));
      if (named === gitFolder) return { top, kind };
    }
    if (top === dirname(top)) return undefined;
  }
}
