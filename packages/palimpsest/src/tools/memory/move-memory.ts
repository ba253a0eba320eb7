import { fail, ok, type Result, type TreeVersion } from "@palimpsest/core/spec";
import { isIndex } from "./change-text.ts";
import { type MemoryPath, memoryTexts } from "./memory-path.ts";
import { filesBelow } from "./view-memory.ts";
import { refusePath, type Writer } from "./write-memory.ts";

/** Removes a file, or a folder with everything in it; the history keeps all of it. */
export async function deleteMemory(writer: Writer, path: MemoryPath): Promise<Result<string>> {
  if (path.inTree === "") return fail("denied", memoryTexts.root("deleted"));
  if (isIndex(path.inTree)) return fail("denied", memoryTexts.generated(path.shown));
  const files = await filesAt(writer, path);
  if (!files.ok) return files;
  for (const { path: inTree, version } of files.value) {
    const refused = refusePath(writer, placeOf(inTree));
    if (refused) return refused;
    const removed = await removeOne(writer, inTree, version);
    if (!removed.ok) return removed;
  }
  await writer.onMove?.();
  return ok(memoryTexts.deleted(path.shown));
}

/**
 * Gives a file or a folder another name. Every file is written anew before the first one is removed, to the byte: what
 * was judged once stays what it is, and nothing comes in that was not.
 */
export async function renameMemory(
  writer: Writer,
  from: MemoryPath,
  to: MemoryPath,
): Promise<Result<string>> {
  if (from.inTree === "") return fail("denied", memoryTexts.root("renamed"));
  for (const one of [from, to])
    if (isIndex(one.inTree)) return fail("denied", memoryTexts.generated(one.shown));
  const files = await filesAt(writer, from);
  if (!files.ok) return files;
  const taken = to.inTree === "" ? ok(true) : await isThere(writer, to);
  if (!taken.ok) return taken;
  if (taken.value) return fail("exists", memoryTexts.destinationExists(to.shown));
  if (to.inTree.startsWith(`${from.inTree}/`))
    return fail("invalid-path", memoryTexts.inside(from.shown, to.shown));
  const moved = await moveAll(writer, files.value, from, to);
  await writer.onMove?.();
  return moved.ok ? ok(memoryTexts.renamed(from.shown, to.shown)) : moved;
}

interface Move {
  readonly from: TreeVersion;
  readonly to: TreeVersion;
}

const placeOf = (inTree: string): MemoryPath => ({ shown: `/memories/${inTree}`, inTree });

async function moveAll(
  writer: Writer,
  files: readonly TreeVersion[],
  from: MemoryPath,
  to: MemoryPath,
): Promise<Result<void>> {
  const moves: Move[] = [];
  for (const file of files) {
    const rest = file.path.slice(from.inTree.length);
    const location = { shown: `${to.shown}${rest}`, inTree: `${to.inTree}${rest}` };
    const copied = await copyOne(writer, file.path, location);
    if (!copied.ok) {
      await takeBack(writer, moves);
      if (copied.error.code !== "conflict") return copied;
      return fail("exists", memoryTexts.destinationExists(to.shown));
    }
    moves.push(copied.value);
  }
  for (const [index, move] of moves.entries()) {
    const removed = await writer.tree.remove(move.from.path, { ...writer.by, expect: move.from.version });
    if (removed.ok || removed.error.code === "not-found") continue;
    await takeBack(writer, moves.slice(index));
    return removed.error.code === "conflict" ? fail("conflict", memoryTexts.conflict(from.shown)) : removed;
  }
  return ok();
}

async function copyOne(writer: Writer, path: string, place: MemoryPath): Promise<Result<Move>> {
  const read = await writer.tree.read(path);
  if (!read.ok) return read;
  const { text, version } = read.value;
  const refused = refusePath(writer, placeOf(path)) ?? refusePath(writer, place);
  if (refused) return refused;
  const why = writer.refuseName?.(place.inTree, writer.view);
  if (why !== undefined) return fail("denied", memoryTexts.refused(place.shown, why));
  const written = await writer.tree.write(place.inTree, text, { ...writer.by, expect: 0 });
  if (written.ok) return ok({ from: version, to: written.value });
  return written.error.code === "not-directory"
    ? fail("not-directory", memoryTexts.fileAbove(place.shown))
    : written;
}

/** Takes copies away again, unless somebody has changed them meanwhile. */
async function takeBack(writer: Writer, moves: readonly Move[]): Promise<void> {
  for (const { to } of moves) await writer.tree.remove(to.path, { ...writer.by, expect: to.version });
}

/** Once more on what is there, where somebody was faster; what is gone already is removed. */
async function removeOne(writer: Writer, path: string, version: number): Promise<Result<void>> {
  let expect = version;
  for (let tries = 0; tries < 2; tries += 1) {
    const removed = await writer.tree.remove(path, { ...writer.by, expect });
    if (removed.ok || removed.error.code === "not-found") return ok();
    if (removed.error.code !== "conflict") return removed;
    const read = await writer.tree.read(path);
    if (!read.ok) return read.error.code === "not-found" ? ok() : read;
    expect = read.value.version.version;
  }
  return fail("conflict", memoryTexts.conflict(`/memories/${path}`));
}

/** The file of that name, or the files of the folder; at least one. */
async function filesAt({ tree }: Writer, path: MemoryPath): Promise<Result<readonly TreeVersion[]>> {
  const read = await tree.read(path.inTree);
  if (read.ok) return ok([read.value.version]);
  const below = await filesBelow(tree, path);
  if (!below.ok || below.value.length > 0) return below;
  return fail("not-found", memoryTexts.absent(path.shown));
}

async function isThere(writer: Writer, path: MemoryPath): Promise<Result<boolean>> {
  const files = await filesAt(writer, path);
  if (files.ok) return ok(true);
  return files.error.code === "not-found" ? ok(false) : files;
}
