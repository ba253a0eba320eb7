import { createAppendQueue } from "../../../log/append-queue.ts";
import { encodeEntry, formatVersion } from "../../../log/codec.ts";
import {
  type Clock,
  type Durability,
  type Entry,
  type EntryDraft,
  fail,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { entryPrefixes } from "../../files/log-writer.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";
import { createEntryRows, type EncodedEntry } from "./entry-rows.ts";
import type { ListingState } from "./listing-state.ts";

export interface PostgresLogWriterOptions extends ProjectRows {
  readonly session: string;
  readonly logId: number;
  readonly listing: ListingState;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly durability: Durability;
  readonly report: LogReport;
  /** Where the log ends when the writer begins. */
  readonly end: { readonly lastSeq: number; readonly bytes: number };
}

/** Gives a draft what it has not brought along. */
export function completeEntry(
  draft: EntryDraft,
  head: { readonly seq: number; readonly epoch: number },
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Entry {
  const {
    id = ids.next(entryPrefixes[draft.kind]),
    at = new Date(clock.now()).toISOString(),
    ...body
  } = draft;
  return { v: formatVersion, ...head, id, at, ...body } as Entry;
}

/** Owns the lease from here on. Calls that come while a statement is under way go into the next one together. */
export function createPostgresLogWriter(options: PostgresLogWriterOptions): LogWriter {
  const { session, lease, clock, durability, report, logId, listing, end } = options;
  let { lastSeq } = end;
  let closing: Promise<Result<void>> | null = null;
  const rows = createEntryRows({ ...options, log: { id: logId, ...end, listing } });
  const queue = createAppendQueue({
    file: rows,
    size: end.bytes,
    durability,
    clock,
    contested: false,
    mayWrite: async () => ok(),
  });

  function toEntry(draft: EntryDraft): Entry {
    lastSeq += 1;
    return completeEntry(draft, { seq: lastSeq, epoch: lease.epoch }, options);
  }

  function encode(drafts: readonly EntryDraft[]): Result<readonly EncodedEntry[]> {
    const before = lastSeq;
    try {
      return ok(
        drafts.map((draft) => {
          const entry = toEntry(draft);
          return { entry, line: encodeEntry(entry) };
        }),
      );
    } catch (cause) {
      lastSeq = before;
      return fail("invalid-input", "An entry cannot be written as JSON.", {
        cause,
        fix: "Remove cycles and BigInts from it.",
      });
    }
  }

  async function close(): Promise<Result<void>> {
    const flushed = await queue.close();
    const released = await lease.release();
    return flushed.ok ? released : flushed;
  }

  return {
    session,
    get epoch() {
      return lease.epoch;
    },
    report,
    async append(drafts) {
      if (drafts.length === 0) return ok([]);
      const encoded = encode(drafts);
      if (!encoded.ok) return encoded;
      rows.announce(encoded.value);
      const written = await queue.append(Buffer.concat(encoded.value.map(({ line }) => line)));
      if (!written.ok) return written;
      let place = written.value;
      return ok(
        encoded.value.map(({ entry, line }) => {
          const at = place;
          place += line.length;
          return { entry, place: at };
        }),
      );
    },
    flush: () => queue.flush(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
