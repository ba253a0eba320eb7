import {
  type FileTree,
  fail,
  ok,
  type Result,
  type ToolContext,
  type TreeWriteOptions,
} from "@palimpsest/core/spec";
import { type ChangedText, isIndex, keepsGenerated } from "./change-text.ts";
import { type MemoryToolOptions, maxMemoryBytes, type WrittenText } from "./memory-options.ts";
import { type MemoryPath, memoryTexts } from "./memory-path.ts";
import { filesBelow } from "./view-memory.ts";

export type Writer = Omit<MemoryToolOptions, "isCustom" | "folder"> & {
  readonly by: Pick<TreeWriteOptions, "author" | "session" | "source">;
  readonly view?: ToolContext["view"];
};

/** Makes a file that is not there yet. */
export async function createMemory(writer: Writer, path: MemoryPath, text: string): Promise<Result<string>> {
  if (path.inTree === "") return fail("exists", memoryTexts.exists(path.shown));
  const inside = await filesBelow(writer.tree, path);
  if (!inside.ok) return inside;
  if (inside.value.length > 0) return fail("exists", memoryTexts.exists(path.shown));
  const there = await writer.tree.read(path.inTree);
  if (there.ok) return fail("exists", memoryTexts.exists(path.shown));
  const written = await put(writer, path, { before: "", after: text, expect: 0 });
  if (written.ok) return ok(describeWrite(path, written.value, memoryTexts.created(path.shown)));
  return written.error.code === "conflict" ? fail("exists", memoryTexts.exists(path.shown)) : written;
}

/**
 * Changes a file by compare-and-swap. Where somebody was faster, it is read again and the change is made once more, on
 * what is there then; after that it is told.
 */
export async function changeMemory(
  writer: Writer,
  path: MemoryPath,
  change: (text: string) => Result<ChangedText>,
): Promise<Result<string>> {
  for (let tries = 0; tries < 2; tries += 1) {
    const read = await readMemory(writer.tree, path);
    if (!read.ok) return read;
    const changed = change(read.value.text);
    if (!changed.ok) return changed;
    const { text, report } = changed.value;
    const expect = read.value.version.version;
    const written = await put(writer, path, { before: read.value.text, after: text, expect });
    if (written.ok) return ok(describeWrite(path, written.value, report));
    if (written.error.code !== "conflict") return written;
  }
  return fail("conflict", memoryTexts.conflict(path.shown));
}

export async function readMemory(tree: FileTree, path: MemoryPath) {
  if (path.inTree === "") return fail("not-found", memoryTexts.absent(path.shown));
  const read = await tree.read(path.inTree);
  if (read.ok || !isAbsence(read.error.code)) return read;
  return fail("not-found", memoryTexts.absent(path.shown));
}

const isAbsence = (code: string) =>
  code === "not-found" || code === "is-directory" || code === "not-directory";

interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly expect: number;
}

/** Writes a text that everybody who has a say has seen. */
export async function put(
  writer: Writer,
  path: MemoryPath,
  { before, after, expect }: Replacement,
): Promise<Result<WrittenText>> {
  const { tree, indexMarker, write, by, view } = writer;
  const { inTree, shown } = path;
  if (isIndex(inTree) && !keepsGenerated(before, after, indexMarker))
    return fail("denied", memoryTexts.generated(shown));
  const refused = refuseSize(shown, after) ?? refusePath(writer, path);
  if (refused) return refused;
  const request = { path: inTree, text: after, ...by, expect };
  const written = write
    ? await write({ ...request, ...(view && { view }) })
    : toWritten(await tree.write(inTree, after, { ...by, expect }));
  if (written.ok || written.error.code !== "not-directory") return written;
  return fail("not-directory", memoryTexts.fileAbove(shown));
}

function toWritten(written: Awaited<ReturnType<FileTree["write"]>>): Result<WrittenText> {
  return written.ok ? ok({ version: written.value.version }) : written;
}

/** Why a path is nothing for this tool to write or to move. */
export function refusePath(
  { refusePath: refuse }: Pick<Writer, "refusePath">,
  { inTree, shown }: MemoryPath,
): Result<never> | null {
  const why = refuse?.(inTree);
  return why === undefined ? null : fail("denied", memoryTexts.refused(shown, why));
}

function describeWrite({ shown }: MemoryPath, { quarantined }: WrittenText, report: string): string {
  return quarantined === undefined ? report : memoryTexts.waits(shown, quarantined);
}

function refuseSize(shown: string, text: string): Result<never> | null {
  const bytes = Buffer.byteLength(text);
  return bytes > maxMemoryBytes ? fail("too-large", memoryTexts.tooLarge(shown, bytes)) : null;
}
