import { fileTools } from "@palimpsest/core/internal";
import { isBlock } from "@palimpsest/core/spec";
import { findNeeds, type Needs } from "./grounding/find-needs.ts";
import { pathOf } from "./grounding/need-state.ts";
import type { RecordedRequest, RecordedSession } from "./recorded-session.ts";
import { findRetentionFacts, type RetentionFacts } from "./retention/retention-facts.ts";
import {
  type Calibration,
  calibrateSession,
  type SegmentSizes,
  unknownSizes,
} from "./sizes/calibrate-session.ts";
import { estimatePrompts } from "./sizes/estimate-prompts.ts";
import { estimatedTokens } from "./sizes/prompt-content.ts";

/** A recorded session with all that is the same under every policy, worked out once. */
export interface PreparedRecording {
  readonly session: RecordedSession;
  readonly segments: readonly SegmentSizes[];
  sizesOf(segment: number): SegmentSizes;
  /** The same at one request, with what the recorded harness had put there without a line in the file. */
  sizesAt(request: RecordedRequest): SegmentSizes;
  /** Where nobody compacts: one fit for all requests, that of the segment with most of them whose sizes are known. */
  uncutSizesAt(request: RecordedRequest): SegmentSizes;
  /** Tokens before the messages of every segment. */
  readonly sharedOverhead: number;
  readonly needs: Needs;
  /** The facts that should still be known at each request. */
  readonly retention: readonly RetentionFacts[];
  /** Whether one fit holds for the whole session, and how well; segments are fitted apart where it does not. */
  readonly calibration: Calibration;
  /** The output of its response: as recorded, or as its text tells where the recording has only a stub. */
  outputOf(request: RecordedRequest): number;
  /** Whether a file was written or edited by a call from one request on and before another. */
  wasWritten(path: string, from: number, before: number): boolean;
}

export function prepareRecording(session: RecordedSession): PreparedRecording {
  const estimates = estimatePrompts(session);
  const calibration = calibrateSession(session, estimates);
  const { segments } = calibration;
  const bySegment = new Map(segments.map((sizes) => [sizes.segment, sizes]));
  const writes = findWrites(session);
  const sizesOf = (segment: number) => bySegment.get(segment) ?? unknownSizes(segment);
  const uncut = largestKnown(segments);
  return {
    session,
    segments,
    sizesOf,
    sizesAt({ segment, index }) {
      const { fit, ...rest } = sizesOf(segment);
      const unrecorded = fit.scale * (estimates[index]?.unrecorded ?? 0);
      return { ...rest, fit: { ...fit, overhead: fit.overhead + unrecorded } };
    },
    uncutSizesAt: ({ segment }) => ({ ...sizesOf(segment), segment: uncut.segment, fit: uncut.fit }),
    sharedOverhead: Math.min(...segments.map(({ fit }) => fit.overhead)),
    needs: findNeeds(session),
    retention: findRetentionFacts(session),
    calibration,
    outputOf({ segment, response, usage }) {
      const estimated = response.content.reduce((sum, block) => sum + estimatedTokens(block), 0);
      return Math.max(usage?.output ?? 0, Math.round(sizesOf(segment).fit.scale * estimated));
    },
    wasWritten: (path, from, before) =>
      (writes.get(path) ?? []).some((request) => request >= from && request < before),
  };
}

function largestKnown(segments: readonly SegmentSizes[]): SegmentSizes {
  const known = segments.filter(({ excluded }) => excluded === undefined);
  const [largest] = [...(known.length > 0 ? known : segments)].sort(
    (one, other) => other.requests - one.requests || one.segment - other.segment,
  );
  return largest ?? unknownSizes(0);
}

function findWrites({ requests }: RecordedSession): ReadonlyMap<string, readonly number[]> {
  const writes = new Map<string, number[]>();
  for (const { index, response } of requests) {
    for (const block of response.content) {
      if (!isBlock(block, "tool_use")) continue;
      const action = fileTools.get(block.name);
      const path = action === "written" || action === "edited" ? pathOf(block.input) : undefined;
      if (path !== undefined) writes.set(path, [...(writes.get(path) ?? []), index]);
    }
  }
  return writes;
}
