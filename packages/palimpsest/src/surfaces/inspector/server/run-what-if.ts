import { createCatalog } from "@palimpsest/core/catalog";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { CacheTtl } from "../../../replay/cost/price-row.ts";
import type { SurvivalCounts } from "../../../replay/grounding/survival.ts";
import {
  type PreparedRecording,
  policies,
  prepareRecording,
  type RecordedSession,
} from "../../../replay/index.ts";
import { runPolicy } from "../../../replay/run-policy.ts";
import type { RequestPoint } from "../../../replay/run-report.ts";
import type { SegmentSizes } from "../../../replay/sizes/calibrate-session.ts";
import type { WhatIf } from "../inspected.ts";

const lookBackBlocks = 20;

/** Replays a session under a policy; the first requests, which a fork's parent made, are left out of the answer. */
export async function runWhatIf(
  session: RecordedSession,
  name: string,
  inheritedRequests = 0,
): Promise<Result<WhatIf>> {
  const policy = policies.find((one) => one.name === name);
  if (!policy) return noPolicy(name);
  const prepared = prepareRecording(session);
  const recording = withAllSizes(prepared);
  const model = session.requests[0]?.model ?? "unknown";
  const found = createCatalog().prices(model);
  const prices = { name: "catalog", prices: found.value };
  const ttl = ttlOf(session);
  const options = { ttl, lookBackBlocks, prices, priceRows: [prices] };
  const plainPoints: RequestPoint[] = [];
  const plain = await runPolicy(recording, policy, {
    ...options,
    fetchesMissing: false,
    watch: { paid: (point) => plainPoints.push(point) },
  });
  const counts = plain.survival.counts();
  const isMissing = counts.recall + counts.refetch + counts.lost > 0;
  const fetchedPoints: RequestPoint[] = [];
  const fetched = isMissing
    ? await runPolicy(recording, policy, {
        ...options,
        fetchesMissing: true,
        watch: { paid: (point) => fetchedPoints.push(point) },
      })
    : plain;
  const points = isMissing ? fetchedPoints : plainPoints;
  const notes = [sizesNote(prepared), ...(found.known ? [] : [`The price of ${model} is not known.`])];
  const note = notes.filter((one) => one !== null).join(" ");
  return ok({
    policy: name,
    ...toSeries(points, session.requests.length, inheritedRequests),
    survival: toParts(counts),
    fetches: fetched.fetches.blocks,
    ...(note !== "" && { note }),
  });
}

/** Segments whose sizes cannot be fitted are measured all the same, by estimates: a person looks at all of a session. */
function withAllSizes(recording: PreparedRecording): PreparedRecording {
  const without = ({ excluded: _excluded, ...sizes }: SegmentSizes): SegmentSizes => sizes;
  return {
    ...recording,
    sizesOf: (segment) => without(recording.sizesOf(segment)),
    sizesAt: (request) => without(recording.sizesAt(request)),
    uncutSizesAt: (request) => without(recording.uncutSizesAt(request)),
  };
}

function sizesNote({ calibration, segments }: PreparedRecording): string | null {
  if (calibration.passes === "session") return null;
  const excluded = segments.filter((one) => one.excluded !== undefined).length;
  if (excluded === 0) return null;
  const which = excluded === segments.length ? "its" : `${excluded} of ${segments.length} parts'`;
  return `The recorded usage does not tell ${which} sizes (${calibration.reason ?? "unknown"}): plain estimates are used.`;
}

/** The cache lifetime in the usage of the recorded requests. */
function ttlOf({ requests }: RecordedSession): CacheTtl {
  let longer = 0;
  let all = 0;
  for (const { usage } of requests) {
    longer += usage?.cacheCreation1h ?? 0;
    all += usage?.cacheCreation ?? 0;
  }
  return longer > all / 2 ? "1h" : "5m";
}

/** A request's size is that of its last sending; dollars are those of all of them. */
function toSeries(
  points: readonly RequestPoint[],
  requests: number,
  inherited: number,
): Pick<WhatIf, "tokens" | "dollars" | "breaks"> {
  const tokens = new Array<number>(requests).fill(0);
  const costs = new Array<number>(requests).fill(0);
  const broken = new Set<number>();
  for (const { index, tokens: size, cost, isPolicyBreak } of points) {
    tokens[index] = Math.round(size);
    costs[index] = (costs[index] ?? 0) + cost;
    if (isPolicyBreak && index >= inherited) broken.add(index - inherited);
  }
  let spent = 0;
  const dollars = costs.slice(inherited).map((cost) => {
    spent += cost / 1_000_000;
    return spent;
  });
  return { tokens: tokens.slice(inherited), dollars, breaks: [...broken] };
}

/** Where nothing was needed, nothing is missing. */
function toParts(counts: SurvivalCounts): WhatIf["survival"] {
  const { "in-view": inView, recall, refetch, lost } = counts;
  const all = inView + recall + refetch + lost;
  if (all === 0) return { inView: 1, recall: 0, refetch: 0, lost: 0 };
  return { inView: inView / all, recall: recall / all, refetch: refetch / all, lost: lost / all };
}

function noPolicy(name: string): Result<never> {
  return fail("not-found", `There is no policy “${name}”.`, {
    path: name,
    fix: `Choose one of: ${policies.map((one) => one.name).join(", ")}.`,
  });
}

/** A line about each policy of the box. */
const abouts: Readonly<Record<string, string>> = {
  identity: "Keeps everything: the context only grows.",
  faithful: "The engine as it ships, with the scribe as writer.",
  thrifty: "The engine with the setting economy: thrifty, with the scribe as writer.",
  recorded: "As it was recorded, compactions included, at the recorded usage.",
  "recorded-simulated": "As it was recorded, compactions included, in a cache of five minutes.",
  recency: "Over 100,000 tokens of messages, all but the newest 50,000 are cut off.",
  "sliding-mask": "Results older than the newest ten are masked at every step.",
  "token-threshold": "Results over 40,000 tokens are cleared, oldest first, if that saves 20,000.",
  "api-default": "The API's context editing: over 100,000 tokens all but three tool uses.",
  "view-trigger": "The API's context editing, counted on the view after earlier clearing.",
  "cold-only": "Clears when the cache has expired anyway.",
  economic: "Clears when that is expected to save money.",
  dedupe: "Of equal results of equal calls, only the newest stays.",
  scribe: "Compaction without a model at the threshold of the window.",
  random: "Clears at random: any policy must be better.",
  "drop-all": "Keeps nothing.",
  oracle: "Knows what later calls need: an upper bound, not a usable policy.",
};

interface PolicyDescription {
  readonly name: string;
  readonly about: string;
}

/** The name under which a policy that has two is described. */
export function mainPolicyName(name: string): string {
  return policies.find((policy) => policy.name === name)?.sameAs ?? name;
}

/** The policies that a session can be looked at under. */
export function policyAbouts(): readonly PolicyDescription[] {
  const named = policies.filter(({ sameAs }) => sameAs === undefined);
  return named.map(({ name }) => ({ name, about: abouts[name] ?? "" }));
}
