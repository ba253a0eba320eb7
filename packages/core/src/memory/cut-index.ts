import type { LoadedIndex } from "../spec/index.ts";
import { type IndexSize, indexSize, isOverIndexLimits, joinIndex, splitIndex } from "./build-index.ts";
import { linkedPath } from "./index-line.ts";
import { memoryNumbers } from "./memory-numbers.ts";

/** What is known of a memory's worth. */
export interface MemoryWorth {
  /** When it was written last, as ISO time. */
  readonly at: string;
  readonly uses: number;
}

/** The notice and the marker, and what joins them. */
const reserved: IndexSize = { lines: 4, bytes: 600 };

/**
 * An index as it is loaded. Within its limits it stays as it is. Else the user's own lines come first, then memories by
 * turns from the newest and from the most used, as many as fit, in the order they had; a notice says what is left out.
 */
export function cutIndex(index: string, worth: ReadonlyMap<string, MemoryWorth>): LoadedIndex {
  if (!isOverIndexLimits(indexSize(index))) return { text: index, leftOut: 0 };
  const { own, generated } = splitIndex(index);
  const room = createRoom();
  const keptOwn = takeWhile(own, room.take);
  const kept = new Set<string>();
  for (const line of byWorth(generated, worth)) {
    if (!room.take(line)) break;
    kept.add(line);
  }
  const leftOut = generated.length - kept.size;
  const lines = generated.filter((line) => kept.has(line));
  return { text: joinIndex(keptOwn, [...lines, notice(leftOut, own.length - keptOwn.length)]), leftOut };
}

function createRoom() {
  let lines = memoryNumbers.maxIndexLines - reserved.lines;
  let bytes = memoryNumbers.maxIndexBytes - reserved.bytes;
  return {
    /** Whether the line still fits. */
    take(line: string): boolean {
      const size = indexSize(`${line}\n`);
      if (lines < 1 || size.bytes > bytes) return false;
      lines -= 1;
      bytes -= size.bytes;
      return true;
    },
  };
}

function takeWhile(lines: readonly string[], take: (line: string) => boolean): readonly string[] {
  const end = lines.findIndex((line) => !take(line));
  return end === -1 ? lines : lines.slice(0, end);
}

function byWorth(lines: readonly string[], worth: ReadonlyMap<string, MemoryWorth>): readonly string[] {
  const valued = lines.map((line) => ({
    line,
    ...(worth.get(linkedPath(line) ?? "") ?? { at: "", uses: 0 }),
  }));
  const newest = [...valued].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const used = newest.filter(({ uses }) => uses > 0).sort((a, b) => b.uses - a.uses);
  const order = new Set<string>();
  for (const [index, { line }] of newest.entries()) {
    order.add(line);
    const other = used[index];
    if (other !== undefined) order.add(other.line);
  }
  return [...order];
}

function notice(memories: number, ownLines: number): string {
  const parts = [
    ...(memories > 0 ? [`${memories} ${memories === 1 ? "memory is" : "memories are"}`] : []),
    ...(ownLines > 0
      ? [`${ownLines} ${ownLines === 1 ? "line" : "lines"} above the marker ${ownLines === 1 ? "is" : "are"}`]
      : []),
  ].join(" and ");
  const { maxIndexLines, maxIndexBytes } = memoryNumbers;
  return `- (This index is over ${maxIndexLines} lines or ${maxIndexBytes} bytes: ${parts} not shown. The newest and the most used are; a search finds the others.)`;
}
