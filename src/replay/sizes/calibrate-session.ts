import { promptTokens } from "../../context/tokens/index.ts";
import type { ContentBlock } from "../../spec/index.ts";
import {
  type RecordedRequest,
  type RecordedSession,
  type RecordedStep,
  stepsInForce,
} from "../recorded-session.ts";
import { estimatedTokens } from "./estimated-tokens.ts";
import { fitSizes, medianError, type SizeFit, type SizePoint } from "./fit-sizes.ts";

/** How well the sizes of a segment are known: of the requests between two recorded boundaries. */
export interface SegmentSizes {
  readonly segment: number;
  readonly requests: number;
  readonly fit: SizeFit;
  /** Median error on the requests that were not fitted; absent where none could be compared. */
  readonly error?: number;
  /** Why nothing is measured on it; absent when it is. */
  readonly excluded?: string;
}

/** A recorded prompt that is so much smaller than the one before it was cut by something that was not recorded. */
const unexplainedDrop = 0.9;
const fittedPart = 1 / 3;
const maxMedianError = 0.03;
const minPoints = 9;
/** System and tools of recorded sessions take 15,000 to 55,000 tokens: more is conversation that is not in the file. */
const maxOverheadTokens = 60_000;
const unknownFit: SizeFit = { overhead: 40_000, scale: 1.1 };

/** Of a segment that has no request. */
export function unknownSizes(segment: number): SegmentSizes {
  return { segment, requests: 0, fit: unknownFit, excluded: "it has no requests" };
}

/** How well the sizes of a session are known. */
export interface Calibration {
  /** `session`: two numbers for all of it pass the gate. `parts`: only segments do, each with its own. `none`: nothing does. */
  readonly passes: "session" | "parts" | "none";
  /** Median error of one fit for the whole session; absent where nothing could be compared. */
  readonly error?: number;
  readonly segments: readonly SegmentSizes[];
  /** Why the whole session does not pass; absent when it does. */
  readonly reason?: string;
}

/**
 * Fits the two numbers on the first third of the session's requests and judges them on the rest. Where that fails, its
 * segments are fitted and judged apart: what the harness puts behind a boundary, and what a resumed session began with,
 * is not in the file. Segments that fail as well are not measured.
 */
export function calibrateSession(session: RecordedSession): Calibration {
  const parts = segmentsOf(session.requests);
  const whole = calibrate(parts.flatMap(comparablePoints));
  const errorPart = whole.error === null ? {} : { error: whole.error };
  if (whole.excluded === null) {
    const segments = parts.map((requests) => ({ ...headOf(requests), fit: whole.fit, ...errorPart }));
    return { passes: "session", ...errorPart, segments };
  }
  const segments = parts.map(calibrateSegment);
  const passes = segments.some(({ excluded }) => excluded === undefined) ? "parts" : "none";
  return { passes, ...errorPart, segments, reason: whole.excluded };
}

function segmentsOf(requests: readonly RecordedRequest[]): readonly (readonly RecordedRequest[])[] {
  const segments = new Map<number, RecordedRequest[]>();
  for (const request of requests) {
    const known = segments.get(request.segment);
    if (known) known.push(request);
    else segments.set(request.segment, [request]);
  }
  return [...segments.values()];
}

function calibrateSegment(requests: readonly RecordedRequest[]): SegmentSizes {
  const { fit, error, excluded } = calibrate(comparablePoints(requests));
  return {
    ...headOf(requests),
    fit,
    ...(error !== null && { error }),
    ...(excluded !== null && { excluded }),
  };
}

function headOf(requests: readonly RecordedRequest[]): Pick<SegmentSizes, "segment" | "requests"> {
  return { segment: requests[0]?.segment ?? 0, requests: requests.length };
}

function calibrate(points: readonly SizePoint[]) {
  const fitted = Math.floor(points.length * fittedPart);
  const fit = fitSizes(points.slice(0, fitted)) ?? unknownFit;
  const error = medianError(points.slice(fitted), fit);
  return { fit, error, excluded: whyExcluded(points.length, fit, error) };
}

function whyExcluded(points: number, fit: SizeFit, error: number | null): string | null {
  if (points < minPoints || error === null) return `only ${points} requests to compare`;
  if (fit.overhead > maxOverheadTokens)
    return `about ${Math.round(fit.overhead / 1000)}k tokens of its prompts are not in the file`;
  return error > maxMedianError ? `sizes are off by ${(error * 100).toFixed(1)} %` : null;
}

/** Until something happened that the file does not hold: a clearing, another model, an unexplained drop. */
function comparablePoints(requests: readonly RecordedRequest[]): readonly SizePoint[] {
  const points: SizePoint[] = [];
  let estimated = 0;
  for (const request of requests) {
    estimated += sum(stepsInForce(request).flatMap(stepBlocks));
    const recorded = request.usage ? promptTokens(request.usage) : 0;
    if (request.hasRecordedClearing || request.model !== requests[0]?.model) break;
    if (recorded > 0) {
      if (recorded < (points.at(-1)?.recorded ?? 0) * unexplainedDrop) break;
      points.push({ estimated, recorded });
    }
    estimated += sum(request.response.content);
  }
  return points;
}

function stepBlocks(step: RecordedStep): readonly ContentBlock[] {
  if (step.kind === "message") return step.content;
  const { summary, attachments } = step.decision;
  return [...(summary ? [summary] : []), ...attachments].flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content } as const] : content,
  );
}

function sum(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((tokens, block) => tokens + estimatedTokens(block), 0);
}
