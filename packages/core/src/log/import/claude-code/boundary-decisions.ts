import type { ClearDecision, CompactDecision, DecisionHead } from "../../../spec/index.ts";
import { countOf, isObject, type JsonObject, textOf, textsOf } from "../json-value.ts";

/** What stood in the request where Claude Code had cleared a result. */
export const clearedResultLabel = "[Old tool result content cleared]";

/** Where in our log a recorded boundary stands. */
export interface BoundaryLocation {
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
export function compactDecision(line: JsonObject, place: BoundaryLocation): CompactDecision {
  const metadata = isObject(line.compactMetadata) ? line.compactMetadata : {};
  const tokensBefore = countOf(metadata, "preTokens");
  const tokensAfter = countOf(metadata, "postTokens");
  const kept = keptSegment(line, metadata, place);
  return {
    type: "compact",
    ...decisionHead(metadata, place, tokensAfter === 0 ? 0 : Math.max(0, tokensBefore - tokensAfter)),
    trigger: "imported",
    strategy: "claude-code",
    tokensBefore,
    tokensAfter,
    covers: place.lastId,
    ...(kept !== undefined && { kept }),
    attachments: [],
    discoveredTools: textsOf(metadata, "preCompactDiscoveredTools"),
  };
}

/** The decision in a `microcompact_boundary`. Cleared attachments have no place in it but its reason. */
export function clearDecision(line: JsonObject, place: BoundaryLocation): ClearDecision {
  const metadata = isObject(line.microcompactMetadata) ? line.microcompactMetadata : {};
  const head = decisionHead(metadata, place, countOf(metadata, "tokensSaved"));
  const attachments = textsOf(metadata, "clearedAttachmentUUIDs");
  return {
    type: "clear",
    ...head,
    ...(attachments.length > 0 && { reason: `${head.reason}; attachments ${attachments.join(", ")}` }),
    parts: textsOf(metadata, "compactedToolIds").map((toolUseId) => ({
      toolUseId,
      part: "result",
      label: clearedResultLabel,
    })),
  };
}

/** Whether a boundary names a kept segment that `compactDecision` could not take over. */
export function hasLostSegment(line: JsonObject, decision: CompactDecision): boolean {
  const metadata = isObject(line.compactMetadata) ? line.compactMetadata : {};
  return isObject(metadata.preservedSegment) && decision.kept === undefined;
}

function decisionHead(metadata: JsonObject, place: BoundaryLocation, frees: number): DecisionHead {
  const reason = `recorded trigger: ${textOf(metadata, "trigger") ?? "none"}`;
  return { layer: "imported", reason, frees, basis: place.lastSeq };
}

function keptSegment(
  line: JsonObject,
  metadata: JsonObject,
  place: BoundaryLocation,
): CompactDecision["kept"] {
  const segment = metadata.preservedSegment;
  if (!isObject(segment)) return undefined;
  const head = textOf(segment, "headUuid");
  const tail = textOf(segment, "tailUuid");
  if (head === undefined || tail === undefined) return undefined;
  const headSeq = place.seqOf(head);
  const tailSeq = place.seqOf(tail);
  if (headSeq === undefined || tailSeq === undefined) return undefined;
  const anchorId = textOf(segment, "anchorUuid");
  const anchor = anchorId !== undefined && anchorId === line.uuid ? "boundary" : "summary";
  return { head, headSeq, tail, tailSeq, anchor };
}
