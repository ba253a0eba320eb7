import { pricesAt } from "../../catalog/index.ts";
import {
  type CacheJudgement,
  type Capabilities,
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  type LayerReport,
  type Message,
  type ModelRequest,
  type Moment,
  ok,
  type Prepared,
  type PreparedRequest,
  type QuerySource,
  type RepairStep,
  type RequestPatch,
  type Result,
  type TokenCount,
  type ViewItem,
} from "../../spec/index.ts";
import type { CacheTtl } from "../../view/economics/request-gaps.ts";
import type { CutAnswer } from "../../view/newest-answer.ts";
import type { PrefixDigests } from "../../view/prefix/prefix-chain.ts";
import { freedByRepair } from "../../view/request/answer-repair.ts";
import {
  type BreakpointLocations,
  firstMarkedMessage,
  maxBreakpoints,
  placeBreakpoints,
  withBreakpoints,
} from "../../view/request/breakpoints.ts";
import {
  newImageSteps,
  type RepairedImages,
  tooLargePattern,
  tooLargeSteps,
} from "../../view/request/image-repair.ts";
import { compactionEditBeta, nativeBetas, onDemandBeta } from "../../view/request/native-block.ts";
import { refusedBlockSteps } from "../../view/request/refused-blocks.ts";
import { createRepairer } from "../../view/request/repair.ts";
import { createValidator } from "../../view/request/validator.ts";
import type { Violation } from "../../view/request/violation.ts";
import { sendsUntilRefused } from "../../view/switches.ts";
import { mostTokensPerEstimated, plainEstimate, unpadEstimate } from "../../view/tokens/index.ts";
import { withoutLongSuffix } from "../../view/window/window.ts";
import { formerMark } from "../cache/answered-prefix.ts";
import { type CacheWatch, cacheFacts, unrepeatableEdits } from "../cache/cache-watch.ts";
import { keepWarmLimits, keepWarmOf } from "../cache/settings.ts";
import type { SettledThinking, ThinkingGuard } from "../cache/thinking-guard.ts";
import { headTokensOf, withPatch } from "../head/request-head.ts";
import type { SessionParts } from "../session-parts.ts";
import { readBackAddress } from "./facts.ts";
import { createCutAnswers, type LayerRunner } from "./layer-runner.ts";
import type { LayerOutcome } from "./run-layers.ts";

/** Why a request is made; `reactive`: the provider has found the one before too long, and said so much of it. */
export type RequestTrigger = Pick<
  Extract<Moment, { readonly kind: "before-request" }>,
  "trigger" | "overflow"
> & {
  readonly trigger: "auto" | "reactive";
  /** The provider has refused the request before, in these words: what they name is repaired first. */
  readonly refused?: string;
};

/** Makes requests of the session's state. */
export interface RequestBuilder {
  prepare(trigger: RequestTrigger, signal?: AbortSignal): Promise<Result<Prepared>>;
  /** Why the next request would be made, where nobody says. */
  dueTrigger(): RequestTrigger;
  /** The request made last: what a response that comes now was produced on. */
  sentPrefix(): SentPrefix;
}

/** What is logged of a request with its answer. */
type SentPrefix = Required<Pick<Message, "prefixDigest">> & Pick<Message, "markedDigest">;

export interface RequestBuilderParts extends SessionParts {
  readonly runner: LayerRunner;
  readonly guard: ThinkingGuard;
  /** Absent where nobody watches the cache. */
  readonly watch?: CacheWatch;
  readonly count: () => TokenCount;
  readonly tokensOf: (block: ContentBlock) => number;
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
}

/** A request with its markers, and what it will find in the cache where somebody watches. */
interface MarkedRequest {
  readonly request: ModelRequest;
  /** See `Message`. */
  readonly markedDigest?: string;
  readonly cache?: CacheJudgement;
  readonly settled: SettledView;
  readonly count: TokenCount;
}

/** Changes of the view before it could be sent. */
interface SettledView extends SettledThinking {
  readonly steps: readonly RepairStep[];
}

/** The repair recorded, and from which item on the view may have changed. */
interface RepairOutcome {
  readonly steps: readonly RepairStep[];
  readonly from: number;
}

/** The newest answer was cut because the window was full. */
const afterCut: RequestTrigger = { trigger: "reactive", overflow: { isAnswerCut: true } };

