import { type Entry, type EntryDraft, ok, type Result } from "../spec/index.ts";
import { maskDraft } from "./secrets/index.ts";
import type { SessionParts } from "./session-parts.ts";

/** The engine alone appends: the log first, then everything derived from it. */
export interface SessionWriter {
  /** `receivedAtMs`: when a response came by the session's own clock; its entry may have another time. */
  append(drafts: readonly EntryDraft[], receivedAtMs?: number): Promise<Result<readonly Entry[]>>;
  /** What a valid request needs. Who only reads a log keeps it to himself: the request is made all the same. */
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
    receivedAtMs?: number,
  ): Promise<Result<readonly Entry[]>> {
    const appended = await log.append(drafts.map(withoutSecrets));
    if (!appended.ok) return appended;
    let needs: number | null = null;
    for (const entry of appended.value) {
      needs = state.add(entry, receivedAtMs);
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
