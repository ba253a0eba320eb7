import { createCatalog } from "@palimpsest/core/catalog";
import {
  type Capabilities,
  type Facts,
  PalimpsestError,
  type Prepared,
  type Usage,
} from "@palimpsest/core/spec";
import { createCacheSimulator } from "./cost/cache-simulator.ts";
import { requestCost, ttlMsOf } from "./cost/price-row.ts";
import { createRequestMeter } from "./cost/request-meter.ts";
import { createFetcher, fetchCallTokens } from "./grounding/fetch-missing.ts";
import { createFuture, type Need } from "./grounding/find-needs.ts";
import { createNeedFinder, type MissingSource, type NeedState } from "./grounding/need-state.ts";
import { createRecallReader } from "./grounding/recalled-text.ts";
import { farDistance } from "./grounding/survival.ts";
import { createViewReader } from "./grounding/view-reader.ts";
import type { Policy } from "./policy.ts";
import type { PreparedRecording } from "./prepared-recording.ts";
import { isSameModel, type RecordedRequest } from "./recorded-session.ts";
import type { RunOptions, RunReport } from "./run-report.ts";
import { createRunTally } from "./run-tally.ts";
import { inReplay } from "./session/layer-in-replay.ts";
import { createRecordedBoundaries, createRecordedFeed } from "./session/recorded-feed.ts";
import { createRecordedFiles } from "./session/recorded-files.ts";
import { createReplayHome } from "./session/replay-home.ts";
import { openReplaySession } from "./session/replay-session.ts";

const catalog = createCatalog();
const knownCapabilities = new Map<string, Capabilities>();

function capabilitiesOf(model: string): Capabilities {
  const known = knownCapabilities.get(model) ?? {
    ...catalog.capabilities(model).value,
    prefixBoundThinking: false,
  };
  knownCapabilities.set(model, known);
  return known;
}

/**
 * Replays a session under a policy on the real engine, teacher-forced: the recorded messages are added whatever the
 * policy shows, and before each recorded response the request is made and measured. What the policy is told of usage,
 * prices and the cache is that of its own requests.
 */
