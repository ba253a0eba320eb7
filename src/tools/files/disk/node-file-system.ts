import { constants, type Stats } from "node:fs";
import {
  access,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  unlink,
} from "node:fs/promises";
import { ok, type Result } from "../../../spec/index.ts";
import { fileFailure } from "./file-failure.ts";
import type { FileFacts, FileKind, FileSystem, ReadableFile } from "./file-system.ts";

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

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
  makeFolder: (path) =>
    attempt("make the folder", path, async () => {
      await mkdir(path, { recursive: true });
    }),
  create: (path, bytes, like) => attempt("write", path, () => createFile(path, bytes, like)),
  rename: (from, to) => attempt("write", to, () => rename(from, to)),
  remove: (path) => attempt("remove", path, () => unlink(path)),
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

/** An owner that may not be given is left as it is: the mode is not widened by that. */
async function createFile(
  path: string,
  bytes: Uint8Array,
  like: Pick<FileFacts, "mode" | "owner"> | undefined,
): Promise<void> {
  const handle = await open(path, createFlags, like ? 0o600 : 0o666);
  try {
    await handle.writeFile(bytes);
    if (like) {
      await handle.chown(like.owner.user, like.owner.group).catch(() => undefined);
      await handle.chmod(like.mode);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function toFacts(stats: Stats): FileFacts {
  return {
    kind: kindOf(stats),
    bytes: stats.size,
    modifiedMs: stats.mtimeMs,
    identity: `${stats.dev}:${stats.ino}`,
    mode: stats.mode & 0o7777,
    owner: { user: stats.uid, group: stats.gid },
  };
}

function kindOf(
  stats: Pick<Stats, "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket">,
): FileKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}

async function attempt<T>(what: string, path: string, call: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await call());
  } catch (cause) {
    return fileFailure(what, path, cause);
  }
}
