import { isWithin } from "../../permissions/plain-path.ts";
import { type Disk, ok, type Result } from "../../spec/index.ts";
import { folderOf } from "../../stores/files/disk/whole-file.ts";
import { createRulesCollector } from "./rules-collector.ts";
import type { LoadedRules } from "./rules-file.ts";

export interface RulesLocations {
  readonly disk: Disk;
  /** The data root: the user's own rules lie there. */
  readonly home: string;
  /** The folder for `~/` in an include. */
  readonly homeFolder: string;
  /** The top of the project; its rules files, and what they include, lie below. */
  readonly projectRoot: string;
  /** Where the agent works: the project root or below it. */
  readonly cwd: string;
  /** Whether a project's file may be read; absent: every one in the project. */
  readonly mayRead?: (path: string) => boolean | Promise<boolean>;
  /** Whether a project's file may include one outside the project; absent: none. */
  readonly mayInclude?: (path: string) => boolean | Promise<boolean>;
}

/**
 * The rules that hold from the start: the user's, then those from the project's root down to where the agent works,
 * each followed by what it includes. What cannot be read is a note; the rest is loaded all the same.
 */
export async function loadRules(locations: RulesLocations): Promise<Result<LoadedRules>> {
  const real = await realLocations(locations);
  if (!real.ok) return real;
  const collector = createRulesCollector(real.value);
  await collector.addFolder(real.value.home, "user");
  for (const folder of foldersBetween(real.value.projectRoot, real.value.cwd)) {
    await collector.addFolder(folder, "project");
  }
  return ok(collector.loaded());
}

/** With links followed, so that paths can be compared. */
export async function realLocations(locations: RulesLocations): Promise<Result<RulesLocations>> {
  const root = await locations.disk.realPath(locations.projectRoot);
  if (!root.ok) return root;
  const cwd = await locations.disk.realPath(locations.cwd);
  if (!cwd.ok) return cwd;
  const home = await locations.disk.realPath(locations.home);
  return ok({
    ...locations,
    home: home.ok ? home.value : locations.home,
    projectRoot: isWithin(cwd.value, root.value) ? root.value : cwd.value,
    cwd: cwd.value,
  });
}

/** Every folder from `top` down to `bottom`, both included; none where one is not in the other. */
export function foldersBetween(top: string, bottom: string): readonly string[] {
  if (!isWithin(bottom, top)) return [];
  const folders = [bottom];
  for (let folder = bottom; folder !== top && folder !== "/"; ) {
    folder = folderOf(folder);
    folders.unshift(folder);
  }
  return folders;
}

/** The folder that a checkout begins at: the nearest one with `.git` in it, else the folder itself. */
export async function findProjectRoot(disk: Pick<Disk, "stat" | "realPath">, cwd: string): Promise<string> {
  const real = await disk.realPath(cwd);
  const begin = real.ok ? real.value : cwd;
  for (let folder = begin; ; folder = folderOf(folder)) {
    const marker = await disk.stat(`${folder === "/" ? "" : folder}/.git`);
    if (marker.ok && (marker.value.kind === "directory" || marker.value.kind === "file")) return folder;
    if (folder === "/") return begin;
  }
}
