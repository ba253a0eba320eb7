import { constants, lstatSync } from "node:fs";
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  unlink,
} from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Disk, DiskFile, DiskStat, Result } from "../../../spec/index.ts";
import { diskFailure } from "./disk-failure.ts";

const openFlags = {
  read: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
} as const;

const fileMode = 0o600;
const directoryMode = 0o700;

type NodeStats = Awaited<ReturnType<typeof lstat>> & { readonly mode: number };

function toStat(stats: NodeStats): DiskStat {
  return {
    kind: stats.isFile()
      ? "file"
      : stats.isDirectory()
        ? "directory"
        : stats.isSymbolicLink()
          ? "link"
          : "other",
    bytes: Number(stats.size),
    modifiedMs: Number(stats.mtimeMs),
    links: Number(stats.nlink),
    identity: `${stats.dev}:${stats.ino}`,
    mode: stats.mode & 0o777,
  };
}

/** Runs one call of node's file system and turns what it throws into a typed failure. */
async function attempt<T>(what: string, path: string, call: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (cause) {
    return diskFailure(what, path, cause);
  }
}

/** For calls that node offers only in a form that follows links. */
async function refuseLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) throw Object.assign(new Error("a symbolic link"), { code: "ELOOP" });
}

function createNodeFile(handle: FileHandle, path: string): DiskFile {
  let isClosed = false;
  const whileOpen = <T>(what: string, call: () => Promise<T>): Promise<Result<T>> =>
    isClosed ? Promise.resolve(diskFailure(what, path, { code: "CLOSED" })) : attempt(what, path, call);
  return {
    read: (position, into) =>
      whileOpen("read", async () => {
        let filled = 0;
        while (filled < into.length) {
          const { bytesRead } = await handle.read(into, filled, into.length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return filled;
      }),
    append: (bytes) =>
      whileOpen("append to", async () => {
        let written = 0;
        while (written < bytes.length) {
          written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
        }
      }),
    truncate: (bytes) => whileOpen("truncate", () => handle.truncate(bytes)),
    setModified: (ms) =>
      whileOpen("set the time of", () => {
        // Seconds are cut to microseconds on the way: half a one more keeps the millisecond whole.
        const seconds = Math.round(ms) / 1000 + 0.000_000_5;
        return handle.utimes(seconds, seconds);
      }),
    sync: () => whileOpen("sync", () => handle.sync()),
    stat: () => whileOpen("look at", async () => toStat(await handle.stat())),
    close: () =>
      whileOpen("close", () => {
        isClosed = true;
        return handle.close();
      }),
  };
}

/** So many files are looked at before other work of the process has its turn: about half a millisecond. */
const statsAtOnce = 64;

/** In this thread: handing each to another and back costs several times what the look itself does. */
async function statAll(paths: readonly string[]): Promise<readonly Result<DiskStat>[]> {
  const stats: Result<DiskStat>[] = [];
  for (const path of paths) {
    if (stats.length > 0 && stats.length % statsAtOnce === 0) await setImmediate();
    try {
      stats.push({ ok: true, value: toStat(lstatSync(path)) });
    } catch (cause) {
      stats.push(diskFailure("look at", path, cause));
    }
  }
  return stats;
}

/** The machine's own file system. */
export function createNodeDisk(): Disk {
  return {
    async open(path, how) {
      const opened = await attempt("open", path, () => open(path, openFlags[how], fileMode));
      if (!opened.ok) return opened;
      const handle = opened.value;
      const stats = await attempt("open", path, () => handle.stat());
      if (stats.ok && stats.value.isFile()) return { ok: true, value: createNodeFile(handle, path) };
      await handle.close().catch(() => undefined);
      if (!stats.ok) return stats;
      return diskFailure("open", path, { code: stats.value.isDirectory() ? "EISDIR" : "ENOTREG" });
    },
    stat: (path) => attempt("look at", path, async () => toStat(await lstat(path))),
    statAll,
    list: (path) =>
      attempt("list", path, async () => {
        await refuseLink(path);
        return (await readdir(path)).sort();
      }),
    makeDirectory: (path) =>
      attempt("make the folder", path, async () => {
        await refuseLink(path);
        await mkdir(path, { recursive: true, mode: directoryMode });
      }),
    rename: (from, to) => attempt("rename", from, () => rename(from, to)),
    link: (from, to) => attempt("link", to, () => link(from, to)),
    remove: (path) => attempt("remove", path, () => unlink(path)),
    removeTree: (path) => attempt("remove", path, () => rm(path, { recursive: true, force: true })),
    syncDirectory: (path) =>
      attempt("sync", path, async () => {
        await refuseLink(path);
        const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
        try {
          await handle.sync();
        } finally {
          await handle.close();
        }
      }),
    realPath: (path) => attempt("resolve", path, () => realpath(path)),
  };
}
