import type { MemoryContent } from "../../context/extraction/index.ts";
import { type FileTree, fail, ok, type Result } from "../../spec/index.ts";
import type { MemoryLayerPorts } from "./ports.ts";

/** One memory to write, and the version it stands on: 0 for a new one. */
export interface MemoryWrite {
  readonly path: string;
  readonly content: MemoryContent;
  readonly expect: number;
}

export interface WriteReport {
  readonly written: readonly string[];
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

/** A memory has at most so many bytes. */
const maxMemoryBytes = 100 * 1024;

/**
 * Writes memories, each by compare-and-swap: what somebody else has changed since it was read is left to them. What is
 * not written is told, and the others are.
 */
export async function writeMemories(
  tree: FileTree,
  writes: readonly MemoryWrite[],
  ports: Pick<MemoryLayerPorts, "codec" | "guardWrite">,
): Promise<WriteReport> {
  const written: string[] = [];
  const skipped: { readonly what: string; readonly why: string }[] = [];
  for (const write of writes) {
    const done = await writeOne(tree, write, ports);
    if (done.ok) written.push(write.path);
    else skipped.push({ what: write.path, why: done.error.message });
  }
  return { written, skipped };
}

async function writeOne(
  tree: FileTree,
  { path, content, expect }: MemoryWrite,
  { codec, guardWrite }: Pick<MemoryLayerPorts, "codec" | "guardWrite">,
): Promise<Result<unknown>> {
  const text = codec.write(content);
  const guarded = guardWrite ? await guardWrite(path, text) : ok(text);
  if (!guarded.ok) return guarded;
  const bytes = new TextEncoder().encode(guarded.value).length;
  if (bytes > maxMemoryBytes)
    return fail("too-large", `${path} would have ${bytes} bytes, over ${maxMemoryBytes}.`);
  const { session, author, entries = [] } = content;
  return tree.write(path, guarded.value, {
    author,
    ...(session !== undefined && { session }),
    source: `extraction from ${entries.join(", ")}`,
    expect,
  });
}
