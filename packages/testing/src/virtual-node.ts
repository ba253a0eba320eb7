/**
 * One change to a file's data, or to names, that power loss may undo. Once `certain` it may not. A `doubtful` one
 * was under way when a sync failed: no later sync makes it certain, because the system may have dropped it.
 */
interface Change {
  readonly path: string;
  certain: boolean;
  doubtful: boolean;
}

export type DataChange = Change &
  (
    | { readonly about: "append"; readonly at: number; readonly bytes: Uint8Array }
    | { readonly about: "truncate"; readonly length: number }
    | { readonly about: "times"; readonly before: number }
  );

interface NameStep {
  readonly directory: DirectoryNode;
  readonly name: string;
  /** The node that the name means from now on; absent: none. */
  readonly node?: VirtualNode;
}

/** Its steps survive together or not at all. It survives only together with what it `needs`. */
export interface NameChange extends Change {
  readonly about: "create" | "make-directory" | "link" | "rename" | "remove";
  readonly to?: string;
  readonly steps: readonly NameStep[];
  readonly needs?: NameChange;
}

interface NodeHead {
  readonly id: number;
  mode: number;
  modifiedMs: number;
  /** How many names it has. */
  links: number;
}

/** `bytes` is what a running system sees. `durable` with `pending` on top, each kept or lost, is what power loss leaves. */
export interface FileNode extends NodeHead {
  readonly kind: "file";
  bytes: VirtualBytes;
  durable: VirtualBytes;
  pending: DataChange[];
}

/** `entries` is what a running system sees; `durable` and `pending` as in a file. */
export interface DirectoryNode extends NodeHead {
  readonly kind: "directory";
  readonly entries: Map<string, VirtualNode>;
  readonly durable: Map<string, VirtualNode>;
  pending: NameChange[];
}

/** A symbolic link. */
interface LinkNode extends NodeHead {
  readonly kind: "link";
  readonly target: string;
}

export type VirtualNode = FileNode | DirectoryNode | LinkNode;

/** A whole file system as plain data: `structuredClone` copies it. */
export interface Volume {
  readonly root: DirectoryNode;
  nextId: number;
  /** The time that changes get. */
  nowMs: number;
}

const fileMode = 0o600;
const directoryMode = 0o700;
const linkMode = 0o777;

export function createFileNode(volume: Volume): FileNode {
  return {
    kind: "file",
    ...createHead(volume, fileMode),
    bytes: createVirtualBytes(),
    durable: createVirtualBytes(),
    pending: [],
  };
}

export function createDirectoryNode(volume: Omit<Volume, "root">): DirectoryNode {
  return {
    kind: "directory",
    ...createHead(volume, directoryMode),
    entries: new Map(),
    durable: new Map(),
    pending: [],
  };
}

export function createLinkNode(volume: Volume, target: string): LinkNode {
  return { kind: "link", ...createHead(volume, linkMode), target };
}

export function createVolume(nowMs: number): Volume {
  const empty = { nextId: 1, nowMs };
  const root = createDirectoryNode(empty);
  root.links = 1;
  return { ...empty, root };
}

function createHead(volume: Omit<Volume, "root">, mode: number): NodeHead {
  return { id: volume.nextId++, mode, modifiedMs: volume.nowMs, links: 0 };
}

/** Bytes that grow. Plain data, so that a whole volume can be cloned. Past `length` the buffer holds only NUL. */
export interface VirtualBytes {
  buffer: Uint8Array;
  length: number;
}

export function createVirtualBytes(from: Uint8Array = new Uint8Array(0)): VirtualBytes {
  return { buffer: new Uint8Array(from), length: from.length };
}

/** Cuts, or grows with NUL. */
export function resizeBytes(of: VirtualBytes, length: number): void {
  if (length < of.length) of.buffer.fill(0, length, of.length);
  if (length > of.buffer.length) {
    const grown = new Uint8Array(Math.max(length, of.buffer.length * 2));
    grown.set(of.buffer.subarray(0, of.length));
    of.buffer = grown;
  }
  of.length = length;
}

/** Writes over what is there; a gap before `at` reads as NUL. */
export function writeBytes(into: VirtualBytes, at: number, bytes: Uint8Array): void {
  if (at + bytes.length > into.length) resizeBytes(into, at + bytes.length);
  into.buffer.set(bytes, at);
}

export function copyBytes(of: VirtualBytes): Uint8Array {
  return of.buffer.slice(0, of.length);
}
