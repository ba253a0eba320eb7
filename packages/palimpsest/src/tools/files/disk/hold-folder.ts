import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";
import { attempt, type FileFacts, fileFailure, type HeldFolder, toFacts } from "./file-system.ts";

/** Linux's own: a folder that may be passed through is opened, though it may not be listed. */
const pathOnly = 0o10000000;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Where Linux shows what a process has open. A name behind a number there is a name in that very folder. */
export const linuxDescriptors = "/proc/self/fd";

/**
 * Holds a folder by its descriptor. Where `descriptors` shows what is open, every part of the path is opened in the folder
 * before it, without following a link, and all that is done in it goes by the descriptor. Elsewhere it goes by the path,
 * with the descriptor to tell before and after that the path still leads there.
 */
export async function holdFolder(
  path: string,
  how: "make" | "existing",
  descriptors: string = linuxDescriptors,
): Promise<Result<HeldFolder>> {
  const isShown = await lstat(descriptors).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const opened = await (isShown ? openPartByPart(path, how, descriptors) : openByPath(path, how));
  if (!opened.ok) return opened;
  const handle = opened.value;
  const held = heldFolder(handle, path, isShown ? `${descriptors}/${handle.fd}` : path, isShown);
  const checked = await held.check();
  if (checked.ok) return ok(held);
  await held.close();
  return checked;
}

async function openPartByPart(
  path: string,
  how: "make" | "existing",
  descriptors: string,
): Promise<Result<FileHandle>> {
  const flags = folderFlags | pathOnly;
  let folder = await attempt("open the folder", "/", () => open("/", flags));
  let at = "/";
  for (const part of partsOf(path)) {
    if (!folder.ok) return folder;
    const above = folder.value;
    const real = `${descriptors}/${above.fd}/${part}`;
    at = join(at, part);
    const made = await lookAtPart(real, at, how);
    folder = made.ok ? await attempt("open the folder", at, () => open(real, flags)) : made;
    await above.close();
  }
  return folder;
}

async function openByPath(path: string, how: "make" | "existing"): Promise<Result<FileHandle>> {
  let at = "/";
  for (const part of partsOf(path)) {
    at = join(at, part);
    const made = await lookAtPart(at, at, how);
    if (!made.ok) return made;
  }
  return attempt("open the folder", path, () => open(path, folderFlags));
}

/** Fine where there is a folder at last. */
async function lookAtPart(real: string, path: string, how: "make" | "existing"): Promise<Result<void>> {
  const facts = await attempt("open the folder", path, () => lstat(real));
  if (!facts.ok) {
    if (facts.error.code !== "not-found" || how === "existing") return facts;
    const made = await attempt("make the folder", path, () => mkdir(real));
    if (made.ok) return ok();
    return made.error.code === "exists" ? lookAtPart(real, path, "existing") : made;
  }
  if (facts.value.isSymbolicLink()) return leadsElsewhere(path);
  return facts.value.isDirectory() ? ok() : fileFailure("open the folder", path, { code: "ENOTDIR" });
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

/** `place` leads to the folder; only with `isSure` to none but this one. */
function heldFolder(handle: FileHandle, path: string, place: string, isSure: boolean): HeldFolder {
  const realOf = (name: string) => `${place}/${name}`;

  async function check(): Promise<Result<void>> {
    const real = await attempt("resolve", path, () => realpath(path));
    const there = await attempt("look at", path, async () => toFacts(await lstat(path)));
    const own = await attempt("look at", path, async () => toFacts(await handle.stat()));
    if (!own.ok) return own;
    const isThere = real.ok && real.value === path && there.ok && there.value.identity === own.value.identity;
    return isThere ? ok() : leadsElsewhere(path);
  }

  async function create(
    name: string,
    bytes: Uint8Array,
    like: Pick<FileFacts, "mode" | "owner"> | undefined,
  ): Promise<FileFacts> {
    const file = await open(realOf(name), createFlags, like ? 0o600 : 0o666);
    try {
      // A folder made elsewhere stays empty.
      if (!isSure && !(await check()).ok) throw Object.assign(new Error("moved"), { code: "ELOOP" });
      await file.writeFile(bytes);
      // An owner that may not be given is left as it is: the mode is not widened by that.
      if (like) {
        await file.chown(like.owner.user, like.owner.group).catch(() => undefined);
        await file.chmod(like.mode);
      }
      await file.sync();
      return toFacts(await file.stat());
    } finally {
      await file.close();
    }
  }

  return {
    check,
    stat: (name) => attempt("look at", join(path, name), async () => toFacts(await lstat(realOf(name)))),
    create: (name, bytes, like) => attempt("write", join(path, name), () => create(name, bytes, like)),
    async rename(from, to) {
      const checked = isSure ? ok() : await check();
      return checked.ok ? attempt("write", join(path, to), () => rename(realOf(from), realOf(to))) : checked;
    },
    remove: (name) => attempt("remove", join(path, name), () => unlink(realOf(name))),
    close: () => handle.close(),
  };
}

function leadsElsewhere(path: string): Result<never> {
  return fail("conflict", `${showPath(path)} has come to lead elsewhere.`, {
    path,
    fix: "Nothing was written. Call again, so that permission is asked for where it leads now.",
  });
}
