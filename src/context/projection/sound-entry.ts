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
  const isSame =
    summary === decision.summary &&
    attachments.every((attachment, index) => attachment === decision.attachments[index]);
  return isSame ? decision : { ...decision, ...(summary && { summary }), attachments };
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
