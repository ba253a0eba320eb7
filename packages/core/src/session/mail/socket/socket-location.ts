import { createHash } from "node:crypto";

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
export function socketPlace(folder: string, id: string): SocketLocation {
  const name = hashOf(id.split("/")[0] ?? id);
  return { folder, socket: `${folder}/${name}.sock`, token: `${folder}/${name}.token` };
}

/** The place of a socket that is known by its path; `null` where a path is none of ours. */
export function placeOfSocket(path: string): SocketLocation | null {
  const [, folder, name] = /^(\/.*)\/([0-9a-f]{16})\.sock$/.exec(path) ?? [];
  if (folder === undefined || name === undefined) return null;
  return { folder, socket: path, token: `${folder}/${name}.token` };
}
