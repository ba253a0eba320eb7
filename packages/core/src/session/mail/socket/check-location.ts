import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { fail, type Ids, ok, type Result } from "../../../spec/index.ts";
import { diskFailure } from "../../../stores/files/disk/disk-failure.ts";

interface ExpectedFile {
  readonly kind: "folder" | "socket" | "token";
  readonly mode: number;
}

/** Whether something is what it should be, its owner's alone, and no link. Both ends ask before they trust it. */
export async function checkOwned(
  path: string,
  { kind, mode }: ExpectedFile,
  owner: number,
): Promise<Result<void>> {
  let stat: Awaited<ReturnType<typeof lstat>>;
  try {
    stat = await lstat(path);
  } catch (cause) {
    return diskFailure("look at", path, cause);
  }
  const isKind =
    kind === "folder"
      ? stat.isDirectory()
      : kind === "socket"
        ? stat.isSocket()
        : stat.isFile() && stat.nlink === 1;
  if (!isKind) return refuse(path, `is not a ${kind}`);
  if (Number(stat.uid) !== owner) return refuse(path, "belongs to somebody else");
  if ((Number(stat.mode) & 0o777) !== mode)
    return refuse(path, `has mode ${(Number(stat.mode) & 0o777).toString(8)} and not ${mode.toString(8)}`);
  return ok();
}

/** The token of a session, once folder and file are known to be its owner's alone. */
export async function readToken({ folder, token }: SocketLocation, owner: number): Promise<Result<string>> {
  const location = await checkOwned(folder, { kind: "folder", mode: 0o700 }, owner);
  const file = location.ok ? await checkOwned(token, { kind: "token", mode: 0o600 }, owner) : location;
  if (!file.ok) return file;
  try {
    const text = (await readFile(token, "utf8")).trim();
    return text.length >= 32 ? ok(text) : refuse(token, "is not a token");
  } catch (cause) {
    return diskFailure("read", token, cause);
  }
}

/** Makes folder and token for a session that is about to listen; what is left of an earlier time goes. */
export async function prepareLocation(
  location: SocketLocation,
  owner: number,
  ids: Ids,
): Promise<Result<void>> {
  const { folder, socket, token } = location;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const checked = await checkOwned(folder, { kind: "folder", mode: 0o700 }, owner);
    if (!checked.ok) return checked;
    const unfinished = `${token}.${ids.next("tmp")}`;
    const file = await open(unfinished, "wx", 0o600);
    await file.writeFile(`${ids.next("token")}${ids.next("token")}\n`);
    await file.close();
    await rename(unfinished, token);
    await rm(socket, { force: true });
    return ok();
  } catch (cause) {
    return diskFailure("prepare", folder, cause);
  }
}

/** A session that is closed proves nothing; its next opening makes another one. */
export async function removeToken({ token }: SocketLocation): Promise<void> {
  await rm(token, { force: true }).catch(() => undefined);
}

/** Only now may others find it: before, it had the mode that the process gives new files. */
export async function closeSocketMode(path: string): Promise<Result<void>> {
  try {
    await chmod(path, 0o600);
    return ok();
  } catch (cause) {
    return diskFailure("set the mode of", path, cause);
  }
}

function refuse(path: string, why: string): Result<never> {
  return fail("permission", `${path} ${why}: it is not trusted.`, {
    path,
    fix: "Remove it; it is made anew when the session is opened.",
  });
}

/** Where one session listens. */
export interface SocketLocation {
  /** 0700, its owner's. */
  readonly folder: string;
  readonly socket: string;
  /** Who can read it belongs to the same user: it proves who a session is. */
  readonly token: string;
}

/** A socket's path has at most 104 bytes on some systems, the closing zero included. */
const maxPathBytes = 100;

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Below the data root, or below the folder for temporary files where that is too long. */
export function socketFolder(home: string, temporaryFolder: string): string {
  const own = `${home}/sockets`;
  const isShort = Buffer.byteLength(`${own}/${hashOf("")}.sock`) <= maxPathBytes;
  return isShort ? own : `${temporaryFolder}/palimpsest-${hashOf(home)}`;
}

/** Agents of a session have their session's place. */
export function socketLocation(folder: string, id: string): SocketLocation {
  const name = hashOf(id.split("/")[0] ?? id);
  return { folder, socket: `${folder}/${name}.sock`, token: `${folder}/${name}.token` };
}

/** The place of a socket that is known by its path; `null` where a path is none of ours. */
export function locationOfSocket(path: string): SocketLocation | null {
  const [, folder, name] = /^(\/.*)\/([0-9a-f]{16})\.sock$/.exec(path) ?? [];
  if (folder === undefined || name === undefined) return null;
  return { folder, socket: path, token: `${folder}/${name}.token` };
}
