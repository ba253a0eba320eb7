import type { FileRange, FileRecord, Ledgers } from "../../spec/index.ts";

/** When the model last knew what is in a file; after its own edit, that is the time of the edit. */
export interface FileReading {
  readonly seq: number;
  readonly at: string;
  readonly toolUseId: string;
  /** Which part it knows; absent: the whole. */
  readonly range?: FileRange;
}

/**
 * The files whose content the model knows, by path: read, or written whole. A file that was only edited is not among
 * them. With `behind`, only readings and writes after that sequence number count: what a compaction took out of the
 * view is no longer known.
 */
export function readFileState(files: Ledgers["files"], behind = 0): ReadonlyMap<string, FileReading> {
  const state = new Map<string, FileReading>();
  for (const [path, record] of files) {
    if (knownSeq(record) <= behind) continue;
    const { seq, at, toolUseId, range } = record;
    state.set(path, { seq, at, toolUseId, ...(range && { range }) });
  }
  return state;
}

function knownSeq({ readSeq = 0, writtenSeq = 0 }: FileRecord): number {
  return Math.max(readSeq, writtenSeq);
}
