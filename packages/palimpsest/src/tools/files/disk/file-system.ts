import type { Stats } from "node:fs";
import { type ErrorCode, fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";

export type FileKind = "file" | "folder" | "link" | "fifo" | "socket" | "device";

export interface FileFacts {
  readonly kind: FileKind;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Same string, same file. */
  readonly identity: string;
  /** Permission bits. */
  readonly mode: number;
  readonly owner: { readonly user: number; readonly group: number };
}

export interface ReadableFile {
  readonly facts: FileFacts;
  /** Up to `maxBytes` from `position`; none at the end. What comes is the caller's own. */
  read(position: number, maxBytes: number): Promise<Result<Uint8Array>>;
  close(): Promise<void>;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/**
 * The file tools' access to a disk. Paths are absolute. Nothing follows a symbolic link in the last part of a path,
 * except `realPath`. Failures have the codes `not-found`, `exists`, `is-directory`, `not-directory`, `permission`,
 * `disk-full`, `invalid-path`, and `io` for everything else.
 */
export interface FileSystem {
  /** For reading, without waiting for anybody; whatever is no regular file is refused. */
  open(path: string): Promise<Result<ReadableFile>>;
  /** About the thing itself, not what a link points to. */
  stat(path: string): Promise<Result<FileFacts>>;
  /** In the order of the bytes of the names. */
  list(path: string): Promise<Result<readonly FolderEntry[]>>;
  /** The path with every link resolved. */
  realPath(path: string): Promise<Result<string>>;
  /** Where a link points to, as it is written. */
  readLink(path: string): Promise<Result<string>>;
  /** Fails where a file may not be written to, though its folder may. */
  checkWritable(path: string): Promise<Result<void>>;
  /**
   * Holds the folder at a real path. No link on the way is followed: `conflict` where there is one. `make`: with what is
   * missing of it; otherwise it must be there.
   */
  holdFolder(path: string, how: "make" | "existing"): Promise<Result<HeldFolder>>;
}

/**
 * A folder that stays the one that was opened, whatever its path leads to meanwhile. Names are those of things right in it,
 * and none of them is followed.
 */
export interface HeldFolder {
  stat(name: string): Promise<Result<FileFacts>>;
  /** A new file, on the disk when this returns; with the mode and, where that may be, the owner of another. */
  create(
    name: string,
    bytes: Uint8Array,
    like?: Pick<FileFacts, "mode" | "owner">,
  ): Promise<Result<FileFacts>>;
  /** Atomic; replaces what is at `to`, not what a link there points to. */
  rename(from: string, to: string): Promise<Result<void>>;
  remove(name: string): Promise<Result<void>>;
  /** Fails with `conflict` where its path leads elsewhere by now. */
  check(): Promise<Result<void>>;
  close(): Promise<void>;
}

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

interface Meaning {
  readonly code: ErrorCode;
  readonly says: string;
  readonly fix: string;
}

const noSpace: Meaning = {
  code: "disk-full",
  says: "no space is left",
  fix: "Tell the user; nothing was changed.",
};
const notRegular: Meaning = {
  code: "invalid-path",
  says: "it is not a regular file",
  fix: "Name a regular file.",
};
const denied: Meaning = {
  code: "permission",
  says: "the system denies access",
  fix: "Ask the user for access, or use another file.",
};

const meanings: Readonly<Record<string, Meaning>> = {
  ENOENT: { code: "not-found", says: "it does not exist", fix: "Check the path, or find it with Glob." },
  EACCES: denied,
  EPERM: denied,
  EROFS: { code: "permission", says: "the file system is read-only", fix: "Write somewhere else." },
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EFBIG: noSpace,
  EISDIR: { code: "is-directory", says: "it is a folder", fix: "Name a file, or list it with Glob." },
  ENOTDIR: {
    code: "not-directory",
    says: "a part of the path is not a folder",
    fix: "Check the path, or find it with Glob.",
  },
  EEXIST: { code: "exists", says: "it exists already", fix: "Read it first, or choose another name." },
  ELOOP: {
    code: "invalid-path",
    says: "it is a symbolic link that changed meanwhile, or leads in a circle",
    fix: "Name the file itself.",
  },
  ENOTREG: notRegular,
  ENXIO: notRegular,
  ENAMETOOLONG: { code: "invalid-path", says: "the name is too long", fix: "Use a shorter name." },
};

/** Turns what a call of the file system threw into a failure that says what was tried, on what, and what to do. */
export function fileFailure(what: string, path: string, cause: unknown): Result<never> {
  const errno = (cause as { readonly code?: string } | null)?.code ?? "unknown";
  const { code, says, fix } = meanings[errno] ?? {
    code: "io" as const,
    says: `the system answered ${errno}`,
    fix: "Try again once; if it fails again, tell the user.",
  };
  return fail(code, `Could not ${what} ${showPath(path)}: ${says}.`, { path, fix, cause, facts: { errno } });
}
