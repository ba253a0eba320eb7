import type { GuardOptions } from "../../layers/6-dream/rules/check-guards.ts";
import type { IndexFormat, MemoryFormat, ParsedMemory } from "../../layers/6-dream/rules/memory-shapes.ts";
import { buildIndex, checkIndexGrowth, splitIndex } from "../../memory/build-index.ts";
import { composeMemory } from "../../memory/compose-memory.ts";
import { toIndexLine } from "../../memory/index-line.ts";
import { memoryNumbers } from "../../memory/memory-numbers.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import { splitFrontMatter } from "../../memory/split-front-matter.ts";
import type { Memory } from "../../spec/index.ts";
import type { TakenFile } from "./take-snapshot.ts";

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
