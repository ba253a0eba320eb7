import { extractLargeValues, inlineLargeValues } from "../log/large-values.ts";
import {
  type BlobRef,
  type Durability,
  type Entry,
  type EntryDraft,
  type EntryLocation,
  fail,
  type LogReport,
  type LogWriter,
  ok,
  type PalimpsestError,
  type Result,
  type SessionBody,
  type Store,
} from "../spec/index.ts";
import type { ResponseTimes } from "../view/statistics.ts";
import { maskDraft } from "./secrets/index.ts";
import type { SessionParts } from "./session-parts.ts";

/** A value that is gone must not make a session unusable. */
const missingText = (ref: BlobRef, error: PalimpsestError) =>
  `[${ref.bytes} bytes that belong here cannot be read: ${error.message}]`;

/** How many entries are read at a time. */
const pageEntries = 500;

/** The log of one open session: entries go in whole and come out whole, wherever their bytes are kept. */
export interface SessionLog {
  readonly report: LogReport;
  readonly isReadOnly: boolean;
  /** Appended together, in order, and given back whole. */
  append(drafts: readonly EntryDraft[]): Promise<Result<readonly Entry[]>>;
  /**
   * Entries behind a sequence number, in order. Where `isNeeded` says no, an entry comes as it stands in the log: with
   * references in place of its large values.
   */
  readAfter(seq: number, isNeeded?: (entry: Entry) => boolean): AsyncGenerator<Result<Entry>>;
  /** The bytes of a blob that belongs to it. */
  readBlob(sha256: string): Promise<Result<Uint8Array>>;
  close(): Promise<Result<void>>;
}

export interface SessionLogRequest {
  readonly store: Store;
  readonly session: string;
  /** Given for a new session. */
  readonly first?: SessionBody;
  /** A fork's own entries go on behind this number of its parent. */
  readonly afterSeq?: number;
  readonly isReadOnly: boolean;
  readonly durability: Durability;
  /** Called for every entry in order as it stands in the log: large values are references. */
  readonly visit: (entry: Entry) => void;
}

export async function openSessionLog(request: SessionLogRequest): Promise<Result<SessionLog>> {
  const { store, session, first, afterSeq, isReadOnly, durability, visit } = request;
  const { logs, blobs } = store;
  /** Where compactions stand, so that reading again need not begin at the start. */
  const boundaries: { readonly seq: number; readonly place: EntryLocation }[] = [];
  const see = (entry: Entry, location: EntryLocation) => {
    if (entry.kind === "decision" && entry.decision.type === "compact")
      boundaries.push({ seq: entry.seq, place: location });
    visit(entry);
  };
  let writer: LogWriter | null = null;
  let report: LogReport;
  if (isReadOnly) {
    const scanned = await logs.scan(session, see);
    if (!scanned.ok) return scanned;
    report = scanned.value;
  } else {
    const opened = first
      ? await logs.create(first, { durability, afterSeq })
      : await logs.open(session, see, { durability });
    if (!opened.ok) return opened;
    writer = opened.value;
    report = opened.value.report;
  }
  if (first) {
    const begun = await logs.scan(session, see);
    if (!begun.ok) return begun;
  }

  async function append(drafts: readonly EntryDraft[]): Promise<Result<readonly Entry[]>> {
    if (!writer)
      return fail("read-only", `Session ${session} is open read-only.`, {
        path: session,
        fix: "Open it for writing.",
      });
    const stored: EntryDraft[] = [];
    for (const draft of drafts) {
      const extracted = extractSafely(draft);
      if (!extracted.ok) return extracted;
      for (const { bytes } of extracted.value.values) {
        const put = await blobs.put(session, bytes, { durable: durability === "fsync" });
        if (!put.ok) return put;
      }
      stored.push(extracted.value.draft);
    }
    const appended = await writer.append(stored);
    if (!appended.ok) return appended;
    return ok(
      appended.value.map(({ entry, place }, index) => {
        const { blobs: _places, ...head } = entry;
        const whole = { ...head, ...drafts[index], id: entry.id, at: entry.at } as Entry;
        if (whole.kind === "decision" && whole.decision.type === "compact")
          boundaries.push({ seq: whole.seq, place });
        return whole;
      }),
    );
  }

  async function* readAfter(
    seq: number,
    isNeeded: (entry: Entry) => boolean = () => true,
  ): AsyncGenerator<Result<Entry>> {
    let from = boundaries.findLast((boundary) => boundary.seq <= seq)?.place ?? 0;
    if (writer) await writer.flush();
    for (;;) {
      const page: Entry[] = [];
      const scanned = await logs.scan(session, (entry) => page.push(entry), { from, limit: pageEntries });
      if (!scanned.ok) {
        yield scanned;
        return;
      }
      for (const entry of page) {
        if (entry.seq <= seq) continue;
        yield isNeeded(entry) ? await inlineLargeValues(entry, session, blobs, missingText) : ok(entry);
      }
      if (page.length < pageEntries) return;
      from = scanned.value.end;
    }
  }

  return ok({
    report,
    isReadOnly,
    append,
    readAfter,
    readBlob: (sha256) => blobs.get(session, sha256),
    close: async () => (writer ? writer.close() : ok()),
  });
}

