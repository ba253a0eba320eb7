import { type DiskFile, type DiskStat, fail, ok, type Result } from "@palimpsest/core/spec";
import { makeDataDurable, markInDoubt } from "./virtual-durability.ts";
import { type FileNode, resizeBytes, type VirtualNode, type Volume, writeBytes } from "./virtual-node.ts";
import type { Action, DiskRequest, Operations } from "./virtual-operations.ts";

/** An open file's access to its disk. */
export interface FileSurroundings {
  readonly volume: Volume;
  readonly operations: Operations;
  /** How many more bytes the disk takes. */
  freeBytes(): number;
  released(): void;
}

export function toStat(node: VirtualNode): DiskStat {
  const bytes = node.kind === "file" ? node.bytes.length : node.kind === "link" ? node.target.length : 0;
  const { kind, modifiedMs, links, mode } = node;
  return { kind, bytes, modifiedMs, links, identity: `virtual:${node.id}`, mode };
}

export function createVirtualFile(
  around: FileSurroundings,
  node: FileNode,
  path: string,
  how: "read" | "append" | "create",
): DiskFile {
  const { volume, operations } = around;
  let closed = false;

  function perform<T>(request: Omit<DiskRequest, "path">, action: Action<T>): Promise<Result<T>> {
    const shut = () => fail("closed", `${request.name} ${path}: the file is closed`, { path });
    return operations.perform(
      { ...request, path },
      {
        ...action,
        whole: () => (closed ? shut() : action.whole()),
        partly: (amount) => (closed ? undefined : action.partly?.(amount)),
      },
    );
  }

  const unwritable = (name: string) => fail("io", `${name} ${path}: it was opened for reading`, { path });
  const isLength = (value: number) => Number.isSafeInteger(value) && value >= 0;

  /** Writes what fits and says how much that was. */
  function write(bytes: Uint8Array): number {
    const written = new Uint8Array(bytes.subarray(0, Math.max(0, around.freeBytes())));
    if (written.length === 0) return 0;
    const at = node.bytes.length;
    writeBytes(node.bytes, at, written);
    node.pending.push({ about: "append", path, at, bytes: written, certain: false, doubtful: false });
    node.modifiedMs = volume.nowMs;
    return written.length;
  }

  return {
    read: (position, into) =>
      perform(
        { name: "read", bytes: into.length },
        {
          whole() {
            if (!isLength(position))
              return fail("invalid-input", `read ${path}: no position ${position}`, { path });
            const found = node.bytes.buffer.subarray(
              position,
              Math.min(node.bytes.length, position + into.length),
            );
            into.set(found);
            return ok(found.length);
          },
        },
      ),
    append: (bytes) =>
      perform(
        { name: "append", bytes: bytes.length },
        {
          whole() {
            if (how === "read") return unwritable("append");
            const written = write(bytes);
            if (written === bytes.length) return ok();
            const says = `append ${path}: the disk is full after ${written} of ${bytes.length} bytes`;
            return fail("disk-full", says, { path, retryable: true });
          },
          partly: (amount) => (how === "read" ? undefined : void write(bytes.subarray(0, amount))),
        },
      ),
    truncate: (bytes) =>
      perform(
        { name: "truncate", bytes },
        {
          whole() {
            if (how === "read") return unwritable("truncate");
            if (!isLength(bytes))
              return fail("invalid-input", `truncate ${path}: no length ${bytes}`, { path });
            if (bytes === node.bytes.length) return ok();
            resizeBytes(node.bytes, bytes);
            node.pending.push({ about: "truncate", path, length: bytes, certain: false, doubtful: false });
            node.modifiedMs = volume.nowMs;
            return ok();
          },
        },
      ),
    setModified: (ms) =>
      perform(
        { name: "setModified" },
        {
          whole() {
            const before = node.modifiedMs;
            node.modifiedMs = Math.round(ms);
            node.pending.push({ about: "times", path, before, certain: false, doubtful: false });
            return ok();
          },
        },
      ),
    sync: () =>
      perform(
        { name: "sync" },
        {
          whole() {
            makeDataDurable(node);
            return ok();
          },
          refused: () => markInDoubt(node),
        },
      ),
    stat: () => perform({ name: "file-stat" }, { whole: () => ok(toStat(node)) }),
    close: () =>
      perform(
        { name: "close" },
        {
          whole() {
            closed = true;
            around.released();
            return ok();
          },
        },
      ),
  };
}
