import { type ErrorCode, fail, ok, type Result } from "@palimpsest/core/spec";
import type { DirectoryNode, VirtualNode, Volume } from "./virtual-node.ts";

/** The name of a call and the path it was given: every failure says both. */
export interface Call {
  readonly name: string;
  readonly path: string;
}

/** A name in a directory, taken or free. `name` is empty for the root and for paths that end in `.` or `..`. */
export interface Location {
  readonly parent: DirectoryNode;
  readonly name: string;
  readonly node: VirtualNode | undefined;
  /** Without links, dots and double slashes. */
  readonly path: string;
}

interface Trail {
  readonly directories: readonly DirectoryNode[];
  readonly names: readonly string[];
}

export const mayRead = 0o400;
export const mayWrite = 0o200;
const maySearch = 0o100;

/** As on Linux. */
const maxLinks = 40;
const maxNameBytes = 255;

export function refuse(call: Call, code: ErrorCode, says: string) {
  return fail(code, `${call.name} ${call.path}: ${says}`, { path: call.path });
}

export function absentError(call: Call) {
  return refuse(call, "not-found", "no such file or directory");
}

/** Finds what a path names. Links on the way are followed, a link in the last part is not. */
export function locate(volume: Volume, call: Call, path = call.path): Result<Location> {
  const parts = split(path, call);
  if (!parts.ok) return parts;
  const last = parts.value.at(-1);
  const start: Trail = { directories: [volume.root], names: [] };
  const walked = walk(volume, start, parts.value.slice(0, -1), call, 0);
  if (!walked.ok) return walked;
  const parent = walked.value.directories.at(-1) as DirectoryNode;
  if (last === undefined || last === "." || last === "..") {
    const { directories, names } = last === ".." ? toParent(walked.value) : walked.value;
    return ok({ parent, name: "", node: directories.at(-1), path: `/${names.join("/")}` });
  }
  if (!(parent.mode & maySearch)) return refuse(call, "permission", "permission denied");
  const canonical = `/${[...walked.value.names, last].join("/")}`;
  return ok({ parent, name: last, node: parent.entries.get(last), path: canonical });
}

/** As `locate`, and follows a link in the last part too. */
export function locateBehindLinks(volume: Volume, call: Call): Result<Location> {
  let found = locate(volume, call);
  for (let hops = 0; found.ok && found.value.node?.kind === "link"; hops++) {
    if (hops === maxLinks) return refuse(call, "invalid-path", "too many symbolic links");
    const { path, node } = found.value;
    const folder = path.slice(0, path.lastIndexOf("/"));
    const target = node.target.startsWith("/") ? node.target : `${folder}/${node.target}`;
    found = locate(volume, call, target);
  }
  return found;
}

function split(path: string, call: Call): Result<readonly string[]> {
  if (!path.startsWith("/") || path.includes("\0")) {
    return refuse(call, "invalid-path", "a path is absolute and has no NUL");
  }
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.some((part) => Buffer.byteLength(part) > maxNameBytes)) {
    return refuse(call, "invalid-path", "a name is too long");
  }
  return ok(path.endsWith("/") && parts.length > 0 ? [...parts, "."] : parts);
}

/** Through directories only. */
function walk(
  volume: Volume,
  from: Trail,
  parts: readonly string[],
  call: Call,
  hops: number,
): Result<Trail> {
  if (hops > maxLinks) return refuse(call, "invalid-path", "too many symbolic links");
  let trail = from;
  for (const part of parts) {
    const here = trail.directories.at(-1) as DirectoryNode;
    if (!(here.mode & maySearch)) return refuse(call, "permission", "permission denied");
    const node = here.entries.get(part);
    if (part === "." || part === "..") {
      if (part === "..") trail = toParent(trail);
    } else if (node === undefined) {
      return absentError(call);
    } else if (node.kind === "file") {
      return refuse(call, "not-directory", "a part of the path is not a directory");
    } else if (node.kind === "directory") {
      trail = { directories: [...trail.directories, node], names: [...trail.names, part] };
    } else {
      const start = node.target.startsWith("/") ? { directories: [volume.root], names: [] } : trail;
      const targets = node.target.split("/").filter((target) => target !== "");
      const followed = walk(volume, start, targets, call, hops + 1);
      if (!followed.ok) return followed;
      trail = followed.value;
    }
  }
  return ok(trail);
}

function toParent(trail: Trail): Trail {
  if (trail.names.length === 0) return trail;
  return { directories: trail.directories.slice(0, -1), names: trail.names.slice(0, -1) };
}
