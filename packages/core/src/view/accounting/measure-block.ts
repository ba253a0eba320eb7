import type { ContentBlock } from "../../spec/index.ts";
import type { MetricFailure } from "./accounting.ts";

export type MetricProblem = Omit<MetricFailure, "count">;

/** The tokens of a block, whole; 0 and a problem where they cannot be told. Never throws. */
export function measureBlock(
  block: ContentBlock,
  estimate: (block: ContentBlock) => number,
  problems: MetricProblem[],
): number {
  const tokens = attempt("estimate", () => estimate(block), problems);
  if (tokens === undefined) return 0;
  if (Number.isFinite(tokens) && tokens >= 0) return Math.round(tokens);
  problems.push({ metric: "estimate", message: `${tokens} is not a number of tokens` });
  return 0;
}

/** What a function gives, or a problem and nothing. */
export function attempt<T>(
  metric: MetricProblem["metric"],
  compute: () => T,
  problems: MetricProblem[],
): T | undefined {
  try {
    return compute();
  } catch (error) {
    problems.push({ metric, message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
