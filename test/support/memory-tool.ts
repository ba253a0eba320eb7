import type { FileTree } from "../../packages/core/src/spec/index.ts";
import { answerMemory, type MemoryToolOptions } from "../../packages/palimpsest/src/tools/memory/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualStore } from "./virtual-store.ts";

export const indexMarker = "<!-- generated -->";

type MemoryWithOptions = Partial<Omit<MemoryToolOptions, "tree" | "indexMarker">> & {
  readonly wrap?: (tree: FileTree) => FileTree;
};

/** A memory folder with these files, and the tool on it. */
export async function memoryWith(
  files: Readonly<Record<string, string>> = {},
  options: MemoryWithOptions = {},
) {
  const tree = createVirtualStore().tree("memory");
  for (const [path, text] of Object.entries(files)) must(await tree.write(path, text, { author: "user" }));
  const { wrap = (one: FileTree) => one, ...more } = options;
  const writer = {
    tree: wrap(tree),
    indexMarker,
    ...more,
    by: { author: "agent", session: "one", source: "memory tool t1" },
  };
  return {
    tree,
    /** What the model is told; what failed begins with `!`. */
    async call(command: string, input: object = {}): Promise<string> {
      const answered = await answerMemory(writer, { command, ...input });
      return answered.ok ? answered.value : `!${answered.error.message}`;
    },
    async text(path: string): Promise<string | null> {
      const read = await tree.read(path);
      return read.ok ? read.value.text : null;
    },
    async paths(): Promise<readonly string[]> {
      return must(await tree.list()).map(({ path }) => path);
    },
  };
}
