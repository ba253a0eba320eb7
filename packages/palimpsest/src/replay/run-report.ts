import type { AtomType } from "./grounding/extract-atoms.ts";
import type { Losses } from "./grounding/loss-cause.ts";
import type { Survival, SurvivalRow } from "./grounding/survival.ts";
import type { Retention } from "./retention/retention-tally.ts";

/** What one policy did to one session. Only requests of segments whose sizes are known are counted. */
export interface RunReport {
  /** By the name of the price row, in millionths of its unit. */
  readonly cost: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly tokens: Readonly<Record<"read" | "written" | "uncached" | "output", number>>;
  /** `policy`: the prefix was changed while the cache was warm. `idle`: the time to live had passed. */
  readonly breaks: Readonly<Record<"policy" | "idle" | "recorded", number>>;
  /** Tokens written again because of breaks that the policy made. */
  readonly rewrittenTokens: number;
  /** Thinking blocks that stood behind an edit of the policy's: their signatures no longer hold where they are bound. */
  readonly invalidatedThinking: number;
  /** Sum over requests, for means. */
  readonly contextTokens: number;
  /** Of each request, in order. */
  readonly sizes: readonly number[];
  readonly peakTokens: number;
  /** Requests over the window of the recorded model. */
  readonly overflows: number;
  readonly invalid: number;
  readonly survival: Survival;
  /** Of the types of the headline: what was far away, and neither in view nor one recall away. */
  readonly farLosses: Readonly<Partial<Record<AtomType, Losses>>>;
  readonly retention: Retention;
  readonly fetches: FetchReport;
}

/** What had to be brought back, where missing blocks are fetched. */
export interface FetchReport {
  readonly blocks: number;
  readonly tokens: number;
  /** By the tool whose result or call it was; text and thinking under their own names. */
  readonly byTool: Readonly<Record<string, number>>;
}

/** A report as plain data, to be handed from one thread to another. */
export type RunRecord = Omit<RunReport, "survival"> & { readonly survival: readonly SurvivalRow[] };

export function toRecord({ survival, ...report }: RunReport): RunRecord {
  return { ...report, survival: survival.rows() };
}
