import { type FileTree, ok, type Result } from "../../../spec/index.ts";
import { createTreeInFolder, type FileTreeOptions } from "./tree-in-folder.ts";

export type { FileTreeOptions } from "./tree-in-folder.ts";

/**
 * A tree of text files as people expect them, with every version below `.history`. Any number of processes may
 * write: version n + 1 is made by linking a finished file to that number, which succeeds for exactly one. The highest
 * number is the truth and the visible file its copy, put there by rename afterwards; a copy that a crash left behind
 * is brought up to date by the next write, or by a read once the version is a second old.
 *
 * What a person or program does to a visible file becomes a version by `outside` when it is next looked at. Lost is
 * only a file that they put into place, or their removal of one, in the instant between the tree's last look and its
 * own rename; an edit in place is not lost even then.
 *
 * After a failure other than `conflict` a write may have been made all the same: read to know. The file system must
 * have hard links. Names that differ only in case are one file where the file system takes them for one.
 */
export function createFileTree(options: FileTreeOptions): FileTree {
  let opened: FileTree | undefined;

  /** The folder's links are resolved once, so that what is checked and what is used stay the same place. */
  async function open(): Promise<Result<FileTree>> {
    if (opened !== undefined) return ok(opened);
    const real = await options.disk.realPath(options.folder);
    if (!real.ok && real.error.code !== "not-found") return real;
    opened ??= createTreeInFolder({ ...options, folder: real.ok ? real.value : options.folder });
    return ok(opened);
  }

  async function withTree<T>(use: (tree: FileTree) => Promise<Result<T>>): Promise<Result<T>> {
    const tree = await open();
    return tree.ok ? use(tree.value) : tree;
  }

  return {
    read: (path, version) => withTree((tree) => tree.read(path, version)),
    write: (path, text, given) => withTree((tree) => tree.write(path, text, given)),
    remove: (path, given) => withTree((tree) => tree.remove(path, given)),
    list: (given) => withTree((tree) => tree.list(given)),
    history: (path) => withTree((tree) => tree.history(path)),
  };
}
