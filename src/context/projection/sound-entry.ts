import type { CompactDecision, Entry } from "../../spec/index.ts";
import { isSoundDecision } from "./sound-decision.ts";
import { soundMessage } from "./sound-message.ts";

/**
 * An entry as the projection can take it. The projection is total: whatever stands in a log, every other entry counts.
 * What cannot be taken becomes a note. The very same entry where all is well.
 */
export function soundEntry(entry: Entry): Entry {
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
  const { headSeq, tailSeq } = kept as { readonly headSeq?: unknown; readonly tailSeq?: unknown };
  return Number.isFinite(headSeq) && Number.isFinite(tailSeq);
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
