import type { TtlChoice } from "../cost/price-row.ts";
import type { DuplicateSession } from "../policy.ts";
import type { SessionOutcome } from "../replay-recording.ts";
import { keptInPicture } from "./pareto-points.ts";
import { replayGoals } from "./replay-goals.ts";
import type { LeftOutSession, PolicySummary, ReplayReport } from "./replay-report.ts";
import { summarizePolicy } from "./summarize-policy.ts";

/** The data of a replay before it is summed up. */
export interface Gathered {
  readonly ttl: TtlChoice;
  /** In the order of the report. */
  readonly priceRows: readonly string[];
  /** In the order of the report; identity must be among them. */
  readonly policies: readonly string[];
  readonly files: number;
  readonly outcomes: readonly SessionOutcome[];
  readonly unreadable: readonly LeftOutSession[];
  readonly duplicates: readonly DuplicateSession[];
}

/** Policies everybody can have without this engine: the measure of the excess. */
export const usualPolicies = ["identity", "recency", "sliding-mask", "api-default", "token-threshold"];

/** The same report for the same sessions, in whatever order they were replayed. */
export function buildReport(gathered: Gathered): ReplayReport {
  const { ttl, priceRows, policies } = gathered;
  const outcomes = [...gathered.outcomes].sort(compareNames);
  const measured = outcomes.filter(({ calibration }) => calibration.passes !== "none");
  const summaries = withCheapest(
    policies.map((policy) => summarizePolicy(policy, measured, priceRows)),
    priceRows,
  );
  return {
    ttl,
    priceRows,
    sessions: {
      files: gathered.files,
      measured: measured.length,
      measuredRequests: summaries[0]?.requests ?? 0,
      whole: measured.filter(({ calibration }) => calibration.passes === "session").length,
      inParts: measured.flatMap(partsLeftOut),
      excluded: outcomes
        .filter(({ calibration }) => calibration.passes === "none")
        .map(({ session, calibration }) => ({ name: session, reason: calibration.reason ?? "" })),
      unreadable: [...gathered.unreadable].sort((one, other) => compare(one.name, other.name)),
      duplicates: [...gathered.duplicates].sort((one, other) => compare(one.name, other.name)),
    },
    atoms: {
      needed: sum(measured.map(({ needs }) => needs)),
      novel: sum(measured.map(({ leftOut }) => leftOut.novel)),
      fixed: sum(measured.map(({ leftOut }) => leftOut.fixed)),
      given: sum(measured.map(({ leftOut }) => leftOut.given)),
    },
    policies: withFrontier(summaries, priceRows[0] ?? ""),
    goals: replayGoals(policies, measured, priceRows),
    bySession: measured.map((outcome) => sessionCosts(outcome, priceRows)),
  };
}

function partsLeftOut({ session, calibration }: SessionOutcome): readonly LeftOutSession[] {
  if (calibration.passes === "none" || calibration.reason === undefined) return [];
  const parts = calibration.segments.flatMap(({ segment, requests, excluded }) =>
    excluded === undefined ? [] : [`part ${segment + 1} (${requests} requests): ${excluded}`],
  );
  const left = parts.length === 0 ? "every part fits by itself" : `left out: ${parts.join("; ")}`;
  return [{ name: session, reason: `${calibration.reason}; ${left}` }];
}

function sessionCosts(
  { session, requests, calibration, runs }: SessionOutcome,
  priceRows: readonly string[],
): ReplayReport["bySession"][number] {
  const base = runs.find(({ policy }) => policy === "identity");
  const ratios = (row: string) =>
    runs.map(({ policy, fetched }) => {
      const ratio = (fetched[row]?.cost[row] ?? 0) / (base?.plain[row]?.cost[row] ?? 1);
      return [policy, round(ratio)] as const;
    });
  return {
    session,
    requests,
    passes: calibration.passes === "session" ? "session" : "parts",
    error: calibration.error === undefined ? null : round(calibration.error),
    cost: Object.fromEntries(
      priceRows.map((row) => [row, Object.fromEntries(ratios(row).sort(([a], [b]) => compare(a, b)))]),
    ),
  };
}

/** Compares each excess with the smallest of those that everybody can have. */
function withCheapest(
  summaries: readonly PolicySummary[],
  priceRows: readonly string[],
): readonly PolicySummary[] {
  const usual = summaries.filter(({ policy }) => usualPolicies.includes(policy));
  const cheapest = (row: string) => Math.min(...usual.map(({ cost }) => cost[row]?.excess.value ?? 1));
  return summaries.map((summary) => ({
    ...summary,
    cost: Object.fromEntries(
      priceRows.flatMap((row) => {
        const cost = summary.cost[row];
        if (!cost) return [];
        const part = (cost.excess.value ?? 1) / cheapest(row);
        return [[row, Number.isFinite(part) ? { ...cost, excessOfCheapest: part } : cost]];
      }),
    ),
  }));
}

/** Marks what nothing beats: costs no more with fetches, and has no less of the far edits in view. */
function withFrontier(summaries: readonly PolicySummary[], row: string): readonly PolicySummary[] {
  const place = (summary: PolicySummary) => ({
    cost: summary.cost[row]?.fetched.value ?? Number.POSITIVE_INFINITY,
    kept: keptInPicture(summary) ?? 0,
  });
  const locations = summaries.map(place);
  return summaries.map((summary, at) => {
    const own = locations[at] as ReturnType<typeof place>;
    const isBeaten = locations.some(
      ({ cost, kept }) => cost <= own.cost && kept >= own.kept && (cost < own.cost || kept > own.kept),
    );
    return { ...summary, isPareto: !isBeaten };
  });
}

function compareNames(one: SessionOutcome, other: SessionOutcome): number {
  return compare(one.session, other.session);
}

/** By code units, the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
