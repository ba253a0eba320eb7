import { type Clock, type Disk, type DiskFile, ok, type Result } from "@palimpsest/core/spec";
import { createVirtualClock } from "./virtual-clock.ts";
import { makeNamesDurable, markInDoubt } from "./virtual-durability.ts";
import { createVirtualFile, toStat } from "./virtual-file.ts";
import {
  changeNames,
  createFile,
  findDirectory,
  linkName,
  listNames,
  makeDirectories,
  refuseChange,
  removeName,
  removeNames,
} from "./virtual-names.ts";
import {
  createVolume,
  type DirectoryNode,
  type FileNode,
  type NameChange,
  type VirtualNode,
  type Volume,
} from "./virtual-node.ts";
import { createOperations, type DiskOperation, type Operations } from "./virtual-operations.ts";
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
import { createPlanting, listAll, type Planting } from "./virtual-planting.ts";
import { losePower, type PowerLossChoice } from "./virtual-power-loss.ts";

export interface VirtualDiskOptions {
  /** Appends past it write what fits and fail with `disk-full`. */
  readonly capacityBytes?: number;
  /** Gives files their times. */
  readonly clock?: Clock;
}

/**
 * A disk in memory that fails, fills up, crashes and loses power on request. Every call of `Disk` and of its open
 * files is one operation and happens one microtask after the call, in the order of the calls.
 */
export interface VirtualDisk
  extends Disk,
    Planting,
    Pick<Operations, "crashed" | "failAt" | "failWhen" | "crashAt" | "crash"> {
  /** The operations that reached the disk through this object, in order. */
  readonly operations: readonly DiskOperation[];
  setCapacity(bytes: number): void;
  /** The same disk as another process sees it: with its own trace, faults and crash. */
  attach(): VirtualDisk;
  /** A working copy with all that happened, as the next process finds it after kill -9. */
  afterProcessCrash(): VirtualDisk;
  /** A working copy with what the next boot finds, all of it durable. */
  afterPowerLoss(choose: PowerLossChoice): VirtualDisk;
}

/** Shared by all processes on one disk. */
interface Machine {
  readonly volume: Volume;
  readonly clock: Clock;
  capacityBytes: number;
  readonly open: Set<{ readonly node: FileNode }>;
}

export function createVirtualDisk(options: VirtualDiskOptions = {}): VirtualDisk {
  const { clock = createVirtualClock(), capacityBytes = Number.POSITIVE_INFINITY } = options;
  return attach({ volume: createVolume(clock.now()), clock, capacityBytes, open: new Set() });
}

function attach(machine: Machine): VirtualDisk {
  const { volume, clock } = machine;
  const stamp = () => {
    volume.nowMs = clock.now();
  };
  const operations = createOperations(stamp);
  const reborn = (next: Volume) => attach({ ...machine, volume: next, open: new Set() });
  return {
    ...createCalls(machine, operations),
    ...createPlanting(volume, stamp),
    operations: operations.trace,
    get crashed() {
      return operations.crashed;
    },
    failAt: operations.failAt,
    failWhen: operations.failWhen,
    crashAt: operations.crashAt,
    crash: operations.crash,
    setCapacity(bytes) {
      machine.capacityBytes = bytes;
    },
    attach: () => attach(machine),
    afterProcessCrash: () => reborn(structuredClone(volume)),
    afterPowerLoss: (choose) => reborn(losePower(volume, choose)),
  };
}

function createCalls(machine: Machine, operations: Operations): Disk {
  const { volume } = machine;

  function openFile(call: Call, how: "read" | "append" | "create"): Result<DiskFile> {
    const node = findToOpen(volume, call, how);
    if (!node.ok) return node;
    const handle = { node: node.value };
    machine.open.add(handle);
    const around = {
      volume,
      operations,
      freeBytes: () => freeBytes(machine),
      released: () => void machine.open.delete(handle),
    };
    return ok(createVirtualFile(around, node.value, call.path, how));
  }

  return {
    open(path, how) {
      const call = { name: "open", path } as const;
      return operations.perform({ ...call, how }, { whole: () => openFile(call, how) });
    },
    stat(path) {
      const call = { name: "stat", path } as const;
      return operations.perform(call, {
        whole() {
          const found = locate(volume, call);
          if (!found.ok) return found;
          return found.value.node === undefined ? absentError(call) : ok(toStat(found.value.node));
        },
      });
    },
    list(path) {
      const call = { name: "list", path } as const;
      return operations.perform(call, { whole: () => listNames(volume, call) });
    },
    makeDirectory(path) {
      const call = { name: "makeDirectory", path } as const;
      return operations.perform(call, {
        whole: () => makeDirectories(volume, call),
        partly: (amount) => void makeDirectories(volume, call, amount),
      });
    },
    rename(from, to) {
      const call = { name: "rename", path: from } as const;
      return operations.perform({ ...call, to }, { whole: () => renameName(volume, call, to) });
    },
    link(from, to) {
      const call = { name: "link", path: from } as const;
      return operations.perform({ ...call, to }, { whole: () => linkName(volume, call, to) });
    },
    remove(path) {
      const call = { name: "remove", path } as const;
      return operations.perform(call, { whole: () => removeName(volume, call) });
    },
    removeTree(path) {
      const call = { name: "removeTree", path } as const;
      return operations.perform(call, {
        whole: () => removeNames(volume, call),
        partly: (amount) => void removeNames(volume, call, amount),
      });
    },
    syncDirectory(path) {
      const call = { name: "syncDirectory", path } as const;
      return operations.perform(call, {
        whole() {
          const directory = findDirectory(volume, call);
          if (!directory.ok) return directory;
          makeNamesDurable(directory.value);
          return ok();
        },
        refused() {
          const directory = findDirectory(volume, call);
          if (directory.ok) markInDoubt(directory.value);
        },
      });
    },
    realPath(path) {
      const call = { name: "realPath", path } as const;
      return operations.perform(call, {
        whole() {
          const found = locateBehindLinks(volume, call);
          if (!found.ok) return found;
          return found.value.node === undefined ? absentError(call) : ok(found.value.path);
        },
      });
    },
  };
}

