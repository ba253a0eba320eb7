import { createHash } from "node:crypto";
import { type Disk, ok, type Result } from "../../spec/index.ts";
import { folderOf, readWholeFile } from "./disk/whole-file.ts";

const maxNameChars = 40;
const maxPointerBytes = 4096;

/**
 * The name a project's data goes under: base name and 8 hex digits of the git common folder, so that worktrees of
 * one repository share it, else of the real path.
 */
export async function projectSlug(disk: Disk, folder: string): Promise<Result<string>> {
  const real = await disk.realPath(folder);
  if (!real.ok) return real;
  const common = await gitCommonFolder(disk, real.value);
  const base = common === null ? real.value : common.endsWith("/.git") ? folderOf(common) : common;
  const name = base
    .slice(base.lastIndexOf("/") + 1)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const digest = createHash("sha256")
    .update(common ?? real.value)
    .digest("hex")
    .slice(0, 8);
  return ok(`${name.slice(0, maxNameChars) || "root"}-${digest}`);
}

async function gitCommonFolder(disk: Disk, from: string): Promise<string | null> {
  for (let folder = from; ; folder = folderOf(folder)) {
    const marker = `${folder === "/" ? "" : folder}/.git`;
    const stat = await disk.stat(marker);
    if (stat.ok && stat.value.kind === "directory") return marker;
    if (stat.ok && stat.value.kind === "file") return commonFolderOf(disk, marker, folder);
    if (folder === "/") return null;
  }
}

/** `.git` is a file in worktrees and submodules; a worktree's folder names the common one in `commondir`. */
async function commonFolderOf(disk: Disk, marker: string, folder: string): Promise<string | null> {
  const pointer = await firstLine(disk, marker);
  if (!pointer?.startsWith("gitdir:")) return null;
  const own = await disk.realPath(resolve(folder, pointer.slice("gitdir:".length).trim()));
  if (!own.ok) return null;
  const common = await firstLine(disk, `${own.value}/commondir`);
  if (common === null) return own.value;
  const real = await disk.realPath(resolve(own.value, common));
  return real.ok ? real.value : null;
}

async function firstLine(disk: Disk, path: string): Promise<string | null> {
  const bytes = await readWholeFile(disk, path, maxPointerBytes);
  return bytes.ok ? (Buffer.from(bytes.value).toString("utf8").split("\n")[0]?.trim() ?? null) : null;
}

function resolve(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}
