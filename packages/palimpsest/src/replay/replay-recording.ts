import { createCatalog } from "@palimpsest/core/catalog";
import { createCacheSimulator } from "./cost/cache-simulator.ts";
import { type CacheTtl, type PriceRow, requestCost, ttlMsOf } from "./cost/price-row.ts";
import type { Needs } from "./grounding/find-needs.ts";
import type { Policy } from "./policy.ts";
import type { PreparedRecording } from "./prepared-recording.ts";
import { runPolicy } from "./run-policy.ts";
import { type RunOptions, type RunRecord, type RunWatch, toRunRecord } from "./run-report.ts";
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
  readonly ttl: CacheTtl;
  readonly lookBackBlocks: number;
  readonly priceRows: readonly PriceRow[];
  /** One more price row: what the catalog has for the session's own model. */
  readonly hasCatalogRow: boolean;
  readonly storesEveryBlock?: boolean;
  readonly ignoresBoundaries?: boolean;
  /** Hears of the runs in which nothing is fetched. */
  readonly watch?: RunWatch;
}

export const catalogRowName = "catalog";

/** Runs every policy on one session. `onRun` hears of each policy that is done. */
export async function replayRecording(
  recording: PreparedRecording,
  policies: readonly Policy[],
  options: ReplayOptions,
  onRun: (policy: string) => void = () => {},
): Promise<SessionOutcome> {
  const { session, calibration, needs } = recording;
  const model = mainModel(recording);
  const { hasCatalogRow, ...rest } = options;
  const own: PriceRow = { name: catalogRowName, prices: createCatalog().prices(model).value };
  const priceRows = hasCatalogRow ? [...options.priceRows, own] : options.priceRows;
  const runs: PolicyRuns[] = [];
  for (const policy of calibration.passes === "none" ? [] : policies) {
    runs.push(await runRows(recording, policy, { ...rest, priceRows }));
    onRun(policy.name);
  }
  return {
    session: session.name,
    requests: session.requests.length,
    model,
    calibration,
    needs: needs.byRequest.reduce((sum, { length }) => sum + length, 0),
    leftOut: needs.leftOut,
    floor: floorCost(recording, priceRows, options.ttl),
    runs,
  };
}

/** Runs again only where something is missing to be fetched, and where prices may change what the policy does. */
async function runRows(
  recording: PreparedRecording,
  policy: Policy,
  options: Omit<RunOptions, "prices" | "fetchesMissing">,
): Promise<PolicyRuns> {
  const plain: Record<string, RunRecord> = {};
  const fetched: Record<string, RunRecord> = {};
  const known = new Map<string, Pick<PolicyRuns, "policy"> & Record<"plain" | "fetched", RunRecord>>();
  for (const prices of options.priceRows) {
    const key = policy.isPriceSensitive ? ratiosOf(prices) : "";
    const before = known.get(key);
    const run = before ?? {
      policy: policy.name,
      ...(await runBoth(recording, policy, { ...options, prices })),
    };
    known.set(key, run);
    plain[prices.name] = run.plain;
    fetched[prices.name] = run.fetched;
  }
  return { policy: policy.name, plain, fetched };
}

async function runBoth(
  recording: PreparedRecording,
  policy: Policy,
  options: Omit<RunOptions, "fetchesMissing">,
): Promise<Record<"plain" | "fetched", RunRecord>> {
  const plain = await runPolicy(recording, policy, { ...options, fetchesMissing: false });
  const { "in-view": inView, ...missing } = plain.survival.counts();
  if (Object.values(missing).every((count) => count === 0)) {
    const record = toRunRecord(plain);
    return { plain: record, fetched: record };
  }
  const { watch, ...unwatched } = options;
  const fetched = await runPolicy(recording, policy, { ...unwatched, fetchesMissing: true });
  return { plain: toRunRecord(plain), fetched: toRunRecord(fetched) };
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

const catalog = createCatalog();

/** The cost of the session with nothing but system, tools and output: no policy can cost less. By price row. */
function floorCost(
  recording: PreparedRecording,
  priceRows: readonly PriceRow[],
  ttl: CacheTtl,
): Readonly<Record<string, number>> {
  const cache = createCacheSimulator({ ttlMs: ttlMsOf[ttl], lookBackBlocks: 1 });
  const cost = Object.fromEntries(priceRows.map(({ name }) => [name, 0]));
  for (const request of recording.session.requests) {
    const { model, sentMs, segment } = request;
    const { fit, excluded } = recording.sizesAt(request);
    const use = cache.use({
      atMs: sentMs,
      model,
      digestTo: (position) => (position === 0 ? "shared" : `segment ${segment}`),
      tokensTo: (position) =>
        position === 0 ? Math.min(recording.sharedOverhead, fit.overhead) : fit.overhead,
      breakpoints: [0, 1],
      totalTokens: fit.overhead,
      minTokens: catalog.capabilities(model).value.minCachedPrefix,
    });
    if (excluded !== undefined) continue;
    for (const { name, prices } of priceRows)
      cost[name] = (cost[name] ?? 0) + requestCost(use, recording.outputOf(request), prices, ttl);
  }
  return cost;
}
