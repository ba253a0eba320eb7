import type { CompactDecision, Entry } from "../../spec/index.ts";
import { isSoundDecision } from "./sound-decision.ts";
import { soundMessage } from "./sound-message.ts";

/** Entries that were found sound. Whoever may still change one must ask `checkEntry`. */
const found = new WeakSet<Entry>();

/** `checkEntry`, once an entry: state, projection and taint all ask about the one that has come. */
export function soundEntry(entry: Entry): Entry {
  if (found.has(entry)) return entry;
  const sound = checkEntry(entry);
  found.add(sound);
  return sound;
}

/**
 * An entry as the projection can take it. The projection is total: whatever stands in a log, every other entry counts.
 * What cannot be taken becomes a note. The very same entry where all is well.
 */
export function checkEntry(entry: Entry): Entry {
  if (entry.kind === "message") {
    const message = soundMessage(entry.message);
    return message === entry.message ? entry : { ...entry, message };
  }
  if (entry.kind !== "decision") return entry;
  if (!isSoundDecision(entry.decision)) return unknown(entry);
  if (entry.decision.type !== "compact") return entry;
  const decision = soundCompaction(entry.decision);
  return decision === entry.decision ? entry : { ...entry, decision };
}

function soundCompaction(decision: CompactDecision): CompactDecision {
  const summary = decision.summary && soundMessage(decision.summary);
  const attachments = decision.attachments.map(soundMessage);
  const kept = isKept(decision.kept) ? decision.kept : undefined;
  const isSame =
    summary === decision.summary &&
    kept === decision.kept &&
    attachments.every((attachment, index) => attachment === decision.attachments[index]);
  if (isSame) return decision;
  const { summary: _summary, kept: _kept, ...rest } = decision;
  return { ...rest, ...(summary && { summary }), ...(kept && { kept }), attachments };
}

function isKept(kept: unknown): boolean {
  if (typeof kept !== "object" || kept === null) return false;
  const { headSeq, tailSeq, from } = kept as Readonly<Record<string, unknown>>;
  return Number.isFinite(headSeq) && Number.isFinite(tailSeq) && (from === undefined || isPlace(from));
}

function isPlace(value: unknown): boolean {
  const { entry, block } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof entry === "string" && Number.isFinite(block);
}

function unknown(entry: Entry & { readonly kind: "decision" }): Entry {
  const { v, seq, epoch, id, at, decision } = entry;
  return {
    v,
    seq,
    epoch,
    id,
    at,
    kind: "note",
    note: { topic: "foreign", type: "decision", line: decision },
  };
}
