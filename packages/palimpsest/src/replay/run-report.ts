import type { Entry, EventBody } from "@palimpsest/core/spec";
import type { PriceRow, TtlChoice } from "./cost/price-row.ts";
import type { AtomType } from "./grounding/extract-atoms.ts";
import type { Losses } from "./grounding/need-state.ts";
import type { Survival, SurvivalRow } from "./grounding/survival.ts";
import type { RecordedRequest } from "./recorded-session.ts";
import type { Retention } from "./retention/retention-tally.ts";
import type { ReplayHome } from "./session/replay-home.ts";

/** The result of one policy on one session. Only requests of segments whose sizes are known are counted. */
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
  readonly keepWarm: KeepWarmReport;
}

/** Blocks that had to be brought back, where missing blocks are fetched. */
interface FetchReport {
  readonly blocks: number;
  readonly tokens: number;
  /** By the tool whose result or call it was; text and thinking under their own names. */
  readonly byTool: Readonly<Record<string, number>>;
}

/** Reads between requests that kept the cache warm. */
interface KeepWarmReport {
  readonly reads: number;
  /** The part of the cost that they are, by price row. */
  readonly cost: Readonly<Record<string, number>>;
}

/** A report as plain data, to be handed from one thread to another. */
export type RunRecord = Omit<RunReport, "survival"> & { readonly survival: readonly SurvivalRow[] };

export function toRunRecord({ survival, ...report }: RunReport): RunRecord {
  return { ...report, survival: survival.rows() };
}

export interface RunOptions {
  /** Absent, or `auto`: as each request marks it. */
  readonly ttl?: TtlChoice;
  readonly lookBackBlocks: number;
  /** See `CacheSimulatorOptions`. */
  readonly storesEveryBlock?: boolean;
  /** The prices the policy's layers are told. */
  readonly prices: PriceRow;
  /** The price rows reported. */
  readonly priceRows: readonly PriceRow[];
  /** A block that a call needs and the view does not hold is fetched first: one more request, and its content stays. */
  readonly fetchesMissing: boolean;
  /** What sessions before have learned, and where this one stores what it learns; absent: it begins afresh. */
  readonly home?: ReplayHome;
  readonly watch?: RunWatch;
}

/** Hears of a run while it goes on. It must change nothing: what it is given is the run's own. */
export interface RunWatch {
  /** The engine's events, with the recorded request they belong to. */
  event?(event: EventBody, request: RecordedRequest): void;
  /** A request is paid for; those that fetch something have the index of the one they are made for. */
  paid?(point: RequestPoint): void;
  /** A request was made and its response taken in. `soFar` goes on growing. */
  request?(request: RecordedRequest, soFar: RunReport): void;
  /** The log that the run has made, decisions among the messages; sequence number 1 is left for a header. */
  log?(entries: readonly Entry[]): void;
}

export interface RequestPoint {
  /** Of the recorded request. */
  readonly index: number;
  readonly tokens: number;
  /** By `prices`, in millionths of their unit. */
  readonly cost: number;
  /** The policy made it miss the cache. */
  readonly isPolicyBreak: boolean;
}
