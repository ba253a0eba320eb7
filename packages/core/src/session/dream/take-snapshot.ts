import type { SnapshotFile } from "../../layers/6-dream/rules/snapshot.ts";
import { type FileTree, ok, type Result } from "../../spec/index.ts";

/** A file with who wrote it, which decides what it says where its front matter is silent. */
export interface TakenFile extends SnapshotFile {
  readonly author: string;
}

/** The memory folder as it is now; a file that goes away meanwhile is left out. */
export async function takeSnapshot(memory: FileTree): Promise<Result<readonly TakenFile[]>> {
  const listed = await memory.list();
  if (!listed.ok) return listed;
  const files: TakenFile[] = [];
  for (const { path, version, at, author } of listed.value) {
    const read = await memory.read(path, version);
    if (!read.ok && read.error.code !== "not-found") return read;
    if (read.ok) files.push({ path, version, at, author, text: read.value.text });
  }
  return ok(files);
}
