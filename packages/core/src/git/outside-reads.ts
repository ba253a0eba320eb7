import { basename, dirname, resolve } from "node:path";
import type { Disk } from "../spec/index.ts";
import type { GitRepository } from "./create-git.ts";
import {
  findOutwardLink,
  followPath,
  isWithinAny,
  kindsOf,
  readText,
  realPathOf,
  unreadable,
} from "./folder-bounds.ts";
import { pathOfSetting, type RepositorySetting } from "./repository-listings.ts";

export interface OutsideReadOptions {
  readonly disk: Disk;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** Says where the user's home is, for a `~` at the beginning of a path. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Something a repository makes git read that lies outside of the workspace. */
export interface OutsideRead {
  /** The setting's description, as in “its setting core.worktree”. */
  readonly what: string;
  readonly path: string;
}

/** Nothing in them is read while programs are turned off; of submodules each is looked at by itself. */
const passedOver: ReadonlySet<string> = new Set(["hooks", "modules", "lfs", "annex"]);

const maxEntries = 300_000;
const maxAlternates = 100;
const maxAlternatesBytes = 65_536;

/**
 * The first of the places where git would look for these repositories that is outside of the workspace: their folders,
 * the objects they borrow, links in a git folder, and files that their own configuration names. Of the user's and the
 * machine's configuration nothing is asked.
 */
export async function findOutsideRead(
  { disk, folders, environment }: OutsideReadOptions,
  repositories: readonly GitRepository[],
): Promise<OutsideRead | undefined> {
  const real = await Promise.all(folders.map((folder) => realPathOf(disk, folder)));
  const roots = new Set(real.filter((folder) => folder !== undefined));
  for (const repository of repositories) {
    const found = await findOwnOutsideRead({ disk, environment, roots }, repository);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Bounds {
  readonly disk: Disk;
  readonly environment: OutsideReadOptions["environment"];
  /** Grows by what belongs to a repository that was looked at. */
  readonly roots: Set<string>;
}

async function findOwnOutsideRead(
  bounds: Bounds,
  repository: GitRepository,
): Promise<OutsideRead | undefined> {
  const { disk, roots } = bounds;
  const own = await resolveFolders(disk, repository);
  if ("what" in own) return own;
  const from = await realPathOf(disk, repository.folder);
  if (from === undefined || !isWithinAny([...roots], from))
    return { what: "the folder of a submodule", path: repository.folder };
  for (const linked of await findLinkedFolders(disk, repository, own, [...roots])) roots.add(linked);
  const { gitFolder, commonFolder, worktree } = own;
  const named: readonly (readonly [string, string | undefined])[] = [
    ["its git folder (.git)", gitFolder],
    ["the folder that it shares with other worktrees (commondir)", commonFolder],
    ["its working tree (core.worktree)", worktree],
  ];
  for (const [what, path] of named)
    if (path !== undefined && !isWithinAny([...roots], path)) return { what, path };
  const objects = await readAlternates(bounds, commonFolder);
  if ("what" in objects) return objects;
  const link = await findOutwardLink({
    disk,
    from: [...new Set([gitFolder, commonFolder]), ...objects.folders],
    roots: [...roots],
    passedOver,
    maxEntries,
  });
  if (link !== undefined) return { what: "a link in its git folder", path: link };
  return (
    (await findOutsideFolder(bounds, repository, worktree)) ??
    (await findOutsideSetting(bounds, repository, own))
  );
}

/** Git reads a tracked file also where its folder has become a link. */
async function findOutsideFolder(
  { disk, roots }: Bounds,
  { trackedFolders }: GitRepository,
  worktree: string | undefined,
): Promise<OutsideRead | undefined> {
  if (worktree === undefined) return undefined;
  const paths = [...trackedFolders, ".gitmodules"].map((path) => `${worktree}/${path}`);
  for (const [position, kind] of (await kindsOf(disk, paths)).entries()) {
    const path = paths[position] ?? "";
    const target = kind === "link" || path.includes(unreadable) ? await followPath(disk, path) : undefined;
    if (target === undefined || target.kind === "missing") continue;
    if (target.kind === "unknown" || !isWithinAny([...roots], target.path))
      return { what: "a link in the place of a tracked file or folder", path };
  }
  return undefined;
}

/** Without links; a failure names what cannot be told. */
async function resolveFolders(
  disk: Disk,
  { gitFolder, commonFolder, worktree }: GitRepository,
): Promise<RealRepository | OutsideRead> {
  const [own, common, tree] = await Promise.all(
    [gitFolder, commonFolder, worktree ?? gitFolder].map((path) => realPathOf(disk, path)),
  );
  if (own === undefined) return { what: "its git folder (.git)", path: gitFolder };
  if (common === undefined) return { what: "its shared folder (commondir)", path: commonFolder };
  if (worktree === undefined) return { gitFolder: own, commonFolder: common };
  if (tree === undefined) return { what: "its working tree (core.worktree)", path: worktree };
  return { gitFolder: own, commonFolder: common, worktree: tree };
}

/** The folders of objects that a repository borrows, and those that they borrow in turn. */
async function readAlternates(
  { disk, roots }: Bounds,
  commonFolder: string,
): Promise<{ readonly folders: readonly string[] } | OutsideRead> {
  const what = "other objects that it borrows (objects/info/alternates)";
  const own = await realPathOf(disk, `${commonFolder}/objects`);
  const folders = new Set(own === undefined ? [] : [own]);
  for (const folder of folders) {
    const file = `${folder}/info/alternates`;
    const target = await followPath(disk, file);
    if (target.kind === "missing") continue;
    if (target.kind === "unknown" || !isWithinAny([...roots], target.path)) return { what, path: file };
    const text = (await readText(disk, target.path, maxAlternatesBytes)) ?? "";
    // Text in quotes, or longer than a list of folders is, cannot be judged.
    if (text.length >= maxAlternatesBytes || /^"/m.test(text)) return { what, path: file };
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    // Git takes `..` out of the text first, the system goes through links first.
    for (const path of lines.flatMap((line) => [pathFrom(folder, line), resolve(folder, line)])) {
      const borrowed = await followPath(disk, path);
      if (borrowed.kind === "missing") continue;
      if (borrowed.kind === "unknown" || !isWithinAny([...roots], borrowed.path)) return { what, path };
      folders.add(borrowed.path);
    }
    if (folders.size > maxAlternates) return { what, path: file };
  }
  return { folders: [...folders] };
}

async function findOutsideSetting(
  { disk, environment, roots }: Bounds,
  { folder, settings }: GitRepository,
  { gitFolder, commonFolder, worktree }: RealRepository,
): Promise<OutsideRead | undefined> {
  const basesOf = (setting: RepositorySetting) => ({
    origin: [dirname(setting.origin)],
    "git-folder": [gitFolder],
    worktree: [worktree ?? folder, folder],
  });
  for (const setting of settings) {
    const origin = await followPath(disk, setting.origin);
    if (origin.kind !== "there" || !isWithinAny([...roots], origin.path))
      return { what: "a file of settings that it includes", path: setting.origin };
    const named = pathOfSetting(setting);
    // The one of a repository with several worktrees holds for none of the linked ones.
    const isIdle = setting.name === "core.worktree" && gitFolder !== commonFolder;
    if (named === undefined || isIdle) continue;
    const what = `its setting ${setting.name}`;
    const path = expandHome(named.path, environment);
    if (path === undefined) return { what, path: named.path };
    const bases = basesOf(setting)[named.base];
    for (const one of bases.flatMap((base) => [pathFrom(base, path), resolve(base, path)])) {
      const target = await followPath(disk, one);
      if (target.kind === "unknown") return { what, path };
      if (target.kind === "there" && !isWithinAny([...roots], target.path)) return { what, path };
    }
  }
  return undefined;
}

/** Nothing for the home of another user, and for a folder of git's own. */
function expandHome(path: string, { HOME }: OutsideReadOptions["environment"]): string | undefined {
  if (path.startsWith("%(")) return undefined;
  if (!path.startsWith("~")) return path;
  const rest = path.slice(1);
  return HOME === undefined || (rest !== "" && !rest.startsWith("/")) ? undefined : HOME + rest;
}

/** The folders of a repository, without links in their paths. */
interface RealRepository {
  readonly gitFolder: string;
  readonly commonFolder: string;
  readonly worktree?: string;
}

const maxPointerBytes = 8_192;

/**
 * Folders outside of the workspace that belong to its repository all the same: those of a repository above it, and those
 * whose own files lead back to the folder that names them, which no folder can bring about from outside.
 */
async function findLinkedFolders(
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
function pathFrom(base: string, path: string): string {
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
