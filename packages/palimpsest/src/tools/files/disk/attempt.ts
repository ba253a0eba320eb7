import type { Stats } from "node:fs";
import { ok, type Result } from "@palimpsest/core/spec";
import { fileFailure } from "./file-failure.ts";
import type { FileFacts, FileKind } from "./file-system.ts";

/** A call of the file system, with what it throws as a failure. */
export async function attempt<T>(what: string, path: string, call: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await call());
  } catch (cause) {
    return fileFailure(what, path, cause);
  }
}

export function toFacts(stats: Stats): FileFacts {
  return {
    kind: kindOf(stats),
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    identity: `${stats.dev}:${stats.ino}`,
    mode: stats.mode & 0o7777,
    owner: { user: stats.uid, group: stats.gid },
  };
}

export function kindOf(
  stats: Pick<Stats, "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket">,
): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}
