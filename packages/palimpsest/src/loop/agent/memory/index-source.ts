import { indexWords, recalledSubtype, renderMemoryIndex } from "@palimpsest/core/internal";
import type { Memory, MemoryFolder, Notice, NoticeSource } from "@palimpsest/core/spec";
import { changesText, findChanges, readIndex, readTold } from "./index-changes.ts";

export interface IndexSourceOptions {
  readonly folder: Pick<MemoryFolder, "index" | "loadIndex" | "list">;
  /** What the model has before its eyes of memories, the oldest first. */
  readonly told: () => readonly string[];
}

const isIndexText = (text: string) => text.startsWith('<memory path="MEMORY.md" type="index"');

/**
 * Tells what is in memory: the index once, as data, within its limits. It then stands as it is for as long as it is in
 * view; what changes, by whomever, is told behind it at the beginning of a turn.
 */
export function createIndexSource({ folder, told }: IndexSourceOptions): NoticeSource {
  /** Memories that were there when the index was told; some may have had no room in it. */
  let known: ReadonlySet<string> = new Set();
  const notice = (text: string, trust: "trusted" | "untrusted"): readonly Notice[] => [
    { subtype: recalledSubtype, text: renderMemoryIndex(text, trust) },
  ];

  async function whole(): Promise<readonly Notice[]> {
    const { text } = await folder.loadIndex();
    if (indexWords(text) === "") return [];
    const memories = await folder.list();
    known = new Set(memories.map(({ path }) => path));
    return notice(text, trustOf(memories));
  }

  async function changes(texts: readonly string[]): Promise<readonly Notice[]> {
    const memories = await folder.list();
    if (known.size === 0) known = new Set(isCut(texts) ? memories.map(({ path }) => path) : []);
    const rendered = renderMemoryIndex(await folder.index(), "trusted");
    const now = readIndex(rendered.split("\n").slice(1, -1).join("\n"));
    const found = findChanges(readTold(texts), now, (path) => known.has(path));
    if (!found) return [];
    const changed = new Set(found.changed.map(({ path }) => path));
    return notice(changesText(found), trustOf(memories.filter(({ path }) => changed.has(path))));
  }

  return {
    name: "memory index",
    remembers: true,
    async take({ kind }) {
      if (kind === "tool-round") return [];
      const texts = told().filter(isIndexText);
      return texts.length === 0 ? whole() : changes(texts);
    },
    /** A compaction takes the index out of view: the one behind it has all changes in it. */
    restore: () => whole().catch(() => []),
  };
}

/** A resumed session does not know what had no room when its index was told. */
const isCut = (texts: readonly string[]) => texts.some((text) => text.includes("\n- (This index is over "));

function trustOf(memories: readonly Memory[]): "trusted" | "untrusted" {
  const isTrusted = ({ trust, isConfirmed }: Memory) => trust === "trusted" || isConfirmed === true;
  return memories.every(isTrusted) ? "trusted" : "untrusted";
}
