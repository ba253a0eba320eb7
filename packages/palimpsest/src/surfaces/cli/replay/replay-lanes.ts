import {
  catalogRowName,
  type Policy,
  type PolicyRuns,
  type ReplayOptions,
  rowNames,
  type SessionOutcome,
} from "../../../replay/index.ts";
import type { NamedLane } from "./replay-job.ts";

/**
 * The lanes of these policies: one for each, or one for each price row where prices change what it does. The catalog's
 * prices are mostly in the ratios of the first row, so that both have most runs in common.
 */
export function lanesOf(policies: readonly Policy[], options: ReplayOptions): readonly NamedLane[] {
  const rows = rowNames(options);
  const [first, ...others] = rows.filter((row) => row !== catalogRowName);
  if (first === undefined) return policies.map(({ name }) => ({ policy: name, rows }));
  return policies.flatMap(({ name, isPriceSensitive }) => {
    if (!isPriceSensitive) return [{ policy: name, rows }];
    const withCatalog = rows.includes(catalogRowName) ? [first, catalogRowName] : [first];
    return [withCatalog, ...others.map((row) => [row])].map((own) => ({ policy: name, rows: own }));
  });
}

/** What has nothing to fetch again is run once. */
const runOnce = new Set(["identity", "recorded", "recorded-simulated"]);

/** Shares lanes among so many threads, so that all have about as much to do; fewer where there are fewer lanes. */
export function shareLanes(lanes: readonly NamedLane[], threads: number): readonly (readonly NamedLane[])[] {
  const shares = Array.from({ length: Math.min(threads, lanes.length) }, () => ({
    lanes: [] as NamedLane[],
    runs: 0,
  }));
  const runsOf = ({ policy }: NamedLane) => (runOnce.has(policy) ? 1 : 2);
  for (const lane of [...lanes].sort((one, other) => runsOf(other) - runsOf(one))) {
    const least = shares.reduce((one, other) => (other.runs < one.runs ? other : one));
    least.lanes.push(lane);
    least.runs += runsOf(lane);
  }
  return shares.map((share) => share.lanes);
}

/** Puts together what lanes have measured on one session. Runs stand in the order of the policies. */
export function mergeOutcomes(
  outcomes: readonly SessionOutcome[],
  policies: readonly string[],
): SessionOutcome | undefined {
  const [first] = outcomes;
  if (!first) return undefined;
  const runs = policies.flatMap((policy): readonly PolicyRuns[] => {
    const parts = outcomes.flatMap((outcome) => outcome.runs.filter((one) => one.policy === policy));
    if (parts.length === 0) return [];
    return [
      {
        policy,
        plain: Object.assign({}, ...parts.map(({ plain }) => plain)),
        fetched: Object.assign({}, ...parts.map(({ fetched }) => fetched)),
      },
    ];
  });
  return { ...first, runs };
}
