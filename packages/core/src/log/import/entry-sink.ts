import type { Entry, EntryBody } from "../../spec/index.ts";

export type ImportedEntry = EntryBody & { readonly id: string; readonly at: string };

/** Gives entries their sequence numbers, from 1, and hands them on. */
export interface EntrySink {
  emit(entry: ImportedEntry): void;
  readonly count: number;
  readonly lastId: string;
  readonly lastSeq: number;
}

export function createEntrySink(visit: (entry: Entry) => void): EntrySink {
  let count = 0;
  let lastId = "";
  return {
    emit(entry) {
      count += 1;
      lastId = entry.id;
      const { id, at, ...body } = entry;
      visit({ v: 1, seq: count, epoch: 1, id, at, ...body } as Entry);
    },
    get count() {
      return count;
    },
    get lastId() {
      return lastId;
    },
    get lastSeq() {
      return count;
    },
  };
}

/** The id of an entry whose line has none of its own. */
export function lineId(line: number): string {
  return `line-${line}`;
}

/** Line ids are ours: a foreign id that looks like one is not taken over. */
export function isLineId(id: string): boolean {
  return /^line-\d+$/.test(id);
}
