import { emptyReport, type SessionLog } from "@palimpsest/core/internal";
import { type Entry, type EntryDraft, fail, ok } from "@palimpsest/core/spec";

/** A session's log in memory: nothing is encoded, nothing outlives it. */
export interface MemoryLog extends SessionLog {
  /** The next message appended gets this id: so a recorded message has one id in all replays of its session. */
  nameNextMessage(id: string): void;
  readonly lastSeq: number;
  readonly entries: readonly Entry[];
}

/** Left for the header that a log in a file begins with. */
const headerSeq = 1;

/** `now` is the time of entries that bring none. */
export function createMemoryLog(now: () => number): MemoryLog {
  const entries: Entry[] = [];
  let nextMessage: string | undefined;

  function idOf(draft: EntryDraft, number: number): string {
    if (draft.id !== undefined) return draft.id;
    const given = draft.kind === "message" ? nextMessage : undefined;
    if (given === undefined) return `${draft.kind}_${number}`;
    nextMessage = undefined;
    return given;
  }

  return {
    report: { ...emptyReport, epoch: 1 },
    isReadOnly: false,
    get lastSeq() {
      return headerSeq + entries.length;
    },
    entries,
    nameNextMessage(id) {
      nextMessage = id;
    },
    async append(drafts) {
      const appended = drafts.map((draft, offset): Entry => {
        const number = entries.length + offset + 1;
        const seq = headerSeq + number;
        const at = draft.at ?? new Date(now()).toISOString();
        return { ...draft, v: 1, seq, epoch: 1, id: idOf(draft, number), at };
      });
      entries.push(...appended);
      return ok(appended);
    },
    async *readAfter(seq) {
      for (const entry of entries.slice(Math.max(0, seq - headerSeq))) yield ok(entry);
    },
    readBlob: async (sha256) => fail("not-found", `There is no blob ${sha256}.`, { path: sha256 }),
    close: async () => ok(),
  };
}
