import { fail, type Memory, ok, type Result } from "../spec/index.ts";
import { linkedPath, toFittingIndexLine, toIndexLine } from "./index-line.ts";
import { memoryNumbers } from "./memory-numbers.ts";
import { indexPath } from "./memory-path.ts";

/** Stands between the user's own lines and those that are generated. */
export const indexMarker = "<!-- palimpsest: generated below, from the memories; your own lines go above -->";
const markerStart = "<!-- palimpsest:";

export interface SplitIndex {
  /** The user's own lines. */
  readonly own: readonly string[];
  readonly generated: readonly string[];
}

/** An index that nobody has generated yet is the user's own but for its lines about memories that are there. */
export function splitIndex(text: string, isMemory: (path: string) => boolean = () => false): SplitIndex {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const marker = lines.findIndex((line) => line.startsWith(markerStart));
  if (marker !== -1)
    return { own: trimmed(lines.slice(0, marker)), generated: trimmed(lines.slice(marker + 1)) };
  const own = lines.filter((line) => {
    const path = linkedPath(line);
    return path === null || !isMemory(path);
  });
  return { own: trimmed(own), generated: [] };
}

/** Without empty lines at the end. */
function trimmed(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}

/** What an index says, without the marker; empty where it has neither memories nor lines of the user's own. */
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

export interface IndexSize {
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