function findToOpen(volume: Volume, call: Call, how: "read" | "append" | "create"): Result<FileNode> {
  const found = locate(volume, call);
  if (!found.ok) return found;
  const { node } = found.value;
  if (how === "create") {
    return node === undefined
      ? createFile(volume, call, found.value)
      : refuse(call, "exists", "it exists already");
  }
  if (node === undefined) return absentError(call);
  if (node.kind === "link") return refuse(call, "invalid-path", "it is a symbolic link");
  if (node.kind === "directory") return refuse(call, "is-directory", "it is a directory");
  const needed = how === "read" ? mayRead : mayRead | mayWrite;
  return (node.mode & needed) === needed ? ok(node) : refuse(call, "permission", "permission denied");
}

/** Counts what has a name and what is still open, each once. */
function freeBytes({ volume, open, capacityBytes }: Machine): number {
  if (capacityBytes === Number.POSITIVE_INFINITY) return capacityBytes;
  const files = new Set([...open].map(({ node }) => node));
  for (const [, node] of listAll(volume.root, "")) if (node.kind === "file") files.add(node);
  return [...files].reduce((free, file) => free - file.bytes.length, capacityBytes);
}

/**
 * Within one directory a rename survives power loss whole or not at all. Between directories a file's new name is
 * written before the old one goes, so power loss may leave both; a directory moves at once. Neither says anything
 * about the directory moved to: if its own name was never synced, it may go and take the moved thing with it.
 */
function renameName(volume: Volume, call: Call, to: string): Result<void> {
  const from = locate(volume, call);
  if (!from.ok) return from;
  const target = locate(volume, { ...call, path: to });
  if (!target.ok) return target;
  const { node } = from.value;
  if (node === undefined) return absentError(call);
  const refused =
    refuseChange(call, from.value) ??
    refuseChange({ ...call, path: to }, target.value) ??
    refuseReplacing(call, from.value, node, target.value);
  if (refused) return refused;
  if (target.value.node !== node) moveName(volume, from.value, target.value, node);
  return ok();
}

function refuseReplacing(call: Call, from: Location, node: VirtualNode, target: Location) {
  const replaced = target.node;
  if (node === replaced) return undefined;
  if (node.kind === "directory" && isInside(target.parent, node)) {
    return refuse(call, "io", "a directory cannot be moved into itself");
  }
  if (replaced === undefined) return undefined;
  if (replaced.kind === "directory") {
    if (isInside(from.parent, replaced)) return refuse(call, "io", `${target.path} contains it`);
    if (node.kind !== "directory") return refuse(call, "is-directory", `${target.path} is a directory`);
    if (replaced.entries.size > 0) return refuse(call, "io", `${target.path} is not empty`);
    return undefined;
  }
  return node.kind === "directory"
    ? refuse(call, "not-directory", `${target.path} is not a directory`)
    : undefined;
}

function isInside(directory: DirectoryNode, ancestor: DirectoryNode): boolean {
  if (directory === ancestor) return true;
  for (const child of ancestor.entries.values()) {
    if (child.kind === "directory" && isInside(directory, child)) return true;
  }
  return false;
}

function moveName(volume: Volume, from: Location, target: Location, node: VirtualNode): void {
  const gone = { directory: from.parent, name: from.name };
  const come = { directory: target.parent, name: target.name, node };
  const rename = {
    about: "rename",
    path: from.path,
    to: target.path,
    needs: undurableChange(from.parent, from.name),
  } as const;
  if (from.parent === target.parent || node.kind === "directory") {
    changeNames(volume, { ...rename, steps: [gone, come] });
  } else {
    const arrival = changeNames(volume, { ...rename, steps: [come] });
    changeNames(volume, { about: "remove", path: from.path, steps: [gone], needs: arrival });
  }
}

/** The change, if it may still be lost, that gave a name its present meaning. */
function undurableChange(directory: DirectoryNode, name: string): NameChange | undefined {
  return directory.pending.findLast((change) =>
    change.steps.some(
      (step) => step.directory === directory && step.name === name && step.node !== undefined,
    ),
  );
}
