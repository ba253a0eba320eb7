import { recallTool } from "@palimpsest/core";
import { createCatalog } from "@palimpsest/core/catalog";
import {
  type Capabilities,
  type ContentBlock,
  type Facts,
  isBlock,
  type Layer,
  PalimpsestError,
  type Prepared,
  type ToolResultBlock,
  type ToolUseBlock,
  type Usage,
} from "@palimpsest/core/spec";
import { createCacheSimulator } from "./cost/cache-simulator.ts";
import { requestCost, ttlMsOf } from "./cost/price-row.ts";
import { createRequestMeter } from "./cost/request-meter.ts";
import { createFuture, type Need } from "./grounding/find-needs.ts";
import { createViewReader, type NeedState } from "./grounding/need-state.ts";
import type { RecordedBlock } from "./grounding/recorded-blocks.ts";
import { farDistance } from "./grounding/survival.ts";
import type { Policy } from "./policy.ts";
import type { PreparedRecording } from "./prepared-recording.ts";
import type { RecordedRequest, RecordedSession } from "./recorded-session.ts";
import type { RunOptions, RunReport } from "./run-report.ts";
import { createRunTally } from "./run-tally.ts";
import { createRecordedBoundaries, createRecordedFeed } from "./session/recorded-feed.ts";
import { createRecordedFiles } from "./session/recorded-files.ts";
import { openReplaySession } from "./session/replay-session.ts";
import { estimatedTokens } from "./sizes/prompt-content.ts";

/** The output tokens of a call for one block. */
const fetchCallTokens = 80;
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
  const { ttl, prices, priceRows, fetchesMissing, ignoresBoundaries = false, watch } = options;
  const ttlMs = ttlMsOf[ttl];
  const tally = createRunTally(priceRows, ttl);
  const [first] = recorded.requests;
  if (!first) return tally.report();
  const seqs = new Map<string, number>();
  const boundaries = createRecordedBoundaries((id) => seqs.get(id));
  /** Entries that hold a fetched copy, and the block it is a copy of. */
  const aliases = new Map<string, string>();
  const sizesOf = (request: RecordedRequest) =>
    ignoresBoundaries ? recording.sizesOf(0) : recording.sizesAt(request);
  let policyDecisions = 0;
  let now: RecordedRequest = first;
  let answered: { readonly endMs: number; readonly model: string } | null = null;

  function correctFacts(): Partial<Facts> {
    const idleMs = answered ? Math.max(0, clock.now() - answered.endMs) : undefined;
    const isWarm = idleMs !== undefined && idleMs < ttlMs && answered?.model === now.model;
    return {
      model: now.model,
      prices: prices.prices,
      capabilities: capabilitiesOf(now.model),
      cache: {
        state: isWarm ? "warm" : "cold",
        ttlMs,
        ...(idleMs !== undefined && { idleMs }),
        ...(answered && answered.model !== now.model && { isOtherModel: true }),
        ...(ttl === "1h" && { isLongMarked: true }),
      },
    };
  }

  const files = createRecordedFiles();
  const layers = policy.createLayers({
    ttlMs,
    seed: Number.parseInt(recorded.contentDigest.slice(0, 8), 16),
    restore: files.restore,
    future: createFuture(recording, () => now.index),
  });
  const { session, state, log, clock } = await openReplaySession({
    model: first.model,
    startMs: first.sentMs,
    ttl: options.ttl,
    layers: [boundaries.layer, ...layers.map((layer) => withFacts(layer, correctFacts))],
    ...(policy.settings && { settings: policy.settings }),
    ...(policy.hasWindow && { windowTokens: capabilitiesOf(first.model).contextWindow }),
    onEvent(event) {
      watch?.event?.(event, now);
      if (event.type === "decision-record" && event.layer !== "recorded" && event.layer !== "engine")
        policyDecisions += 1;
    },
  });
  const feed = createRecordedFeed({
    session,
    log,
    clock,
    boundaries,
    seqs,
    ignoresBoundaries,
    see: files.see,
  });
  const cache = createCacheSimulator({ ...options, ttlMs });
  const meter = createRequestMeter({
    state,
    cache,
    capabilitiesOf,
    tally,
    sharedOverhead,
    onPaid: ({ index, use, output, isPolicyBreak }) =>
      watch?.paid?.({
        index,
        tokens: use.read + use.written + use.uncached,
        cost: requestCost(use, output, prices.prices, ttl),
        isPolicyBreak,
      }),
    ...pickCharge(policy),
  });
  const kindOf = createBlockKinds(recorded);
  const reader = createViewReader(aliases);
  const isCounted = (request: RecordedRequest) => sizesOf(request).excluded === undefined;

  /** `null`: the engine would not send it. */
  async function send(request: RecordedRequest): Promise<((output: number) => Usage) | null> {
    const decisionsBefore = policyDecisions;
    const prepared = await prepareOrNull(() => session.prepare());
    if (!prepared) {
      tally.invalid();
      return null;
    }
    return meter.measure({
      recorded: request,
      prepared,
      sizes: sizesOf(request),
      nowMs: clock.now(),
      lastSeq: log.lastSeq,
      cause: causeOf(request),
      hasDecided: policyDecisions > decisionsBefore,
    });
  }

  function causeOf({ before, model }: RecordedRequest): "idle" | "recorded" | null {
    if (!answered) return null;
    if (clock.now() - answered.endMs >= ttlMs) return "idle";
    const isCompacted = !ignoresBoundaries && before.some(({ kind }) => kind === "boundary");
    return isCompacted || answered.model !== model ? "recorded" : null;
  }

  /** Counts where everything is that the coming response needs, and gives the sources of what is not in view. */
  function lookAtNeeds(request: RecordedRequest): readonly RecordedBlock[] {
    const wanted = needs.byRequest[request.index] ?? [];
    if (!isCounted(request)) return [];
    const view = reader.read(state.items, (path, from) => recording.wasWritten(path, from, request.index));
    const facts = ignoresBoundaries ? undefined : recording.retention[request.index];
    if (facts) tally.retention.see(facts, view);
    const missing = new Map<string, RecordedBlock>();
    for (const need of wanted) {
      const where = view.stateOf(need);
      tally.survival.add(need.atom.type, need.distance, where);
      if (isFarLoss(need, where)) tally.lost(need.atom.type, view.lossOf(need));
      if (where === "in-view") continue;
      const source = view.sourceToFetch(need);
      missing.set(source.key, source);
    }
    return [...missing.values()];
  }

  async function fetch(source: RecordedBlock, number: number, usage: Usage | undefined): Promise<void> {
    const id = `fetch_${now.index}_${number}`;
    const { call, result } = fetchedBlock(source, id);
    const { model } = now;
    await feed.add(`${id}_call`, { role: "assistant", content: [call], id, model, ...(usage && { usage }) });
    await feed.add(`${id}_result`, { role: "user", content: [result] });
    aliases.set(`${id}_result`, source.key);
    tally.fetched(kindOf(source.block), estimatedTokens(result));
  }

  async function respond({ response, model }: RecordedRequest, usage: Usage | undefined): Promise<void> {
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
    answered = { endMs, model };
  }

  for (const request of recorded.requests) {
    now = request;
    for (const step of request.before) await feed.take(step);
    clock.show(request.sentMs);
    let sent = await send(request);
    const missing = lookAtNeeds(request);
    if (fetchesMissing) {
      for (const [number, source] of missing.entries()) {
        await fetch(source, number, sent?.(fetchCallTokens));
        sent = await send(request);
      }
    }
    await respond(request, sent?.(recording.outputOf(request)));
    watch?.request?.(request, tally.report());
  }
  await session.close();
  watch?.log?.(log.entries);
  return tally.report();
}

