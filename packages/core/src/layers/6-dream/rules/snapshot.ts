import { isMemoryPath, type MemoryFormat, type ParsedMemory } from "./memory-links.ts";

/** A file of the memory folder as a dream found it. */
export interface SnapshotFile {
  readonly path: string;
  readonly text: string;
  readonly version: number;
  /** When that version was made, ISO 8601. */
  readonly at: string;
}

/** The input of a dream: the whole memory folder at one time. */
export type Snapshot = readonly SnapshotFile[];

export function fileOf(snapshot: Snapshot, path: string): SnapshotFile | undefined {
  return snapshot.find((file) => file.path === path);
}

/** Files in the place of memories that are none: somebody wrote them by hand, without front matter. */
export function handMadeFiles(snapshot: Snapshot, parse: MemoryFormat["parse"]): readonly string[] {
  return snapshot
    .filter(({ path, text }) => isMemoryPath(path) && text.trim() !== "" && parse(path, text) === null)
    .map(({ path }) => path)
    .toSorted();
}

/** The memories that count, in the order of paths. */
export function memoriesOf(
  files: readonly { readonly path: string; readonly text: string }[],
  parse: MemoryFormat["parse"],
): readonly ParsedMemory[] {
  return files
    .filter(({ path }) => isMemoryPath(path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ path, text }) => parse(path, text) ?? []);
}
