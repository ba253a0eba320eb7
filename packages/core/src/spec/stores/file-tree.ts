import type { Result } from "../result.ts";

/** One state of one file of a tree; versions count from 1 and are never reused. */
export interface TreeVersion {
  readonly path: string;
  readonly version: number;
  readonly at: string;
  /** Who wrote it; `outside` when a person or program changed the file without going through the tree. */
  readonly author: string;
  readonly session?: string;
  /** Where the content came from, in the author's words. */
  readonly source?: string;
  readonly sha256: string;
  readonly bytes: number;
  /** This version is the removal of the file. */
  readonly removed?: boolean;
}

export interface TreeFile {
  readonly text: string;
  readonly version: TreeVersion;
}

export interface TreeWriteOptions {
  readonly author: string;
  readonly session?: string;
  readonly source?: string;
  /**
   * Compare-and-swap: the version the writer has seen, 0 for "not there"; for a removed file 0 or its removal. Another present one is `conflict`, with
   * it in the error's facts. Without it the write goes on top of whatever is there, which stays in the history.
   */
  readonly expect?: number;
}

/** A folder of text files in which every write is a version and no version is ever lost. */
export interface FileTree {
  /** `not-found` for absent and for removed files; an earlier `version` can still be read. */
  read(path: string, version?: number): Promise<Result<TreeFile>>;
  write(path: string, text: string, options: TreeWriteOptions): Promise<Result<TreeVersion>>;
  /** `not-found` when there is nothing to remove. */
  remove(path: string, options: TreeWriteOptions): Promise<Result<TreeVersion>>;
  /** The present files, sorted by path; with `removed` also the removals of those that are gone. */
  list(options?: { readonly removed?: boolean }): Promise<Result<readonly TreeVersion[]>>;
  /** Every version of a file, oldest first; none for a path that never was. */
  history(path: string): Promise<Result<readonly TreeVersion[]>>;
}
