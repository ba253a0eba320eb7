import { isRecord, type JsonObject, numberField, textField, textsField } from "../../../json/json-values.ts";
import type { ClearDecision, CompactDecision, DecisionHead, Message } from "../../../spec/index.ts";
import type { ImportedEntry } from "../entry-sink.ts";

/** The label in the request where Claude Code had cleared a result. */
export const clearedResultLabel = "[Old tool result content cleared]";

/** Where in our log a recorded boundary stands. */
interface BoundaryLocation {
  /** The entry before it. */
  readonly lastId: string;
  readonly lastSeq: number;
  /** The sequence number of the entry with that id, if there is one. */
  readonly seqOf: (id: string) => number | undefined;
}

/**
 * The decision in a `compact_boundary`, still without its summary. Only what is recorded is in it: `tokensAfter` and
 * `frees` are 0 where the line does not say how much was left. A kept segment whose entries are not there is left out.
 */
export function compactDecision(line: JsonObject, location: BoundaryLocation): CompactDecision {
  const metadata = isRecord(line.compactMetadata) ? line.compactMetadata : {};
  const tokensBefore = numberField(metadata, "preTokens");
  const tokensAfter = numberField(metadata, "postTokens");
  const kept = keptSegment(line, metadata, location);
  return {
    type: "compact",
    ...decisionHead(metadata, location, tokensAfter === 0 ? 0 : Math.max(0, tokensBefore - tokensAfter)),
    trigger: "imported",
    strategy: "claude-code",
    tokensBefore,
    tokensAfter,
    covers: location.lastId,
    ...(kept !== undefined && { kept }),
    attachments: [],
    discoveredTools: textsField(metadata, "preCompactDiscoveredTools"),
  };
}

/** The decision in a `microcompact_boundary`. Cleared attachments have no place in it but its reason. */
export function clearDecision(line: JsonObject, location: BoundaryLocation): ClearDecision {
  const metadata = isRecord(line.microcompactMetadata) ? line.microcompactMetadata : {};
  const head = decisionHead(metadata, location, numberField(metadata, "tokensSaved"));
  const attachments = textsField(metadata, "clearedAttachmentUUIDs");
  return {
    type: "clear",
    ...head,
    ...(attachments.length > 0 && { reason: `${head.reason}; attachments ${attachments.join(", ")}` }),
    parts: textsField(metadata, "compactedToolIds").map((toolUseId) => ({
      toolUseId,
      part: "result",
      label: clearedResultLabel,
    })),
  };
}

/** Whether a boundary names a kept segment that `compactDecision` could not take over. */
export function hasLostSegment(line: JsonObject, decision: CompactDecision): boolean {
  const metadata = isRecord(line.compactMetadata) ? line.compactMetadata : {};
  return isRecord(metadata.preservedSegment) && decision.kept === undefined;
}

function decisionHead(metadata: JsonObject, location: BoundaryLocation, frees: number): DecisionHead {
  const reason = `recorded trigger: ${textField(metadata, "trigger") ?? "none"}`;
  return { layer: "imported", reason, frees, basis: location.lastSeq };
}

function keptSegment(
  line: JsonObject,
  metadata: JsonObject,
  location: BoundaryLocation,
): CompactDecision["kept"] {
  const segment = metadata.preservedSegment;
  if (!isRecord(segment)) return undefined;
  const head = textField(segment, "headUuid");
  const tail = textField(segment, "tailUuid");
  if (head === undefined || tail === undefined) return undefined;
  const headSeq = location.seqOf(head);
  const tailSeq = location.seqOf(tail);
  if (headSeq === undefined || tailSeq === undefined) return undefined;
  const anchorId = textField(segment, "anchorUuid");
  const anchor = anchorId !== undefined && anchorId === line.uuid ? "boundary" : "summary";
  return { head, headSeq, tail, tailSeq, anchor };
}

/**
 * Holds a compaction's decision back until its summary comes, which stands on a line of its own behind it. Lines
 * between the two are held too, within limits, and follow the decision in their order.
 */
interface BoundaryQueue {
  hold(id: string, at: string, decision: CompactDecision): void;
  /** Gives the held decision its summary and lets everything go; false when none is held. */
  complete(summary: Message): boolean;
  /** Hands an entry on, behind a held decision if there is one. */
  follow(entry: ImportedEntry, bytes: number): void;
  /** Lets everything go as it is: no summary came. */
  release(): void;
}

/** Far more than was ever seen between the two, which is nothing. */
const maxFollowers = 16;
const maxFollowerBytes = 1024 * 1024;

interface HeldDecision {
  readonly id: string;
  readonly at: string;
  readonly decision: CompactDecision;
  readonly followers: ImportedEntry[];
  bytes: number;
}

export function createBoundaryHold(emit: (entry: ImportedEntry) => void): BoundaryQueue {
  let held: HeldDecision | undefined;

  function release(summary?: Message): void {
    if (held === undefined) return;
    const { id, at, decision, followers } = held;
    held = undefined;
    emit({ kind: "decision", decision: summary === undefined ? decision : { ...decision, summary }, id, at });
    for (const follower of followers) emit(follower);
  }

  return {
    hold(id, at, decision) {
      release();
      held = { id, at, decision, followers: [], bytes: 0 };
    },
    complete(summary) {
      if (held === undefined) return false;
      release(summary);
      return true;
    },
    follow(entry, bytes) {
      if (held === undefined) {
        emit(entry);
        return;
      }
      held.followers.push(entry);
      held.bytes += bytes;
      if (held.followers.length >= maxFollowers || held.bytes > maxFollowerBytes) release();
    },
    release: () => release(),
  };
}
