import { type FileTree, ok, type Result } from "../../spec/index.ts";
import type { MemoryCodec } from "./ports.ts";
import type { KnownMemory, MemoryContent } from "./rules/index.ts";

/** A file of the memory folder that may be changed, as it was read. */
export interface MemoryFile {
  readonly path: string;
  readonly text: string;
  readonly version: number;
  /** Absent where the file is no memory. */
  readonly memory?: KnownMemory & MemoryContent;
}

const indexName = "memory.md";
const closedFolders: ReadonlySet<string> = new Set(["quarantine", "logs"]);

/** Whether a path may be a memory: no index, no daily log, nothing in quarantine, nothing hidden. */
export function isMemoryPath(path: string): boolean {
  const parts = path.toLowerCase().split("/");
  if (parts.some((part) => part === "" || part.startsWith("."))) return false;
  return path.endsWith(".md") && parts.join("/") !== indexName && !closedFolders.has(parts[0] ?? "");
}

/** All memories, by path. A file that is removed meanwhile, or cannot be read, is left out. */
export async function readMemories(
  tree: FileTree,
  codec: MemoryCodec,
): Promise<Result<ReadonlyMap<string, MemoryFile>>> {
  const listed = await tree.list();
  if (!listed.ok) return listed;
  const paths = listed.value.map(({ path }) => path).filter(isMemoryPath);
  const files = await Promise.all(paths.map((path) => tree.read(path)));
  const found = files.flatMap((file) => (file.ok ? [file.value] : []));
  return ok(
    new Map(
      found.map(({ text, version: { path, version } }) => {
        const content = codec.read(path, text);
        return [path, { path, text, version, ...(content && { memory: { path, ...content } }) }];
      }),
    ),
  );
}
