import { emptyReport, type SessionLog } from "@palimpsest/core/internal";
import { type ContentBlock, type Entry, type EntryDraft, fail, isBlock, ok } from "@palimpsest/core/spec";

/** A session's log in memory: nothing is encoded, nothing outlives it. */
export interface MemoryLog extends SessionLog {
  /** The next message appended gets this id: so a recorded message has one id in all replays of its session. */
  nameNextMessage(id: string): void;
  readonly lastSeq: number;
  readonly entries: readonly Entry[];
  /** The entries that an id names, by their own id or by a call that they make or answer; in order. */
  entriesOf(id: string): readonly Entry[];
  /** The log as if it had only these entries. */
  only(entries: readonly Entry[]): SessionLog;
}

/** Left for the header that a log in a file begins with. */
const headerSeq = 1;

/** `now` is the time of entries that bring none. */
export function createMemoryLog(now: () => number, readBlob: SessionLog["readBlob"]): MemoryLog {
  const entries: Entry[] = [];
  const byId = new Map<string, Entry[]>();
  let nextMessage: string | undefined;

  function idOf(draft: EntryDraft, number: number): string {
    if (draft.id !== undefined) return draft.id;
    const given = draft.kind === "message" ? nextMessage : undefined;
    if (given === undefined) return `${draft.kind}_${number}`;
    nextMessage = undefined;
    return given;
  }

  function index(entry: Entry): void {
    for (const id of new Set([entry.id, ...callsIn(entry)])) {
      const known = byId.get(id);
      if (known) known.push(entry);
      else byId.set(id, [entry]);
    }
  }

  const constant: Pick<SessionLog, "report" | "isReadOnly" | "readBlob" | "close"> = {
    report: { ...emptyReport, epoch: 1 },
    isReadOnly: false,
    readBlob,
    close: async () => ok(),
  };

  return {
    ...constant,
    get lastSeq() {
      return headerSeq + entries.length;
    },
    entries,
    entriesOf: (id) => byId.get(id) ?? [],
    only: (some) => ({
      ...constant,
      append: async () => fail("read-only", "A part of a log takes no entries."),
      async *readAfter(seq) {
        for (const entry of some) if (entry.seq > seq) yield ok(entry);
      },
    }),
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
      for (const entry of appended) index(entry);
      return ok(appended);
    },
    async *readAfter(seq) {
      for (const entry of entries.slice(Math.max(0, seq - headerSeq))) yield ok(entry);
    },
  };
}

function callsIn(entry: Entry): readonly string[] {
  if (entry.kind !== "message" || typeof entry.message.content === "string") return [];
  return entry.message.content.flatMap((block: ContentBlock) => {
    if (isBlock(block, "tool_use")) return block.id;
    return isBlock(block, "tool_result") ? block.tool_use_id : [];
  });
}