export async function runPolicy(
  recording: PreparedRecording,
  policy: Policy,
  options: RunOptions,
): Promise<RunReport> {
  const { session: recorded, needs, sharedOverhead } = recording;
  const { prices, priceRows, fetchesMissing, watch } = options;
  const { keepsBoundaries = false } = policy;
  const tally = createRunTally(priceRows);
  const [first] = recorded.requests;
  if (!first) return tally.report();
  const seqs = new Map<string, number>();
  const boundaries = createRecordedBoundaries((id) => seqs.get(id));
  const sizesAt = keepsBoundaries ? recording.sizesAt : recording.uncutSizesAt;
  let policyDecisions = 0;
  /** What was missing is appended to the request: the policy decides nothing before the recorded response. */
  let isFetching = false;
  let now: RecordedRequest = first;
  let answered: { readonly sentMs: number; readonly model: string } | null = null;

  /** The cache is as the newest request has left it. */
  function correctFacts(): Partial<Facts> {
    const idleMs = answered ? Math.max(0, clock.now() - answered.sentMs) : undefined;
    const isOtherModel = answered !== null && !isSameModel(answered.model, now.model);
    const ttl = answered ? meter.ttl : beginning.ttl;
    const isWarm = answered !== null && !hasGoneCold(answered.sentMs) && !isOtherModel;
    return {
      model: now.model,
      prices: prices.prices,
      capabilities: capabilitiesOf(now.model),
      cache: {
        state: isWarm ? "warm" : "cold",
        ttlMs: ttlMsOf[ttl],
        ...(idleMs !== undefined && { idleMs }),
        ...(isOtherModel && { isOtherModel: true }),
        ...(ttl === "1h" && { isLongMarked: true }),
      },
    };
  }

  /** Since the newest response, or since the cache was kept warm after it, more time has passed than was marked. */
  function hasGoneCold(sentMs: number): boolean {
    return clock.now() - Math.max(sentMs, meter.warmedMs) >= ttlMsOf[meter.ttl];
  }

  const files = createRecordedFiles();
  const beginning = await openReplaySession({
    model: first.model,
    startMs: first.sentMs,
    ttl: ttlFor(policy, options),
    home: options.home ?? createReplayHome(),
    createLayers(ttl) {
      const layers = policy.createLayers({
        ttlMs: ttlMsOf[ttl],
        seed: Number.parseInt(recorded.contentDigest.slice(0, 8), 16),
        restore: files.restore,
        future: createFuture(recording, () => now.index),
      });
      return [boundaries.layer, ...layers.map((layer) => inReplay(layer, correctFacts, () => isFetching))];
    },
    ...(policy.settings && { settings: policy.settings }),
    ...(policy.hasWindow && { windowTokens: capabilitiesOf(first.model).contextWindow }),
    onEvent(event) {
      watch?.event?.(event, now);
      if (event.type === "decision-record" && event.layer !== "recorded" && event.layer !== "engine")
        policyDecisions += 1;
    },
  });
  const { session, state, log, clock } = beginning;
  const feed = createRecordedFeed({
    session,
    log,
    clock,
    boundaries,
    seqs,
    keepsBoundaries,
    see: files.see,
  });
  const meter = createRequestMeter({
    state,
    cache: createCacheSimulator(options),
    capabilitiesOf,
    tally,
    sharedOverhead,
    onPaid: ({ index, use, output, isPolicyBreak }) =>
      watch?.paid?.({
        index,
        tokens: use.read + use.written + use.uncached,
        cost: requestCost(use, output, prices.prices),
        isPolicyBreak,
      }),
    ...(policy.chargesRecordedUsage && { chargesRecordedUsage: true }),
  });
  const fetcher = createFetcher({ recorded, feed, log, tally });
  const reader = createViewReader({ copies: fetcher.copies, isRecorded: (entry) => seqs.has(entry) });
  const recalls = createRecallReader(log);

  /** `null`: the engine would not send it. */
  async function send(request: RecordedRequest): Promise<((output: number) => Usage) | null> {
    const decisionsBefore = policyDecisions;
    let prepared = await prepareOrNull(() => session.prepare());
    if (!prepared && isFetching) {
      isFetching = false;
      prepared = await prepareOrNull(() => session.prepare());
    }
    if (!prepared) {
      tally.invalid();
      return null;
    }
    return meter.measure({
      recorded: request,
      prepared,
      sizes: sizesAt(request),
      nowMs: clock.now(),
      lastSeq: log.lastSeq,
      cause: causeOf(request),
      hasDecided: policyDecisions > decisionsBefore,
    });
  }

  function causeOf({ before, model }: RecordedRequest): "idle" | "recorded" | null {
    if (!answered) return null;
    if (hasGoneCold(answered.sentMs)) return "idle";
    const isCompacted = keepsBoundaries && before.some(({ kind }) => kind === "boundary");
    return isCompacted || !isSameModel(answered.model, model) ? "recorded" : null;
  }

  /** Counts where everything is that should be known, and what of it the coming response needs and has not. */
  async function lookAround(request: RecordedRequest): Promise<readonly MissingSource[]> {
    if (sizesAt(request).excluded !== undefined) return [];
    const view = reader.read(state.items);
    const facts = recording.retention[request.index];
    if (facts) await tally.retention.see(facts, view, recalls);
    const finder = createNeedFinder({
      view,
      recalls,
      wasWrittenSince: (path, from) => recording.wasWritten(path, from, request.index),
    });
    const missing = new Map<string, MissingSource>();
    for (const need of needs.byRequest[request.index] ?? []) {
      const found = await finder.find(need);
      tally.survival.add(need.atom.type, need.distance, found.state);
      if (isFarLoss(need, found.state)) tally.lost(need.atom.type, finder.lossOf(need));
      if (found.missing) missing.set(found.missing.recalled?.id ?? found.missing.source.key, found.missing);
    }
    return [...missing.values()];
  }

  async function respond(
    { response, model, sentMs }: RecordedRequest,
    usage: Usage | undefined,
  ): Promise<void> {
    const { id, responseId, content, stopReason, endMs } = response;
    clock.show(endMs);
    await feed.add(id, {
      role: "assistant",
      content,
      id: responseId,
      model,
      at: endMs,
      ...(usage && { usage }),
      ...(stopReason !== undefined && { stopReason }),
    });
    answered = { sentMs, model };
  }

  for (const request of recorded.requests) {
    now = request;
    for (const step of request.before) await feed.take(step);
    clock.show(request.sentMs);
    let sent = await send(request);
    const missing = await lookAround(request);
    if (fetchesMissing && missing.length > 0) {
      await fetcher.fetch(missing, request, sent?.(fetchCallTokens * missing.length));
      isFetching = true;
      sent = await send(request);
      isFetching = false;
    }
    await respond(request, sent?.(recording.outputOf(request)));
    watch?.request?.(request, tally.report());
  }
  await session.close();
  watch?.log?.(log.entries);
  return tally.report();
}

function ttlFor({ choosesTtl }: Policy, { ttl = "auto" }: RunOptions): "5m" | "1h" | "learned" {
  if (ttl !== "auto") return ttl;
  return choosesTtl ? "learned" : "5m";
}

/** Whether the headline counts a need as not found. */
function isFarLoss({ atom, distance }: Need, where: NeedState): boolean {
  if (where === "in-view" || where === "recall" || distance < farDistance) return false;
  return atom.type === "edit_old" || atom.type === "num";
}

async function prepareOrNull(prepare: () => Promise<Prepared>): Promise<Prepared | null> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof PalimpsestError) return null;
    throw error;
  }
}
