import { normalizeModelName } from "@palimpsest/core/catalog";
import type { CompactDecision, ContentBlock, MessageFlags, Usage } from "@palimpsest/core/spec";

/** A message of a recorded session as it is added to a replay. */
export interface RecordedMessage {
  readonly kind: "message";
  /** The recorded entry's id, and the id of the entry it becomes in every replay. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: readonly ContentBlock[];
  readonly flags: Pick<MessageFlags, "isMeta" | "isCompactSummary">;
  readonly atMs: number;
}

/** Where the recorded harness compacted: what the recorded agent saw from here on is the summary and what follows. */
export interface RecordedBoundary {
  readonly kind: "boundary";
  readonly id: string;
  readonly decision: CompactDecision;
  readonly atMs: number;
}

export type RecordedStep = RecordedMessage | RecordedBoundary;

export interface RecordedResponse {
  /** Of its first entry. */
  readonly id: string;
  /** The API's message id, or the entry's own where there is none. */
  readonly responseId: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason?: string | null;
  /** When its first and its last entry were written. */
  readonly atMs: number;
  readonly endMs: number;
}

/** One request of the main conversation, with what came since the one before it and what came of it. */
export interface RecordedRequest {
  readonly index: number;
  /** Counts the recorded boundaries before it. */
  readonly segment: number;
  /** When the newest message before it was written: the request was sent then. */
  readonly sentMs: number;
  readonly model: string;
  readonly usage?: Usage;
  readonly before: readonly RecordedStep[];
  /** The calls whose results the recorded harness had cleared since the request before. */
  readonly clearedResults: readonly string[];
  /** The recorded harness was started again before it: what it held in memory only was gone. */
  readonly isResumed: boolean;
  readonly response: RecordedResponse;
}

/** A recorded session as requests. What came after the last response is no part of any request and is left out. */
export interface RecordedSession {
  readonly id: string;
  readonly name: string;
  readonly cwd?: string;
  readonly requests: readonly RecordedRequest[];
  /** Whether attachments of the harness have lines in the file. */
  readonly hasAttachments: boolean;
  /** Digest of what the model said and called: two files with the same one are one session. */
  readonly contentDigest: string;
}

/** Of what came before a request, what is still there when it is sent: the newest boundary and what follows it. */
export function stepsInForce({ before }: Pick<RecordedRequest, "before">): readonly RecordedStep[] {
  return before.slice(
    Math.max(
      0,
      before.findLastIndex(({ kind }) => kind === "boundary"),
    ),
  );
}

/** By whichever of its names. */
export function isSameModel(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return normalizeModelName(one) === normalizeModelName(other);
}
