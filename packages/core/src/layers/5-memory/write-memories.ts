import { type FileTree, fail, ok, type Result } from "../../spec/index.ts";
import type { GuardedWrite, KeptMemory, MemoryPorts } from "./ports.ts";
import type { MemoryContent } from "./rules/index.ts";

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

/** The evidence for judging a memory, besides its text. */
export type WriteEvidence = Pick<GuardedWrite, "messages" | "because">;

/** A memory has at most so many bytes. */
const maxMemoryBytes = 100 * 1024;

/**
 * Writes memories, each by compare-and-swap: what somebody else has changed since it was read is left to them. What is
 * not written is told, and the others are.
 */
export async function writeMemories(
  tree: FileTree,
  writes: readonly MemoryWrite[],
  evidence: WriteEvidence,
  { codec, write: keep = writePlain }: Pick<MemoryPorts, "codec" | "write">,
): Promise<WriteReport> {
  const written: string[] = [];
  const skipped: { readonly what: string; readonly why: string }[] = [];
  for (const write of writes) {
    const done = await keep(tree, { ...write, ...evidence, text: codec.write(write.content) });
    if (done.ok) written.push(done.value.path);
    else skipped.push({ what: write.path, why: done.error.message });
  }
  return { written, skipped };
}

async function writePlain(
  tree: FileTree,
  { path, text, content, expect }: GuardedWrite,
): Promise<Result<KeptMemory>> {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxMemoryBytes)
    return fail("too-large", `${path} would have ${bytes} bytes, over ${maxMemoryBytes}.`);
  const { session, author } = content;
  const source = extractionSource(content);
  const by = { author, ...(session !== undefined && { session }), source };
  const written = await tree.write(path, text, { ...by, expect });
  return written.ok ? ok({ path }) : written;
}

/** The source recorded with a version. */
export function extractionSource({ entries = [] }: Pick<MemoryContent, "entries">): string {
  return `extraction from ${entries.join(", ")}`;
}
