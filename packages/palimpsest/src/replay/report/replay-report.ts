import type { TtlChoice } from "../cost/price-row.ts";
import type { AtomType } from "../grounding/extract-atoms.ts";
import type { SurvivalCounts } from "../grounding/survival.ts";
import type { Retention } from "../retention/retention-tally.ts";
import type { RunRecord } from "../run-report.ts";
import type { Interval } from "./bootstrap.ts";

/** A number, and where 95 % of resampled sets of sessions put it. */
export interface Estimate {
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** One policy over all sessions at one price row. */
export interface CostSummary {
  /** In the row's unit: dollars for models, input tokens in millions for ratios. */
  readonly total: number;
  readonly totalFetched: number;
  /** Identity = 1. */
  readonly plain: Estimate;
  /** The same with every missing block fetched again and charged. */
  readonly fetched: Estimate;
  /** Its cost over the floor, with fetches; identity = 1. */
  readonly excess: Estimate;
  /** That, as a part of the cheapest of the policies that everybody has; absent where none of them was run. */
  readonly excessOfCheapest?: number;
  /** The headline: its cost over the floor, with fetches, as a part of the recorded agent's; absent where that was not run. */
  readonly excessOfRecorded?: Estimate;
  /** The same as a part of what the recording says that the agent's requests took. */
  readonly excessOfUsage?: Estimate;
  /** Reads that kept the cache warm, in the row's unit; they are in the totals. */
  readonly keepWarm: number;
}

export interface SurvivalShare {
  readonly inView: Estimate;
  readonly withRecall: Estimate;
  readonly needs: number;
}

export interface PolicySummary {
  readonly policy: string;
  readonly cost: Readonly<Record<string, CostSummary>>;
  readonly requests: number;
  readonly breaks: Readonly<Record<"policy" | "idle" | "recorded", number>>;
  readonly rewrittenTokens: number;
  readonly context: Readonly<Record<"mean" | "p95" | "peak", number>>;
  readonly overflows: number;
  readonly invalid: number;
  readonly invalidatedThinking: number;
  /** Sources more than ten requests away: what the report stands on. */
  readonly headline: Readonly<Record<"edit_old" | "num", SurvivalShare>>;
  readonly all: SurvivalShare;
  readonly survival: readonly {
    readonly type: AtomType;
    readonly distance: string;
    readonly counts: SurvivalCounts;
  }[];
  readonly retention: Retention;
  /** Reads between requests that kept the cache warm. */
  readonly keepWarmReads: number;
  readonly fetches: {
    readonly blocks: number;
    readonly tokens: number;
    readonly byTool: Readonly<Record<string, number>>;
  };
  /** Nothing else that was run costs less and keeps more, fetches counted. */
  readonly isPareto: boolean;
}

/** Why a goal is missed, not whole or not measurable, by what the runs have counted. */
export interface GoalReason {
  readonly text: string;
  /** Where it happened, most first. */
  readonly sessions: readonly { readonly name: string; readonly amount: string }[];
}

/** Something that a policy should reach, beside the oracle's number. */
export interface ReplayGoal {
  readonly policy: string;
  readonly what: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The price row that it is judged by: the one at which it is worst. */
  readonly row: string;
  /** `null` where the sessions have nothing to judge it by. */
  readonly value: number | null;
  readonly oracle: number | null;
  readonly verdict: "reached" | "missed" | "not measurable";
  /** How far it is from being reached; 0 where it is. */
  readonly shortBy: number | null;
  /** Absent where nothing is missing. */
  readonly why?: GoalReason;
}

export interface LeftOutSession {
  readonly name: string;
  readonly reason: string;
}

export interface ReplayReport {
  readonly ttl: TtlChoice;
  readonly priceRows: readonly string[];
  readonly sessions: {
    readonly files: number;
    readonly measured: number;
    readonly measuredRequests: number;
    /** Of the measured: those of which two numbers fit the whole. */
    readonly whole: number;
    /** Those of which only parts are measured, and which parts are not. */
    readonly inParts: readonly LeftOutSession[];
    readonly excluded: readonly LeftOutSession[];
    readonly unreadable: readonly LeftOutSession[];
    readonly duplicates: readonly { readonly name: string; readonly sameAs: string }[];
  };
  readonly atoms: {
    readonly needed: number;
    readonly novel: number;
    readonly fixed: number;
    readonly given: number;
  };
  readonly policies: readonly PolicySummary[];
  /** Empty where no policy with goals was run. */
  readonly goals: readonly ReplayGoal[];
  /** By session: its cost with fetches, identity = 1, for each policy. */
  readonly bySession: readonly {
    readonly session: string;
    readonly requests: number;
    readonly passes: "session" | "parts";
    readonly error: number | null;
    readonly cost: Readonly<Record<string, Readonly<Record<string, number>>>>;
  }[];
}

/** One session under the judged policy at one price row. */
export interface GoalRun {
  readonly session: string;
  readonly plain: RunRecord;
  readonly fetched: RunRecord;
  /** Its cost over the floor, with fetches. */
  readonly excess: number;
  /** The recorded agent's on the same session; absent where that was not run. */
  readonly recordedExcess?: number;
  /** The part of its own which fetching again costs. */
  readonly fetchCost: number;
}

/** One table of the report, as text in cells: the first column is left, the others are right. */
export interface ReportTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}
