import { createAppendQueue } from "../../../log/append-queue.ts";
import { createEntryEncoder, linesOf, placesOf } from "../../../log/entry-encoder.ts";
import {
  type Clock,
  type Durability,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  ok,
  type Result,
} from "../../../spec/index.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";
import { createEntryRows } from "./entry-rows.ts";
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

/** Owns the lease from here on. Calls that come while a statement is under way go into the next one together. */
export function createPostgresLogWriter(options: PostgresLogWriterOptions): LogWriter {
  const { session, lease, clock, ids, durability, report, logId, listing, end } = options;
  const encoder = createEntryEncoder({ clock, ids, lastSeq: end.lastSeq, epoch: () => lease.epoch });
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
      const encoded = encoder.encode(drafts);
      if (!encoded.ok) return encoded;
      rows.announce(encoded.value);
      const written = await queue.append(linesOf(encoded.value));
      return written.ok ? ok(placesOf(encoded.value, written.value)) : written;
    },
    flush: () => queue.flush(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
