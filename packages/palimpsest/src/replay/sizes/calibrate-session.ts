import { promptTokens } from "@palimpsest/core/internal";
import { isSameModel, type RecordedRequest, type RecordedSession } from "../recorded-session.ts";
import { estimatePrompts, type PromptEstimate } from "./estimate-prompts.ts";
import { fitSizes, medianError, type SizeFit, type SizePoint, usualScale } from "./fit-sizes.ts";

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

interface SegmentPoint extends SizePoint {
  readonly segment: number;
}

const fittedPart = 1 / 3;
const maxMedianError = 0.03;
const minPoints = 9;
/** System and tools of recorded sessions take 15,000 to 55,000 tokens: more is conversation that is not in the file. */
const maxOverheadTokens = 60_000;
const unknownFit: SizeFit = { overhead: 40_000, scale: usualScale };

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
  /** Why the whole session does not pass, or why its beginning is not measured; absent when all of it is. */
  readonly reason?: string;
}

/**
 * Fits the two numbers on the first third of the session's requests and judges them on the rest. Where that fails, its
 * segments are fitted and judged apart. Segments that fail as well are not measured.
 */
export function calibrateSession(
  session: RecordedSession,
  estimates: readonly PromptEstimate[] = estimatePrompts(session),
): Calibration {
  const parts = segmentsOf(session.requests);
  const points = parts.flatMap((requests) => comparablePoints(requests, estimates));
  const whole = calibrate(points);
  const errorPart = whole.error === null ? {} : { error: whole.error };
  if (whole.excluded === null) {
    const segments = parts.map((requests) => ({ ...headOf(requests), fit: whole.fit, ...errorPart }));
    return { passes: "session", ...errorPart, segments };
  }
  const late = isBegunBefore(whole.fit) ? calibrateLate(points) : null;
  if (late && late.error <= maxMedianError) {
    const { error, beginning, rest } = late;
    const reason = hiddenReason(beginning);
    const segments = parts.map((requests, at) =>
      at === 0
        ? { ...headOf(requests), fit: beginning, error, excluded: reason }
        : { ...headOf(requests), fit: rest, error },
    );
    return { passes: "session", error, segments, reason };
  }
  const segments = parts.map((requests) => calibrateSegment(requests, estimates));
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

function calibrateSegment(
  requests: readonly RecordedRequest[],
  estimates: readonly PromptEstimate[],
): SegmentSizes {
  const { fit, error, excluded } = calibrate(comparablePoints(requests, estimates));
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
  const error = medianError(points.slice(fitted), () => fit);
  return { fit, error, excluded: exclusionReason(points.length, fit, error) };
}

/**
 * A session whose file begins in the middle of a conversation: what came before stands in its first segment and is gone
 * behind the first boundary. The two numbers are then the overhead of the first segment and that of the others, each
 * the mean of what is left at the usual scale; where the first third has no boundary, there is only the first of them.
 */
function calibrateLate(points: readonly SegmentPoint[]) {
  const fitted = Math.floor(points.length * fittedPart);
  const [first] = points;
  if (!first || points.length < minPoints || points.at(-1)?.segment === first.segment) return null;
  const isFirst = ({ segment }: SegmentPoint) => segment === first.segment;
  const known = points.slice(0, fitted);
  const beginning = fitOverhead(known.filter(isFirst));
  const rest = fitOverhead(known.filter((point) => !isFirst(point))) ?? unknownFit;
  if (!beginning || rest.overhead > maxOverheadTokens) return null;
  const error = medianError(points.slice(fitted), (point) => (isFirst(point) ? beginning : rest));
  return error === null ? null : { error, beginning, rest };
}

function fitOverhead(points: readonly SegmentPoint[]): SizeFit | null {
  if (points.length === 0) return null;
  const left = points.map(({ estimated, recorded }) => recorded - usualScale * estimated);
  return { scale: usualScale, overhead: left.reduce((sum, one) => sum + one, 0) / left.length };
}

function isBegunBefore({ overhead }: SizeFit): boolean {
  return overhead > maxOverheadTokens;
}

function hiddenReason({ overhead }: SizeFit): string {
  return `about ${Math.round(overhead / 1000)}k tokens of its prompts are not in the file`;
}

function exclusionReason(points: number, fit: SizeFit, error: number | null): string | null {
  if (points < minPoints || error === null) return `too few requests to compare (${points})`;
  if (isBegunBefore(fit)) return hiddenReason(fit);
  return error > maxMedianError ? `sizes are off by ${(error * 100).toFixed(1)} %` : null;
}

/** Until something happened that the file does not hold: another model, an unexplained cut. */
function comparablePoints(
  requests: readonly RecordedRequest[],
  estimates: readonly PromptEstimate[],
): readonly SegmentPoint[] {
  const points: SegmentPoint[] = [];
  for (const { index, segment, model, usage } of requests) {
    const { messages, unrecorded, isUnexplained } = estimates[index] as PromptEstimate;
    if (isUnexplained || !isSameModel(model, requests[0]?.model)) break;
    const recorded = usage ? promptTokens(usage) : 0;
    if (recorded > 0) points.push({ estimated: messages + unrecorded, recorded, segment });
  }
  return points;
}
