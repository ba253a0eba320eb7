import type { Result } from "@palimpsest/core/spec";
import { foldNames, makeDurable } from "./virtual-durability.ts";
import { changeNames, createFile, makeDirectories } from "./virtual-names.ts";
import {
  copyBytes,
  createLinkNode,
  createVirtualBytes,
  type DirectoryNode,
  type FileNode,
  type VirtualNode,
  type Volume,
} from "./virtual-node.ts";
import { absentError, type Location, locate, refuse } from "./virtual-path.ts";

/**
 * A test's changes of a disk behind the back of the code under test: not counted, untouched by planned faults, durable
 * at once. A mistake of the test throws.
 */
export interface Planting {
  /** Makes the file or replaces its content, with all directories above it. */
  writeWhole(path: string, content: Uint8Array | string): void;
  readWhole(path: string): Uint8Array;
  fillWithNul(path: string, from: number, to: number): void;
  flipByte(path: string, at: number): void;
  /** A symbolic link. */
  plantLink(path: string, target: string): void;
  /** The owner's bits count: without them reading, writing or searching fails with `permission`. */
  setMode(path: string, mode: number): void;
  /** Every file, by path, sorted. */
  snapshot(): Map<string, Uint8Array>;
  /** Equal for two disks if and only if nothing but times and identities tells their contents apart. */
  fingerprint(): string;
}

/** `beforeEach` runs before something is planted. */
export function createPlanting(volume: Volume, beforeEach: () => void): Planting {
  function find(name: string, path: string): Location {
    return orThrow(locate(volume, { name, path }));
  }

  function findFile(name: string, path: string): FileNode {
    const { node } = find(name, path);
    if (node === undefined) throw absentError({ name, path }).error;
    if (node.kind !== "file") throw refuse({ name, path }, "invalid-path", "it is not a file").error;
    return node;
  }

  function replace(file: FileNode, content: Uint8Array): void {
    file.bytes = createVirtualBytes(content);
    file.durable = createVirtualBytes(content);
    file.pending = [];
    file.modifiedMs = volume.nowMs;
  }

  function settleWay(path: string): void {
    let directory: VirtualNode | undefined = volume.root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      if (directory?.kind !== "directory") return;
      makeNameDurable(directory, name);
      directory = directory.entries.get(name);
    }
  }

  return {
    writeWhole(path, content) {
      beforeEach();
      const name = "writeWhole";
      const folder = path.slice(0, path.lastIndexOf("/"));
      if (folder !== "") orThrow(makeDirectories(volume, { name, path: folder }));
      const location = find(name, path);
      if (location.node === undefined) orThrow(createFile(volume, { name, path }, location));
      replace(
        findFile(name, path),
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
      settleWay(find(name, path).path);
    },
    readWhole: (path) => copyBytes(findFile("readWhole", path).bytes),
    fillWithNul(path, from, to) {
      beforeEach();
      const file = findFile("fillWithNul", path);
      replace(file, copyBytes(file.bytes).fill(0, from, to));
    },
    flipByte(path, at) {
      beforeEach();
      const file = findFile("flipByte", path);
      const content = copyBytes(file.bytes);
      content[at] = (content[at] ?? 0) ^ 0xff;
      replace(file, content);
    },
    plantLink(path, target) {
      beforeEach();
      const location = find("plantLink", path);
      if (location.node !== undefined)
        orThrow(refuse({ name: "plantLink", path }, "exists", "it exists already"));
      const steps = [
        { directory: location.parent, name: location.name, node: createLinkNode(volume, target) },
      ];
      changeNames(volume, { about: "create", path: location.path, steps });
      settleWay(location.path);
    },
    setMode(path, mode) {
      const { node } = find("setMode", path);
      if (node === undefined) throw absentError({ name: "setMode", path }).error;
      node.mode = mode;
    },
    snapshot() {
      const files = new Map<string, Uint8Array>();
      for (const [path, node] of listAll(volume.root, "")) {
        if (node.kind === "file") files.set(path, copyBytes(node.bytes));
      }
      return files;
    },
    fingerprint() {
      const numbers = new Map<VirtualNode, number>();
      const lines: unknown[] = [];
      for (const [path, node] of listAll(volume.root, "")) {
        const seen = numbers.get(node);
        numbers.set(node, seen ?? numbers.size);
        lines.push(seen === undefined ? [path, node.kind, node.mode, contentOf(node)] : [path, seen]);
      }
      return JSON.stringify(lines);
    },
  };
}

/** The present meaning of a name becomes durable, whatever happened to it before. */
function makeNameDurable(directory: DirectoryNode, name: string): void {
  const change = directory.pending.findLast(({ steps }) =>
    steps.some((step) => step.directory === directory && step.name === name),
  );
  if (change !== undefined) makeDurable(change);
  foldNames(directory);
}

/** In the order of paths, directory before content. */
export function* listAll(
  directory: DirectoryNode,
  prefix: string,
): Generator<readonly [string, VirtualNode]> {
  for (const [name, node] of [...directory.entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
    yield [`${prefix}/${name}`, node];
    if (node.kind === "directory") yield* listAll(node, `${prefix}/${name}`);
  }
}

function contentOf(node: VirtualNode): string {
  if (node.kind === "directory") return "";
  return node.kind === "link" ? node.target : Buffer.from(copyBytes(node.bytes)).toString("latin1");
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}
