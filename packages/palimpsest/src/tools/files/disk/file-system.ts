import type { Result } from "@palimpsest/core/spec";

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
 * What the file tools need of a disk. Paths are absolute. Nothing follows a symbolic link in the last part of a path,
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
