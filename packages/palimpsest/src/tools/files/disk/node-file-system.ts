import { constants } from "node:fs";
import { access, type FileHandle, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { ok } from "@palimpsest/core/spec";
import {
  attempt,
  type FileFacts,
  type FileSystem,
  fileFailure,
  kindOf,
  type ReadableFile,
  toFacts,
} from "./file-system.ts";
import { holdFolder } from "./hold-folder.ts";

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The machine's own file system. */
export const nodeFileSystem: FileSystem = {
  async open(path) {
    const opened = await attempt("open", path, () => open(path, readFlags));
    if (!opened.ok) return opened;
    const handle = opened.value;
    const stats = await attempt("open", path, () => handle.stat());
    if (stats.ok && stats.value.isFile()) return ok(readableFile(handle, path, toFacts(stats.value)));
    await handle.close();
    if (!stats.ok) return stats;
    return fileFailure("open", path, { code: stats.value.isDirectory() ? "EISDIR" : "ENOTREG" });
  },
  stat: (path) => attempt("look at", path, async () => toFacts(await lstat(path))),
  list: (path) =>
    attempt("list", path, async () => {
      const stats = await lstat(path);
      if (stats.isSymbolicLink()) throw Object.assign(new Error("a symbolic link"), { code: "ELOOP" });
      const entries = await readdir(path, { withFileTypes: true });
      return entries
        .map((entry) => ({ name: entry.name, kind: kindOf(entry), bytes: Buffer.from(entry.name) }))
        .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
        .map(({ name, kind }) => ({ name, kind }));
    }),
  realPath: (path) => attempt("resolve", path, () => realpath(path)),
  readLink: (path) => attempt("resolve", path, () => readlink(path)),
  checkWritable: (path) => attempt("write", path, () => access(path, constants.W_OK)),
  holdFolder: (path, how) => holdFolder(path, how),
};

function readableFile(handle: FileHandle, path: string, facts: FileFacts): ReadableFile {
  return {
    facts,
    read: (position, maxBytes) =>
      attempt("read", path, async () => {
        const into = new Uint8Array(maxBytes);
        const { bytesRead } = await handle.read(into, 0, maxBytes, position);
        return into.subarray(0, bytesRead);
      }),
    close: () => handle.close(),
  };
}
