/** One recorded request: what its messages are estimated at, and how many tokens its prompt really had. */
export interface SizePoint {
  readonly estimated: number;
  readonly recorded: number;
}

/** The two numbers fitted: tokens before the first message, and tokens per estimated token. */
export interface SizeFit {
  readonly overhead: number;
  readonly scale: number;
}

/** A fitted scale outside of this is not a tokenizer's, but a sign that the file and the prompts differ. */
export const scaleRange = { min: 0.6, max: 2.2 };

/** The expected scale, and with how much doubt: points that are close together say little about it. */
export const usualScale = 1.1;
const scaleDoubt = 0.1;
const pointErrorTokens = 1_500;

/** Least squares with the scale held to what is usual, and in its range; `null` for fewer than two points. */
export function fitSizes(points: readonly SizePoint[]): SizeFit | null {
  if (points.length < 2) return null;
  const meanEstimated = mean(points.map(({ estimated }) => estimated));
  const meanRecorded = mean(points.map(({ recorded }) => recorded));
  let products = 0;
  let squares = 0;
  for (const { estimated, recorded } of points) {
    products += (estimated - meanEstimated) * (recorded - meanRecorded);
    squares += (estimated - meanEstimated) ** 2;
  }
  const hold = (pointErrorTokens / scaleDoubt) ** 2;
  const free = (products + hold * usualScale) / (squares + hold);
  const scale = Math.min(scaleRange.max, Math.max(scaleRange.min, free));
  return { scale, overhead: Math.max(0, meanRecorded - scale * meanEstimated) };
}

/** The median of how far the fitted sizes are off, as a part of the recorded ones; `null` without points. */
export function medianError<Point extends SizePoint>(
  points: readonly Point[],
  fitOf: (point: Point) => SizeFit,
): number | null {
  const errors = points
    .map((point) => {
      const { overhead, scale } = fitOf(point);
      return Math.abs(overhead + scale * point.estimated - point.recorded) / point.recorded;
    })
    .sort((one, other) => one - other);
  return errors[Math.floor(errors.length / 2)] ?? null;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
