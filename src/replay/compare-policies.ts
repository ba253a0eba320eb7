import type { Policy } from "./policy.ts";
import type { PreparedRecording } from "./prepared-recording.ts";
import type { RunOptions } from "./run-options.ts";
import { runPolicy } from "./run-policy.ts";
import type { RunReport } from "./run-report.ts";

/** The runs of one policy on one session: one per price row, where the policy looks at prices. */
export interface SessionRuns {
  readonly session: string;
  readonly policy: string;
  /** By price row: what the run for it gave. The very same report for rows that do not change the policy. */
  readonly plain: Readonly<Record<string, RunReport>>;
  /** The same with every missing block fetched again. */
  readonly fetched: Readonly<Record<string, RunReport>>;
}

export type CompareOptions = Omit<RunOptions, "prices" | "fetchesMissing">;

/** Runs every policy on one session. */
export async function comparePolicies(
  recording: PreparedRecording,
  policies: readonly Policy[],
  options: CompareOptions,
): Promise<readonly SessionRuns[]> {
  const compared: SessionRuns[] = [];
  for (const policy of policies) {
    const plain = await runRows(recording, policy, options, false);
    const fetched = await runRows(recording, policy, options, true);
    compared.push({ session: recording.session.name, policy: policy.name, plain, fetched });
  }
  return compared;
}

async function runRows(
  recording: PreparedRecording,
  policy: Policy,
  options: CompareOptions,
  fetchesMissing: boolean,
): Promise<Readonly<Record<string, RunReport>>> {
  const reports: Record<string, RunReport> = {};
  let last: RunReport | undefined;
  for (const prices of options.priceRows) {
    const run: RunOptions = { ...options, prices, fetchesMissing };
    last = last && !policy.isPriceSensitive ? last : await runPolicy(recording, policy, run);
    reports[prices.name] = last;
  }
  return reports;
}