export function createRequestBuilder(parts: RequestBuilderParts): RequestBuilder {
  const { head, state, config, runner, guard, watch, count, tokensOf, append, emit, clock, lifetime } = parts;
  const { capabilities, windowTokens } = config;
  const limits = { images: capabilities.images, maxBreakpoints };
  const repairedImages: RepairedImages = {
    ...capabilities.images,
    ...readBackAddress(parts),
    headBytes: () => Buffer.byteLength(JSON.stringify([head.system, head.tools, head.fields])),
  };
  const repairer = createRepairer({
    images: repairedImages,
    compactionBetas: takenBetas(capabilities, head.fields),
    ...(head.keepsUnknownBlocks && { keepsUnknown: true }),
  });
  const validator = createValidator(limits);
  const cutAnswers = createCutAnswers(parts);
  /** Digests of all prefixes of the request before. */
  let former: PrefixDigests | null = null;
  let sent: SentPrefix = { prefixDigest: state.prefixDigest(0) };
  /** The first message that had a marker in the request validated last. */
  let firstMarked = 0;

  async function record(steps: readonly RepairStep[], frees: number, reason: string): Promise<Result<void>> {
    const decision = { type: "repair", layer: "engine", reason, frees, basis: state.head, steps } as const;
    const appended = await append([{ kind: "decision", decision }]);
    return appended.ok ? ok() : appended;
  }

  /** Records the repair of a request before it is sent. Says from which item on the view may have changed. */
  async function repair(betas: readonly string[]): Promise<Result<RepairOutcome>> {
    const steps = repairer.steps(state.items, state.validItems, betas);
    const frees = freedByRepair(state.items, steps, tokensOf);
    const repaired = steps.length > 0 ? await record(steps, frees, "a valid request needs it") : ok();
    if (!repaired.ok) return repaired;
    const from = state.validItems;
    state.markValid();
    return ok({ steps, from });
  }

  function stepsFor(words: string): readonly RepairStep[] {
    if (tooLargePattern.test(words)) return tooLargeSteps(state.items, repairedImages);
    const { logAddress } = repairedImages;
    const context = { betas: betasWith(parts), ...(logAddress !== undefined && { logAddress }) };
    return refusedBlockSteps(state.items, words, context);
  }

  /** Blocks the provider has refused by name are not sent again. */
  async function repairRefused(words: string | undefined): Promise<Result<readonly RepairStep[]>> {
    const steps = words === undefined ? [] : stepsFor(words);
    const frees = freedByRepair(state.items, steps, tokensOf);
    const repaired = steps.length > 0 ? await record(steps, frees, "the provider has refused it") : ok();
    return repaired.ok ? ok(steps) : repaired;
  }

  /** New images that the API would not take are no reason to free anything: they go before the layers decide. */
  async function repairImages(): Promise<Result<readonly RepairStep[]>> {
    const steps = newImageSteps(state.items, repairedImages);
    const frees = freedByRepair(state.items, steps, tokensOf);
    const repaired = steps.length > 0 ? await record(steps, frees, "a valid request needs it") : ok();
    return repaired.ok ? ok(steps) : repaired;
  }

  async function settle(betas: readonly string[]): Promise<Result<SettledView>> {
    const repaired = await repair(betas);
    if (!repaired.ok) return repaired;
    const { steps, from } = repaired.value;
    const thinking = await guard.settle(from);
    if (!thinking.ok) return thinking;
    const again = thinking.value.hasStripped ? await repair(betas) : ok({ steps: [] });
    if (!again.ok) return again;
    return ok({ ...thinking.value, steps: [...steps, ...again.value.steps] });
  }

  /** Before the layers decide: what they save is priced by it. */
  function chooseLifetime(): void {
    const { tokens } = count();
    const prices = pricesAt(config.catalog.prices(head.model).value, tokens);
    const isWarm = cacheFacts(parts, clock.now()).state === "warm";
    const keepsWarm = parts.gaps.pauses.use === "interactive" && keepWarmOf(config.settings).enabled;
    const keepWarm = (ttl: CacheTtl) => keepWarmLimits(config.settings, ttl);
    lifetime.choose({
      capabilities,
      prices,
      promptTokens: tokens,
      isWarm,
      ...(keepsWarm && { keepWarm }),
    });
  }

  /** Blocks at the beginning that are the same as in the request before, to the byte. */
  function sharedWithFormer(): number {
    if (!former) return 0;
    let shared = Math.min(former.items, state.items.length);
    if (shared === 0 || former.at(shared) === state.prefixDigest(shared)) return shared;
    for (let low = 0; shared - low > 1; ) {
      const middle = (low + shared) >> 1;
      if (former.at(middle) === state.prefixDigest(middle)) low = middle;
      else shared = middle;
    }
    return shared - 1;
  }

  /** The first request of a fork marks the end of what forks of the same answer share: the first of them writes it for all. */
  function markable(items: readonly ViewItem[]): readonly ViewItem[] {
    const { sharedItems } = parts;
    return sharedItems !== undefined && former === null ? items.slice(0, sharedItems) : items;
  }

  /** Looks at the messages that are other ones than in the request before, by themselves or by their markers. */
  function validated(request: ModelRequest, locations: BreakpointLocations): readonly Violation[] {
    const before = firstMarked;
    firstMarked = firstMarkedMessage(request.messages, locations, state.items.length);
    const same = Math.min(state.sameMessages, before, firstMarked);
    state.markTaken();
    return validator.validate(request, same);
  }

  /**
   * The padding of an estimated head refuses nothing: the provider's first answer says how large it is. Neither does a
   * reported usage that is many times what there is by our own count: the provider says so itself if it is too much.
   */
  function mayFit({ tokens, source }: TokenCount, limit: number): boolean {
    if (source === "usage") return state.estimated(plainEstimate) * mostTokensPerEstimated < limit;
    const head = headTokensOf(parts);
    return head.source === "plain" && tokens - head.tokens + unpadEstimate(head.tokens) < limit;
  }

  /** The first count of tokens at which no request is sent. */
  function limitTokens(): number {
    if (makesRoom(parts.source)) return windowTokens + 1;
    const { switches, flags } = config;
    if (sendsUntilRefused({ switches: { ...switches }, flags: { ...flags.values } }))
      return Number.POSITIVE_INFINITY;
    return Math.min(windowTokens + 1, config.thresholds.blocking);
  }

  /** The request as the view is now. */
  async function make(patches: readonly RequestPatch[]): Promise<Result<MarkedRequest>> {
    const settled = await settle(betasWith(parts, patches));
    if (!settled.ok) return settled;
    const { items } = state;
    const now = count();
    if (items.length === 0) return nothingToSend();
    const limit = limitTokens();
    if (!(now.tokens < limit) && !mayFit(now, limit)) return refuseOverLimit(now.tokens, limit);
    const bare: ModelRequest = {
      model: withoutLongSuffix(head.model),
      max_tokens: capabilities.maxOutput,
      ...(head.system.length > 0 && { system: head.system }),
      ...(head.tools.length > 0 && { tools: head.tools }),
      messages: state.messages,
    };
    const carries = { betas: nativeBetas(items) };
    const request = [
      { betas: config.windowBetas },
      head.fields,
      ...patches,
      carries,
      settled.value.patch,
    ].reduce(withPatch, bare);
    const mark = formerMark(state);
    const locations = placeBreakpoints(markable(items), mark?.position ?? null);
    const marked = withBreakpoints(request, locations, lifetime.ttl, items.length);
    const [violation] = [...validated(marked, locations), ...guard.check(marked)];
    if (violation) return invalid(violation.path, violation.message);
    const cache = watch?.announce(marked, locations, validator.images);
    const isMarkedOlder = mark?.isOlder && locations.former === mark.position;
    return ok({
      request: marked,
      ...(isMarkedOlder && { markedDigest: state.prefixDigest(mark.position + 1) }),
      ...(cache && { cache }),
      settled: settled.value,
      count: now,
    });
  }

  /** Cache edits that the provider would refuse are taken back before anything is sent. */
  async function makeSendable(patches: readonly RequestPatch[]): Promise<Result<MarkedRequest>> {
    const steps: RepairStep[] = [];
    for (;;) {
      const made = await make(patches);
      if (!made.ok) return made;
      const { cache, settled } = made.value;
      const read = watch && cache ? cache.firstBlock - watch.headBlocks : 0;
      const refused = unrepeatableEdits(parts, read, validator.images > 0, tokensOf);
      if (!refused)
        return ok({ ...made.value, settled: { ...settled, steps: [...steps, ...settled.steps] } });
      const recorded = await record(refused.steps, refused.frees, refused.reason);
      if (!recorded.ok) return recorded;
      steps.push(...settled.steps, ...refused.steps);
    }
  }

  /** Changes taken back behind the layers' backs may make a request too large: they decide once more then. */
  async function decideAndMake(
    trigger: RequestTrigger,
    signal: AbortSignal | undefined,
  ): Promise<Result<{ readonly due: LayerOutcome; readonly made: MarkedRequest }>> {
    const reports: LayerReport[] = [];
    for (let isSecond = false; ; isSecond = true) {
      const edits = isSecond ? { withoutCacheEdits: true } : {};
      const moment = { kind: "before-request", ...trigger, ...edits } as const;
      const due = await runner.reach(moment, signal);
      if (!due.ok) return due;
      reports.push(...due.value.reports);
      const decidedSeq = state.lastSeq;
      const made = await makeSendable(due.value.patches);
      if (made.ok) return ok({ due: { ...due.value, reports }, made: made.value });
      const mayHelp = made.error.code === "too-large" && state.lastSeq > decidedSeq;
      if (isSecond || !mayHelp) return made;
    }
  }

  /** Where the window was full, an answer is asked for again on less. Where nothing could be freed, it stays. */
  async function decideAfterCut(
    cut: CutAnswer,
    trigger: RequestTrigger,
    signal: AbortSignal | undefined,
  ): ReturnType<typeof decideAndMake> {
    const taken = await cutAnswers.takeBack(cut);
    if (!taken.ok) return taken;
    const decided = await decideAndMake(trigger, signal);
    const isSame = state.prefixDigest(state.items.length) === cut.prefixDigest;
    if (!taken.value || (decided.ok && !isSame)) return decided;
    const givenUp = await cutAnswers.giveUp(taken.value);
    return decided.ok ? givenUp : decided;
  }

  return {
    sentPrefix: () => sent,
    dueTrigger: () => (cutAnswers.find() ? afterCut : { trigger: "auto" }),
    async prepare({ refused: words, ...asked }, signal) {
      chooseLifetime();
      const refused = await repairRefused(words);
      if (!refused.ok) return refused;
      const images = await repairImages();
      if (!images.ok) return images;
      const cut = cutAnswers.find();
      const trigger = cut && asked.trigger === "auto" ? afterCut : asked;
      const decided = await (cut ? decideAfterCut(cut, trigger, signal) : decideAndMake(trigger, signal));
      if (!decided.ok) return decided;
      const { due, made } = decided.value;
      const { request, markedDigest, cache, settled, count: now } = made;
      const { items } = state;
      const sharedBlocks = sharedWithFormer();
      former = state.prefixDigests();
      const prefixDigest = state.prefixDigest(items.length);
      sent = { prefixDigest, ...(markedDigest !== undefined && { markedDigest }) };
      emit({ type: "request-start", tokens: now.tokens, blocks: items.length, sharedBlocks });
      return ok({
        request: toPrepared(request),
        report: {
          layers: due.reports,
          count: now,
          repairs: [...refused.value, ...images.value, ...settled.steps].map(({ repair: what }) => what),
          messages: request.messages.length,
          blocks: items.length,
          sharedBlocks,
          prefixDigest,
          ...(cache && { cache }),
          ...(settled.report && { thinking: settled.report }),
        },
      });
    },
  };
}

