import { ok, type Result } from "@palimpsest/core/spec";
import {
  createDirectoryNode,
  createFileNode,
  type DirectoryNode,
  type FileNode,
  type NameChange,
  type VirtualNode,
  type Volume,
} from "./virtual-node.ts";
import {
  absentError,
  type Call,
  type Location,
  locate,
  locateBehindLinks,
  mayRead,
  mayWrite,
  refuse,
} from "./virtual-path.ts";

/** Makes the steps at once and notes them as something that power loss may undo. */
export function changeNames(volume: Volume, change: Omit<NameChange, "certain" | "doubtful">): NameChange {
  const noted: NameChange = { ...change, certain: false, doubtful: false };
  for (const { directory, name, node } of change.steps) {
    const before = directory.entries.get(name);
    if (before !== undefined) before.links--;
    if (node !== undefined) node.links++;
    if (node === undefined) directory.entries.delete(name);
    else directory.entries.set(name, node);
    directory.modifiedMs = volume.nowMs;
  }
  for (const directory of new Set(change.steps.map((step) => step.directory))) directory.pending.push(noted);
  return noted;
}

export function createFile(volume: Volume, call: Call, location: Location): Result<FileNode> {
  const refused = refuseChange(call, location);
  if (refused) return refused;
  const node = createFileNode(volume);
  const steps = [{ directory: location.parent, name: location.name, node }];
  changeNames(volume, { about: "create", path: location.path, steps });
  return ok(node);
}

/** With parents; makes at most `limit` directories. */
export function makeDirectories(volume: Volume, call: Call, limit = Number.POSITIVE_INFINITY): Result<void> {
  const parts = call.path.split("/");
  const prefixes = parts.flatMap((part, at) => (part === "" ? [] : [parts.slice(0, at + 1).join("/")]));
  let made = 0;
  for (const prefix of prefixes.length === 0 ? [call.path] : prefixes) {
    const found = locate(volume, call, prefix);
    if (!found.ok) return found;
    const { parent, name, node, path } = found.value;
    const refused = refuseStandingHere(volume, call, found.value, prefix === prefixes.at(-1));
    if (refused) return refused;
    if (node !== undefined) continue;
    if (made === limit) return ok();
    const denied = refuseChange(call, found.value);
    if (denied) return denied;
    const steps = [{ directory: parent, name, node: createDirectoryNode(volume) }];
    changeNames(volume, { about: "make-directory", path, steps });
    made++;
  }
  return ok();
}

/** Why no directory can be made or passed here, if so. */
function refuseStandingHere(volume: Volume, call: Call, { node, path }: Location, isLast: boolean) {
  if (node === undefined || node.kind === "directory") return undefined;
  if (isLast) {
    return node.kind === "link"
      ? refuse(call, "invalid-path", "it is a symbolic link")
      : refuse(call, "exists", "it exists and is not a directory");
  }
  const behind = locateBehindLinks(volume, { ...call, path });
  if (behind.ok && behind.value.node?.kind === "directory") return undefined;
  if (!behind.ok && behind.error.code !== "not-found") return behind;
  return refuse(call, "not-directory", "a part of the path is not a directory");
}

export function listNames(volume: Volume, call: Call): Result<readonly string[]> {
  const directory = findDirectory(volume, call);
  return directory.ok ? ok([...directory.value.entries.keys()].sort()) : directory;
}

/** For calls on a directory itself: it must be one, and readable. */
export function findDirectory(volume: Volume, call: Call): Result<DirectoryNode> {
  const found = locate(volume, call);
  if (!found.ok) return found;
  const { node } = found.value;
  if (node === undefined) return absentError(call);
  if (node.kind === "link") return refuse(call, "invalid-path", "it is a symbolic link");
  if (node.kind === "file") return refuse(call, "not-directory", "it is not a directory");
  if (!(node.mode & mayRead)) return refuse(call, "permission", "permission denied");
  return ok(node);
}

export function linkName(volume: Volume, call: Call, to: string): Result<void> {
  const from = locate(volume, call);
  if (!from.ok) return from;
  if (from.value.node === undefined) return absentError(call);
  const target = locate(volume, { ...call, path: to });
  if (!target.ok) return target;
  if (target.value.node !== undefined) return refuse({ ...call, path: to }, "exists", "it exists already");
  const { node } = from.value;
  if (node.kind === "directory") return refuse(call, "permission", "a directory has one name");
  const refused = refuseChange(call, target.value);
  if (refused) return refused;
  const steps = [{ directory: target.value.parent, name: target.value.name, node }];
  changeNames(volume, { about: "link", path: target.value.path, steps });
  return ok();
}

export function removeName(volume: Volume, call: Call): Result<void> {
  const found = locate(volume, call);
  if (!found.ok) return found;
  if (found.value.node === undefined) return absentError(call);
  if (found.value.node.kind === "directory") return refuse(call, "is-directory", "it is a directory");
  const refused = refuseChange(call, found.value);
  if (refused) return refused;
  dropName(volume, found.value);
  return ok();
}

/** Contents before what contains them, at most `limit` names. */
export function removeNames(volume: Volume, call: Call, limit = Number.POSITIVE_INFINITY): Result<void> {
  const found = locate(volume, call);
  if (!found.ok) return found.error.code === "not-found" ? ok() : found;
  if (found.value.node === undefined) return ok();
  let removed = 0;
  for (const location of contentsFirst(found.value, found.value.node)) {
    if (removed === limit) return ok();
    const refused = refuseChange(call, location);
    if (refused) return refused;
    if (location.node?.kind === "directory" && location.node.entries.size > 0) {
      return refuse(call, "permission", "permission denied");
    }
    dropName(volume, location);
    removed++;
  }
  return ok();
}

function* contentsFirst(location: Location, node: VirtualNode): Generator<Location> {
  if (node.kind === "directory" && node.mode & mayRead) {
    for (const [name, child] of [...node.entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
      yield* contentsFirst({ parent: node, name, node: child, path: `${location.path}/${name}` }, child);
    }
  }
  yield location;
}

function dropName(volume: Volume, location: Location): void {
  const steps = [{ directory: location.parent, name: location.name }];
  changeNames(volume, { about: "remove", path: location.path, steps });
}

/** Why the names of a directory may not be changed here, if so. */
export function refuseChange(call: Call, location: Location) {
  if (location.name === "") return refuse(call, "io", "this path cannot be created, renamed or removed");
  if ((location.parent.mode & mayWrite) === 0) return refuse(call, "permission", "permission denied");
  return undefined;
}
