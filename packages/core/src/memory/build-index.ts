import { fail, type LoadedIndex, type Memory, ok, type Result } from "../spec/index.ts";
import { indexPath } from "./check-memory.ts";
import { memoryNumbers } from "./memory-numbers.ts";

/** Stands between the user's own lines and those that are generated. */
export const indexMarker = "<!-- palimpsest: generated below, from the memories; your own lines go above -->";
const markerStart = "<!-- palimpsest:";

interface SplitIndex {
  /** The user's own lines. */
  readonly own: readonly string[];
  readonly generated: readonly string[];
}

/** An index that nobody has generated yet is the user's own but for its lines about memories that are there. */
export function splitIndex(text: string, isMemory: (path: string) => boolean = () => false): SplitIndex {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const marker = lines.findIndex((line) => line.startsWith(markerStart));
  if (marker !== -1)
    return { own: trimEnd(lines.slice(0, marker)), generated: trimEnd(lines.slice(marker + 1)) };
  const own = lines.filter((line) => {
    const path = linkedPath(line);
    return path === null || !isMemory(path);
  });
  return { own: trimEnd(own), generated: [] };
}

/** Without empty lines at the end. */
function trimEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}

/** The text of an index, without the marker; empty where it has neither memories nor lines of the user's own. */
export function indexWords(text: string): string {
  const { own, generated } = splitIndex(text);
  return [...own, ...generated].join("\n").trim();
}

/** `MEMORY.md` for these memories: one line each, sorted by path. */
export function buildIndex(own: readonly string[], memories: readonly Memory[]): string {
  const sorted = [...memories].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return joinIndex(own, sorted.map(toFittingIndexLine));
}

export function joinIndex(own: readonly string[], generated: readonly string[]): string {
  const above = own.length === 0 ? [] : [...own, ""];
  return `${[...above, indexMarker, ...generated].join("\n")}\n`;
}

interface IndexSize {
  readonly lines: number;
  readonly bytes: number;
}

export function indexSize(text: string): IndexSize {
  return {
    lines: text === "" ? 0 : text.replace(/\n$/, "").split("\n").length,
    bytes: new TextEncoder().encode(text).length,
  };
}

export function isOverIndexLimits({ lines, bytes }: IndexSize): boolean {
  return lines > memoryNumbers.maxIndexLines || bytes > memoryNumbers.maxIndexBytes;
}

const namedAtMost = 3;

/** `too-large` for a change that would make an index larger than it may be; what makes it smaller is always fine. */
export function checkIndexGrowth(before: string, after: string, memories: readonly Memory[]): Result<void> {
  const size = indexSize(after);
  const had = indexSize(before);
  const isSmaller = size.lines <= had.lines && size.bytes <= had.bytes && before !== after;
  if (!isOverIndexLimits(size) || isSmaller) return ok();
  const { maxIndexLines, maxIndexBytes } = memoryNumbers;
  const longest = [...memories]
    .sort((a, b) => toIndexLine(b).length - toIndexLine(a).length)
    .slice(0, namedAtMost)
    .map(({ path }) => path);
  const fix =
    size.lines > maxIndexLines
      ? `Remove or merge ${count(size.lines - maxIndexLines, "memory", "memories")}, or take lines out of your own part of ${indexPath}.`
      : `Shorten descriptions by ${count(size.bytes - maxIndexBytes, "byte", "bytes")}; the longest are in ${longest.join(", ")}.`;
  return fail(
    "too-large",
    `${indexPath} would have ${size.lines} lines and ${size.bytes} bytes; it may have ${maxIndexLines} and ${maxIndexBytes}. Nothing was written.`,
    { path: indexPath, fix, facts: { ...size, maxLines: maxIndexLines, maxBytes: maxIndexBytes, longest } },
  );
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Said of what came from untrusted content and no person has confirmed. */
const untrustedLabel = " (untrusted)";

type ListedMemory = Pick<Memory, "path" | "name" | "description" | "trust" | "isConfirmed">;

/** A memory's line in the index, whole. */
export function toIndexLine({ path, name, description, trust, isConfirmed }: ListedMemory): string {
  const title = name.trim().replace(/[\\[\]]/g, "\\$&");
  const target = /[\s()]/.test(path) ? `<${path}>` : path;
  const label = trust === "untrusted" && !isConfirmed ? untrustedLabel : "";
  return `- [${title}](${target}): ${description.trim()}${label}`;
}

/** By how many characters it is too long; 0 where it fits. */
export function indexLineExcess(memory: ListedMemory): number {
  return Math.max(0, [...toIndexLine(memory)].length - (memoryNumbers.indexLineChars - 1));
}

/** The line as the index has it: a description that a person made too long is cut. */
export function toFittingIndexLine(memory: ListedMemory): string {
  const excess = indexLineExcess(memory);
  if (excess === 0) return toIndexLine(memory);
  const characters = [...memory.description.trim()];
  const kept = characters
    .slice(0, Math.max(0, characters.length - excess - 1))
    .join("")
    .trimEnd();
  const cut = toIndexLine({ ...memory, description: `${kept}…` });
  return [...cut].slice(0, memoryNumbers.indexLineChars - 1).join("");
}

/** The file that a line of an index links to; `null` for other lines. */
export function linkedPath(line: string): string | null {
  const [, bracketed, plain] = /^[-*] \[(?:\\.|[^\]\\])*\]\((?:<([^>]*)>|([^)\s]*))\)/.exec(line) ?? [];
  return bracketed ?? plain ?? null;
}

/** The worth of a memory. */
interface MemoryWorth {
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
  for (const line of sortByWorth(generated, worth)) {
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

function sortByWorth(lines: readonly string[], worth: ReadonlyMap<string, MemoryWorth>): readonly string[] {
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
