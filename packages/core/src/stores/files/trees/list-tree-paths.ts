import { type Disk, fail, ok, type PalimpsestError, type Result } from "../../../spec/index.ts";
import { refuseLink } from "../disk/check-confined.ts";
import { fromHistoryName, historyFolderName, toTreePath } from "./tree-path.ts";

/**
 * Every path that a tree may have a file at, sorted: those with a visible file and those with a history. Hidden
 * files are passed over; links are never followed, and reported like files whose names no path can have.
 */
export async function listTreePaths(
  disk: Disk,
  folder: string,
  onProblem: (problem: PalimpsestError) => void,
): Promise<Result<readonly string[]>> {
  const paths = new Set<string>();

  async function walk(prefix: string): Promise<Result<void>> {
    const names = await disk.list(`${folder}/${prefix}`.replace(/\/$/, ""));
    if (!names.ok) return names.error.code === "not-found" ? ok() : names;
    for (const name of names.value) {
      if (name.startsWith(".")) continue;
      const stat = await disk.stat(`${folder}/${prefix}${name}`);
      if (!stat.ok && stat.error.code === "not-found") continue;
      if (!stat.ok) return stat;
      const path = toTreePath(`${prefix}${name}`);
      const problem = notPartOfTree(`${folder}/${prefix}${name}`, stat.value.kind, path);
      if (problem !== null) onProblem(problem);
      else if (stat.value.kind === "file" && path.ok) paths.add(path.value);
      else {
        const walked = await walk(`${prefix}${name}/`);
        if (!walked.ok) return walked;
      }
    }
    return ok();
  }

  const walked = await walk("");
  if (!walked.ok) return walked;
  const histories = await listHistories(disk, `${folder}/${historyFolderName}`);
  if (!histories.ok) return histories;
  for (const path of histories.value) paths.add(path);
  return ok([...paths].sort());
}

function notPartOfTree(file: string, kind: string, path: Result<string>): PalimpsestError | null {
  if (kind === "link") return refuseLink(file).error;
  if (path.ok && (kind === "file" || kind === "directory")) return null;
  return fail("invalid-path", `${file} is not part of the tree: its name or kind does not fit.`, {
    path: file,
    fix: path.ok ? "Move it away." : path.error.fix,
  }).error;
}

async function listHistories(disk: Disk, folder: string): Promise<Result<readonly string[]>> {
  const stat = await disk.stat(folder);
  if (!stat.ok) return stat.error.code === "not-found" ? ok([]) : stat;
  if (stat.value.kind === "link") return refuseLink(folder);
  const names = await disk.list(folder);
  if (!names.ok) return names;
  return ok(names.value.map(fromHistoryName).filter((path) => path !== null));
}
