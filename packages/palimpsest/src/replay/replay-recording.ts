import { createCatalog } from "@palimpsest/core/catalog";
import { floorCost } from "./cost/floor-cost.ts";
import type { PriceRow, TtlChoice } from "./cost/price-row.ts";
import type { Needs } from "./grounding/find-needs.ts";
import type { Policy } from "./policy.ts";
import type { PreparedRecording } from "./prepared-recording.ts";
import { runPolicy } from "./run-policy.ts";
import { type RunOptions, type RunRecord, type RunWatch, toRunRecord } from "./run-report.ts";
import { createReplayHome, type ReplayHome } from "./session/replay-home.ts";
import type { Calibration } from "./sizes/calibrate-session.ts";

/** Everything that was measured on one session, as plain data. */
export interface SessionOutcome {
  readonly session: string;
  readonly requests: number;
  readonly model: string;
  readonly calibration: Calibration;
  readonly needs: number;
  readonly leftOut: Needs["leftOut"];
  /** By price row: what system, tools and output cost alone. */
  readonly floor: Readonly<Record<string, number>>;
  readonly runs: readonly PolicyRuns[];
}

/** The runs of one policy on one session, by price row: the very same record where prices do not change the policy. */
export interface PolicyRuns {
  readonly policy: string;
  readonly plain: Readonly<Record<string, RunRecord>>;
  /** The same with every missing block fetched again. */
  readonly fetched: Readonly<Record<string, RunRecord>>;
}

export interface ReplayOptions {
  /** Absent, or `auto`: as each request marks it. */
  readonly ttl?: TtlChoice;
  readonly lookBackBlocks: number;
  readonly priceRows: readonly PriceRow[];
  /** One more price row: what the catalog has for the session's own model. */
  readonly hasCatalogRow: boolean;
  readonly storesEveryBlock?: boolean;
  /** Hears of the runs in which nothing is fetched. */
  readonly watch?: RunWatch;
}

export const catalogRowName = "catalog";

export function rowNames({ priceRows, hasCatalogRow }: ReplayOptions): readonly string[] {
  return [...priceRows.map(({ name }) => name), ...(hasCatalogRow ? [catalogRowName] : [])];
}

/** A policy at some of the price rows. Lanes have nothing to do with each other: each has homes of its own. */
export interface ReplayLane {
  readonly policy: Policy;
  readonly rows: readonly string[];
}

/** Replays sessions as they are given, in the order of their time: what one has learned, those after it know. */
export interface Replay {
  /** `onRun` hears of each lane that is done. */
  run(recording: PreparedRecording, onRun?: (policy: string) => void): Promise<SessionOutcome>;
}

export function createReplay(lanes: readonly ReplayLane[], options: ReplayOptions): Replay {
  const running = lanes.map((lane) => ({ policy: lane.policy.name, run: createLane(lane, options) }));
  return {
    async run(recording, onRun = () => {}) {
      const { session, calibration, needs } = recording;
      const model = mainModel(recording);
      const priceRows = rowsFor(model, options);
      const runs: PolicyRuns[] = [];
      for (const { policy, run } of calibration.passes === "none" ? [] : running) {
        runs.push(await run(recording, priceRows));
        onRun(policy);
      }
      return {
        session: session.name,
        requests: session.requests.length,
        model,
        calibration,
        needs: needs.byRequest.reduce((sum, { length }) => sum + length, 0),
        leftOut: needs.leftOut,
        floor: floorCost(recording, priceRows),
        runs,
      };
    },
  };
}

/** Runs every policy on one session, as the first one of its machine. `onRun` hears of each policy that is done. */
export async function replayRecording(
  recording: PreparedRecording,
  policies: readonly Policy[],
  options: ReplayOptions,
  onRun?: (policy: string) => void,
): Promise<SessionOutcome> {
  const lanes = policies.map((policy) => ({ policy, rows: rowNames(options) }));
  return createReplay(lanes, options).run(recording, onRun);
}

function rowsFor(model: string, { priceRows, hasCatalogRow }: ReplayOptions): readonly PriceRow[] {
  if (!hasCatalogRow) return priceRows;
  return [...priceRows, { name: catalogRowName, prices: createCatalog().prices(model).value }];
}

interface KnownRun extends Readonly<Record<"plain" | "fetched", RunRecord>> {
  /** As the session left it. */
  readonly home: ReplayHome;
}

/**
 * Runs again only where something is missing to be fetched, and where prices may change what the policy does. A machine
 * at one price row has a home; the run that fetches starts from the same home, and leaves nothing.
 */
function createLane({ policy, rows }: ReplayLane, options: ReplayOptions) {
  const homes = new Map<string, ReplayHome>();
  const { hasCatalogRow: _row, ...rest } = options;
  return async (recording: PreparedRecording, priceRows: readonly PriceRow[]): Promise<PolicyRuns> => {
    const plain: Record<string, RunRecord> = {};
    const fetched: Record<string, RunRecord> = {};
    const known = new Map<string, KnownRun>();
    for (const prices of priceRows.filter(({ name }) => rows.includes(name))) {
      const home = homes.get(prices.name) ?? createReplayHome();
      const key = `${policy.isPriceSensitive ? ratiosOf(prices) : ""} ${home.digest()}`;
      const run = known.get(key) ?? (await runBoth(recording, policy, { ...rest, priceRows, prices }, home));
      known.set(key, run);
      homes.set(prices.name, run.home);
      plain[prices.name] = run.plain;
      fetched[prices.name] = run.fetched;
    }
    return { policy: policy.name, plain, fetched };
  };
}

async function runBoth(
  recording: PreparedRecording,
  policy: Policy,
  options: Omit<RunOptions, "fetchesMissing" | "home">,
  before: ReplayHome,
): Promise<KnownRun> {
  const home = before.copy();
  const plain = await runPolicy(recording, policy, { ...options, home, fetchesMissing: false });
  const { "in-view": inView, ...missing } = plain.survival.counts();
  const record = toRunRecord(plain);
  if (Object.values(missing).every((count) => count === 0)) return { plain: record, fetched: record, home };
  const { watch, ...unwatched } = options;
  const fetched = await runPolicy(recording, policy, {
    ...unwatched,
    home: before.copy(),
    fetchesMissing: true,
  });
  return { plain: record, fetched: toRunRecord(fetched), home };
}

/** The ratios by which a policy can tell prices apart. */
function ratiosOf({ prices }: PriceRow): string {
  return JSON.stringify(prices, (_key, value) => (typeof value === "number" ? value / prices.input : value));
}

function mainModel({ session: { requests } }: PreparedRecording): string {
  const counts = new Map<string, number>();
  for (const { model } of requests) counts.set(model, (counts.get(model) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? "unknown";
}
