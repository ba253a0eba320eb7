import { basename, dirname } from "node:path";
import { fail, type Result } from "@palimpsest/core/spec";
import type { FileFacts, FileSystem, HeldFolder } from "../disk/file-system.ts";
import { showPath } from "../paths/show-path.ts";

export interface Replacement {
  /** Real, that is without a link in it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The file as it was looked at; absent: there is none yet, and folders may be missing too. */
  readonly before?: FileFacts;
  /** Unique, and safe as a file name. */
  readonly id: string;
}

/**
 * Puts a whole file in place, or nothing: a finished neighbour is renamed onto it, both in the one folder that is held
 * meanwhile, wherever its path has come to lead. Mode and owner of the file before stay. Refused where a part of the path
 * has become a link, or the file is another than was looked at.
 */
export async function replaceFile(
  fileSystem: FileSystem,
  replacement: Replacement,
): Promise<Result<FileFacts>> {
  const { path, before } = replacement;
  const held = await fileSystem.holdFolder(dirname(path), before ? "existing" : "make");
  if (!held.ok) return held;
  try {
    return await replaceIn(held.value, replacement);
  } finally {
    await held.value.close();
  }
}

async function replaceIn(folder: HeldFolder, replacement: Replacement): Promise<Result<FileFacts>> {
  const { path, bytes, before, id } = replacement;
  const neighbour = `.palimpsest-${id}.tmp`;
  const created = await folder.create(neighbour, bytes, before);
  if (!created.ok) return created;
  const renamed = await renameOnto(folder, neighbour, replacement);
  if (!renamed.ok) {
    await folder.remove(neighbour);
    return renamed;
  }
  const checked = await folder.check();
  const now = await folder.stat(basename(path));
  if (!now.ok) return now;
  if (checked.ok && now.value.identity === created.value.identity) return now;
  return fail("conflict", `${showPath(path)} was moved or replaced by somebody else while it was written.`, {
    path,
    fix: "Read it again to see what is there.",
  });
}

async function renameOnto(
  folder: HeldFolder,
  neighbour: string,
  { path, before }: Replacement,
): Promise<Result<void>> {
  const checked = await folder.check();
  if (!checked.ok) return checked;
  const now = await folder.stat(basename(path));
  if (!now.ok && now.error.code !== "not-found") return now;
  if (isSame(before, now.ok ? now.value : undefined)) return folder.rename(neighbour, basename(path));
  return fail("conflict", `${showPath(path)} was changed by somebody else just now.`, {
    path,
    fix: "Nothing was written. Read it again and decide anew.",
  });
}

function isSame(before: FileFacts | undefined, now: FileFacts | undefined): boolean {
  return (
    before?.identity === now?.identity &&
    before?.bytes === now?.bytes &&
    before?.modifiedMs === now?.modifiedMs
  );
}