/** Whether the headline counts a need as not found. */
function isFarLoss({ atom, distance }: Need, where: NeedState): boolean {
  if (where === "in-view" || where === "recall" || distance < farDistance) return false;
  return atom.type === "edit_old" || atom.type === "num";
}

function pickCharge({ chargesRecordedUsage }: Policy): Pick<Policy, "chargesRecordedUsage"> {
  return chargesRecordedUsage ? { chargesRecordedUsage } : {};
}

async function prepareOrNull(prepare: () => Promise<Prepared>): Promise<Prepared | null> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof PalimpsestError) return null;
    throw error;
  }
}

/**
 * The same layer, told by `correct` what a replay knows better than the engine. What it writes is for a model that can
 * recall, though a recording does not say which tools there were.
 */
function withFacts<Command>(
  layer: Layer<Command>,
  correct: (facts: Facts) => Partial<Facts>,
): Layer<Command> {
  return {
    ...layer,
    decide(view, moment, facts) {
      const { logAddress: _address, ...known } = facts;
      return layer.decide(view, moment, { ...known, ...correct(facts) });
    },
    apply: (command, io, signal) => layer.apply(command, io, signal),
  };
}

/** The call that brings a block back, and the result it comes in. No policy clears results of this tool. */
function fetchedBlock(
  { key, block, text }: RecordedBlock,
  id: string,
): { readonly call: ToolUseBlock; readonly result: ToolResultBlock } {
  const content = isBlock(block, "tool_result") ? (block.content ?? text) : text;
  return {
    call: { type: "tool_use", id, name: recallTool.name, input: { id: key } },
    result: { type: "tool_result", tool_use_id: id, content },
  };
}

/** The kind of a block: the tool of a result, the tool of a call, or its type. */
function createBlockKinds({ requests }: RecordedSession): (block: ContentBlock) => string {
  const tools = new Map<string, string>();
  for (const { response } of requests)
    for (const block of response.content) if (isBlock(block, "tool_use")) tools.set(block.id, block.name);
  return (block) => {
    if (isBlock(block, "tool_result")) return tools.get(block.tool_use_id) ?? block.type;
    return isBlock(block, "tool_use") ? `${block.name} input` : block.type;
  };
}
