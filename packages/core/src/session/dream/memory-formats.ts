import type { GuardOptions } from "../../layers/6-dream/rules/check-guards.ts";
import type { IndexFormat, MemoryFormat, ParsedMemory } from "../../layers/6-dream/rules/memory-links.ts";
import type { SnapshotFile } from "../../layers/6-dream/rules/snapshot.ts";
import { buildIndex, checkIndexGrowth, splitIndex, toIndexLine } from "../../memory/build-index.ts";
import { composeMemory } from "../../memory/compose-memory.ts";
import { memoryNumbers } from "../../memory/memory-numbers.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import { splitFrontMatter } from "../../memory/read-front-matter.ts";
import { type FileTree, type Memory, ok, type Result } from "../../spec/index.ts";

export interface MemoryFormats extends Pick<GuardOptions, "checkIndex"> {
  readonly format: MemoryFormat;
  readonly index: IndexFormat;
}

/** How a dream reads and writes the files of a snapshot: what a person has put into front matter besides stays. */
export function createMemoryFormats(files: readonly TakenFile[]): MemoryFormats {
  const taken = new Map(files.map((file) => [file.path, file]));

  function format(memory: ParsedMemory): string {
    const { path, body, name, description, type } = memory;
    const former = taken.get(path)?.text;
    const { matter } = splitFrontMatter(former ?? "");
    const text = matter === null ? `\n${body}` : `---\n${matter}\n---\n\n${body}`;
    const composed = composeMemory(path, text, memory, { name, description, type });
    return composed.ok ? composed.value : (former ?? body);
  }

  return {
    format: {
      parse(path, text) {
        const author = taken.get(path)?.author ?? "dream";
        const parsed = parseMemory(text, { path, version: 0, at: "", author });
        return parsed.ok ? parsed.value : null;
      },
      format,
    },
    index: {
      line: toIndexLine,
      maxLineChars: memoryNumbers.indexLineChars - 1,
      build: (memories, present) => indexOf(memories, present),
    },
    checkIndex(_index, memories, before) {
      const checked = checkIndexGrowth(before ?? "", indexOf(memories, before), memories.map(toMemory));
      return checked.ok ? null : [checked.error.message, checked.error.fix].filter(Boolean).join(" ");
    },
  };
}

function indexOf(memories: readonly ParsedMemory[], present: string | null): string {
  const paths = new Set(memories.map(({ path }) => path));
  return buildIndex(splitIndex(present ?? "", (path) => paths.has(path)).own, memories.map(toMemory));
}

function toMemory(memory: ParsedMemory): Memory {
  return { ...memory, version: 0, at: "" };
}

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