/** The very same object: only its type says less of it, as the SDKs' do. */
function toPrepared(request: ModelRequest): PreparedRequest {
  return request as PreparedRequest;
}

/** A fork that makes room may use the room that is kept free for it. */
function makesRoom(source: QuerySource): boolean {
  return source === "compaction" || source === "notes" || source === "collapse";
}

/** The beta headers that a request has besides those of what it carries. */
function betasWith(
  { head, config }: Pick<SessionParts, "head" | "config">,
  patches: readonly RequestPatch[] = [],
): readonly string[] {
  const given = [head.fields, ...patches].flatMap(({ betas }) => (Array.isArray(betas) ? betas : []));
  return [...config.windowBetas, ...(head.modelBetas ?? []), ...(given as readonly string[])];
}

/** Headers of the compaction blocks that a model takes; who sets one by hand knows better. */
function takenBetas(
  { nativeCompaction, serverCompaction }: Capabilities,
  { betas }: RequestPatch,
): readonly string[] {
  const given = Array.isArray(betas) ? (betas as readonly string[]) : [];
  return [
    ...given,
    ...(nativeCompaction ? [onDemandBeta] : []),
    ...(serverCompaction ? [compactionEditBeta] : []),
  ];
}

function nothingToSend(): Result<never> {
  return fail("invalid-input", "There is nothing to send: the conversation is empty.", {
    fix: "Add a message first.",
  });
}

function refuseOverLimit(tokens: number, limit: number): Result<never> {
  return fail("too-large", `The request has about ${tokens} tokens, and none over ${limit - 1} is sent.`, {
    fix: "Compact the session, send less at once, use fewer tools, or a model with a larger window.",
    facts: { tokens, limit },
  });
}

function invalid(path: string, message: string): Result<never> {
  return fail("corrupt", `The request is not valid and was not made: ${path}: ${message}`, {
    path,
    fix: "This is a fault of the engine: please report it with the session's log.",
  });
}
