import { type AppendTarget, createAppendQueue } from "../../../log/append-queue.ts";
import { createEntryEncoder, type EncodedEntry, linesOf, placesOf } from "../../../log/codec.ts";
import {
  type Clock,
  type Durability,
  fail,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  ok,
  type PalimpsestError,
  type Result,
} from "../../../spec/index.ts";
import { refuseFenced } from "../leases/held-lease.ts";
import { absentSession, type ProjectRows } from "../upkeep/tombstone.ts";
import { advanceListing, encodeListing, type ListingState } from "./log-row.ts";

interface PostgresLogWriterOptions extends ProjectRows {
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

interface EntryRowsOptions extends ProjectRows {
  readonly session: string;
  readonly lease: Lease;
  readonly log: {
    readonly id: number;
    readonly lastSeq: number;
    readonly bytes: number;
    readonly listing: ListingState;
  };
}

/**
 * The end of a log as a queue of appends sees a file. What is going to be appended is announced first, in order:
 * each batch of bytes is the lines of the entries that were announced next.
 */
interface EntryRows extends AppendTarget {
  announce(entries: readonly EncodedEntry[]): void;
}

interface Batch {
  readonly lines: Uint8Array;
  readonly lengths: readonly number[];
  readonly last: EncodedEntry;
  readonly listing: ListingState;
}

/**
 * The state of a batch: it is there; nothing is, and it may be sent again; the log is gone; another writer has it; or
 * it holds what it should not.
 */
type BatchState = "done" | "free" | "gone" | "fenced" | "other";

const repeatable = { isRepeatable: true } as const;

function createEntryRows(options: EntryRowsOptions): EntryRows {
  const { database, project, session, lease } = options;
  const { schema } = database;
  const { id } = options.log;
  let { lastSeq, bytes, listing } = options.log;
  let announced: EncodedEntry[] = [];
  /** A refused write may have been done: nobody knows until the log is opened again. */
  let isInDoubt = false;

  function take(lines: Uint8Array): Batch {
    let taken = 0;
    let count = 0;
    let next = listing;
    while (taken < lines.length) {
      const { entry, line } = announced[count] as EncodedEntry;
      taken += line.length;
      count += 1;
      next = advanceListing(next, entry, false);
    }
    const batch = announced.slice(0, count);
    announced = announced.slice(count);
    return {
      lines,
      lengths: batch.map(({ line }) => line.length),
      last: batch.at(-1) as EncodedEntry,
      listing: next,
    };
  }

  // The row of the log is the gate: it lets through who has it and knows its last sequence number.
  const plainText = `select ${schema}.append_entry($1, $2, $3, $4, $5, $6) as is_done`;
  const fullText = `select ${schema}.append_entries($1, $2, $3, $4, $5, $6, $7::int[], $8::int[], $9) as is_done`;

  async function send({ lines, lengths, last, listing: next }: Batch): Promise<Result<boolean>> {
    const values = [id, lease.epoch, lease.token, lastSeq, last.entry.seq, lines];
    // As nearly all are: one entry that says nothing new about its log.
    const isPlain = lengths.length === 1 && next === listing;
    const told = next === listing ? null : encodeListing(next);
    const more = isPlain ? [] : [startsOf(lengths), lengths, told];
    const sent = await database.query<{ is_done: boolean }>(
      isPlain ? plainText : fullText,
      [...values, ...more],
      repeatable,
    );
    return sent.ok ? ok(sent.value.rows[0]?.is_done === true) : sent;
  }

  /** Whether a batch that was not acknowledged is there; waits for one that is still being written. */
  function look({ last }: Batch, location: number): Promise<Result<BatchState>> {
    return database.transaction<BatchState>(async (run) => {
      const { rows } = await run<{ id: number; epoch: number; writer: string; last_seq: number }>(
        `select id, epoch, writer, last_seq from ${schema}.log where project = $1 and session = $2 for update`,
        [project, session],
      );
      // A statement of its own, since it must see what the one before has waited for.
      const { count } = await run(
        `select 1 from ${schema}.entry where log_id = $1 and place = $2 and line = $3`,
        [id, location, last.line],
      );
      const [row] = rows;
      if (count > 0) return ok("done");
      if (!row) return ok("gone");
      if (row.id !== id || row.epoch !== lease.epoch || row.writer !== lease.token) return ok("fenced");
      return ok(row.last_seq === lastSeq ? "free" : "other");
    }, repeatable);
  }

  async function settle(batch: Batch, cause: PalimpsestError | null): Promise<Result<void>> {
    const seen = await look(batch, bytes + batch.lines.length - batch.last.line.length);
    isInDoubt = !seen.ok;
    if (!seen.ok) return cause ? { ok: false, error: cause } : seen;
    switch (seen.value) {
      case "done":
        return ok();
      case "free":
        return cause ? { ok: false, error: cause } : conflict(session);
      case "gone": {
        const absent = await absentSession(options, session);
        return absent.ok || absent.error.code !== "collected" ? refuseRemoved(session) : absent;
      }
      case "fenced":
        return refuseFenced(lease.epoch);
      case "other":
        return conflict(session);
    }
  }

  return {
    announce(entries) {
      announced = announced.concat(entries);
    },
    async append(lines) {
      const batch = take(lines);
      const held = await lease.check();
      if (!held.ok) return held;
      const sent = await send(batch);
      const settled = sent.ok && sent.value ? ok() : await settle(batch, sent.ok ? null : sent.error);
      if (!settled.ok) return settled;
      lastSeq = batch.last.entry.seq;
      bytes += lines.length;
      listing = batch.listing;
      return ok();
    },
    /** A batch that failed has left nothing, since a statement is done wholly or not at all. */
    truncate: async () =>
      isInDoubt ? fail("conflict", "It is not known what the log holds.", { path: session }) : ok(),
    /** Acknowledged is committed. */
    sync: async () => ok(),
  };
}

function startsOf(lengths: readonly number[]): readonly number[] {
  let start = 0;
  return lengths.map((length) => {
    start += length;
    return start - length;
  });
}

function refuseRemoved(session: string): Result<never> {
  return fail("not-found", `The log of session ${session} was deleted or replaced while it was open.`, {
    path: session,
    fix: "Open the session again, or begin another one.",
  });
}

function conflict(session: string): Result<never> {
  return fail("conflict", `Somebody else has written to session ${session}.`, {
    path: session,
    fix: "Open the session again; entries acknowledged before are in it.",
  });
}