/** Small values, as in most drafts, are not waited for. */
function extractSafely(draft: EntryDraft): Result<ReturnType<typeof extractLargeValues<EntryDraft>>> {
  try {
    return ok(extractLargeValues(draft));
  } catch (cause) {
    return fail("invalid-input", "An entry cannot be written as JSON.", {
      cause,
      fix: "Remove cycles and BigInts from it.",
    });
  }
}

/** The engine alone appends: the log first, then everything derived from it. */
interface SessionWriter {
  /** `times`: of a response by the session's own clock; its entry may have another time. */
  append(drafts: readonly EntryDraft[], times?: ResponseTimes): Promise<Result<readonly Entry[]>>;
  /** Appends the repair of a request. Who only reads a log keeps it to himself: the request is made all the same. */
  settle(drafts: readonly EntryDraft[]): Promise<Result<readonly Entry[]>>;
  /** Reads again what a read that failed has left behind, `null` where none did; to be done before anything else. */
  catchUp(): Promise<Result<void>> | null;
}

export function createSessionWriter({
  state,
  log,
  clock,
  emit,
  secrets,
}: Pick<SessionParts, "state" | "log" | "clock" | "emit" | "secrets">): SessionWriter {
  let behind: number | null = null;

  async function readAgain(after: number): Promise<Result<void>> {
    behind = after;
    const entries: Entry[] = [];
    for await (const entry of log.readAfter(after)) {
      if (!entry.ok) return entry;
      entries.push(entry.value);
    }
    state.rebuild(entries);
    behind = null;
    return ok();
  }

  /** Masked before it is written, so that log, view and requests have the same bytes. */
  function withoutSecrets(draft: EntryDraft): EntryDraft {
    const masked = maskDraft(draft, secrets);
    if (masked === draft) return draft;
    emit({ type: "secret-mask", where: kindOf(masked), names: secrets.namesIn(masked) });
    return masked;
  }

  async function append(
    drafts: readonly EntryDraft[],
    times?: ResponseTimes,
  ): Promise<Result<readonly Entry[]>> {
    const appended = await log.append(drafts.map(withoutSecrets));
    if (!appended.ok) return appended;
    let needs: number | null = null;
    for (const entry of appended.value) {
      needs = state.add(entry, times);
      if (entry.kind === "decision") {
        const { type: decision, layer, reason, frees } = entry.decision;
        emit({ type: "decision-record", decision, id: entry.id, layer, reason, frees });
      }
    }
    const read = needs === null ? ok() : await readAgain(needs);
    return read.ok ? appended : read;
  }

  return {
    append,
    async settle(drafts) {
      if (!log.isReadOnly) return append(drafts);
      const at = new Date(clock.now()).toISOString();
      const entries = drafts.map((draft, index): Entry => {
        const seq = state.lastSeq + 1 + index;
        return { ...draft, v: 1, seq, epoch: 0, id: `unsaved_${seq}`, at };
      });
      for (const entry of entries) state.add(entry);
      return ok(entries);
    },
    catchUp: () => (behind === null ? null : readAgain(behind)),
  };
}

function kindOf(draft: EntryDraft): "result" | "attachment" | "decision" | "note" {
  if (draft.kind === "message") return draft.message.type === "attachment" ? "attachment" : "result";
  return draft.kind === "decision" ? "decision" : "note";
}
