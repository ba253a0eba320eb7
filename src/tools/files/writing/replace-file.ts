import { dirname, join } from "node:path";
import { fail, ok, type Result } from "../../../spec/index.ts";
import type { FileFacts, FileSystem } from "../disk/file-system.ts";
import { showPath } from "../paths/show-path.ts";

export interface Replacement {
  /** Real, that is without a link in it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The file as it was looked at; absent: there is none yet. */
  readonly before?: FileFacts;
  /** Unique, and safe as a file name. */
  readonly id: string;
}

/**
 * Puts a whole file in place, or nothing: a finished neighbour is renamed onto it. Mode and owner of the file before stay.
 * Refused where a folder has become a link, or the file is another than was looked at; between the last look and the
 * renaming nothing else is done, and that is as close as the system's calls allow.
 */
export async function replaceFile(
  fileSystem: FileSystem,
  replacement: Replacement,
): Promise<Result<FileFacts>> {
  const { path, bytes, before, id } = replacement;
  const neighbour = join(dirname(path), `.palimpsest-${id}.tmp`);
  const folder = await checkReal(fileSystem, dirname(path));
  if (!folder.ok) return folder;
  const created = await fileSystem.create(neighbour, bytes, before);
  if (!created.ok) return created;
  const renamed = await renameOnto(fileSystem, neighbour, replacement);
  if (!renamed.ok) {
    await fileSystem.remove(neighbour);
    return renamed;
  }
  return fileSystem.stat(path);
}

async function renameOnto(
  fileSystem: FileSystem,
  neighbour: string,
  { path, before }: Replacement,
): Promise<Result<void>> {
  const real = await checkReal(fileSystem, neighbour);
  if (!real.ok) return real;
  const now = await fileSystem.stat(path);
  if (!now.ok && now.error.code !== "not-found") return now;
  if (!isSame(before, now.ok ? now.value : undefined)) {
    return fail("conflict", `${showPath(path)} was changed by somebody else just now.`, {
      path,
      fix: "Nothing was written. Read it again and decide anew.",
    });
  }
  return fileSystem.rename(neighbour, path);
}

async function checkReal(fileSystem: FileSystem, path: string): Promise<Result<void>> {
  const real = await fileSystem.realPath(path);
  if (!real.ok) return real;
  if (real.value === path) return ok();
  return fail("conflict", `${showPath(path)} has come to lead to ${showPath(real.value)}.`, {
    path,
    fix: "Nothing was written. Call again, so that permission is asked for where it leads now.",
  });
}

function isSame(before: FileFacts | undefined, now: FileFacts | undefined): boolean {
  return (
    before?.identity === now?.identity &&
    before?.bytes === now?.bytes &&
    before?.modifiedMs === now?.modifiedMs
  );
}
