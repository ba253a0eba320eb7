import { createHash } from "node:crypto";
import { normalizeModelName } from "../../catalog/index.ts";
import {
  type CacheFacts,
  type CacheJudgement,
  type CacheUsage,
  type ContentBlock,
  isBlock,
  type Message,
  type ModelRequest,
  type RepairStep,
  type TextBlock,
  type Usage,
  type ViewItem,
} from "../../spec/index.ts";
import { deletedBy, refusedEdits, tokensLeft } from "../../view/cache-edits.ts";
import { shortTtlMs, ttlMsOf, unknownTtlMs } from "../../view/economics/request-gaps.ts";
import { readAppliedEdits } from "../../view/prefix/applied-edits.ts";
import { editsDigest, sentItems } from "../../view/prefix/prefix-chain.ts";
import {
  type CacheEntry,
  type CacheLife,
  createPrefixGuard,
  type GuardedPrompt,
  type PromptKeys,
} from "../../view/prefix/prefix-guard.ts";
import type { BreakpointLocations } from "../../view/request/breakpoints.ts";
import { imagesIn } from "../../view/request/media-facts.ts";
import { keepWarmName, lastUsedMs } from "../../view/statistics.ts";
import { isTurnWithoutThinking } from "../../view/thinking/thinking-choice.ts";
import { apportion, toolText } from "../../view/tokens/index.ts";
import { headTokensOf } from "../head/request-head.ts";
import type { SessionParts } from "../session-parts.ts";
import {
  type AnsweredPrefix,
  answeredPrefixes,
  type MarkedPrefix,
  rememberedRequests,
} from "./answered-prefix.ts";

/** Watches what a session's requests find in the prompt cache. */
export interface CacheWatch {
  /** Blocks before the first one of the messages. */
  readonly headBlocks: number;
  /** Before a request goes out. `images`: how many it has. */
  announce(request: ModelRequest, locations: BreakpointLocations, images: number): CacheJudgement;
  /** A response to it, and the edits that the API reports with it; `null` where no request was announced. */
  judge(usage: Usage, appliedEdits?: readonly unknown[]): CacheJudgement | null;
  /** What the newest request left there was read again. */
  touch(nowMs: number): void;
}

export type CacheWatchParts = Pick<
  SessionParts,
  "state" | "head" | "rates" | "config" | "clock" | "lifetime"
> & {
  readonly tokensOf: (block: ContentBlock) => number;
};

export function createCacheWatch(parts: CacheWatchParts): CacheWatch {
  const { state, head, config, clock, tokensOf } = parts;
  const guard = createPrefixGuard();
  /** The model asked, by whichever of its names. What answers call it plays no part. */
  const model = normalizeModelName(head.model);
  const toolBlocks = head.tools.length;
  const headBlocks = toolBlocks + head.system.length;
  const toolsDigest = digestOf(head.tools);
  const systemDigest = digestOf(head.system);
  const estimated = [head.tools.map(toolText), head.system].map((blocks) => sizeOf(blocks, tokensOf));

  function keysOf(request: ModelRequest, images: number): PromptKeys {
    return { model, toolsDigest, systemDigest, messagesDigest: messagesKey(request, images) };
  }

  /** The provider's key of a prefix; only the ends of tools and system have one among the head's blocks. */
  function digestAt(position: number, messagesDigest: string): string | null {
    const messages = position - headBlocks + 1;
    if (messages > 0) return `${model} ${messagesDigest} ${state.prefixDigest(messages)}`;
    if (messages === 0) return `${model} ${state.prefixDigest(0)}`;
    return position === toolBlocks - 1 ? `${model} ${toolsDigest}` : null;
  }

  function tokensAt(position: number, most: number): number {
    const head = headTokensOf(parts).tokens;
    if (position < toolBlocks) return apportion(estimated, head)[0] ?? 0;
    const { items } = state;
    const left = tokensLeft(items, tokensOf);
    /** The view may have become shorter since the request was announced. */
    const end = Math.min(position - headBlocks + 1, items.length);
    let tokens = head;
    for (let at = 0; at < end && tokens <= most; at += 1) tokens += left((items[at] as ViewItem).block);
    return tokens;
  }

  function marksOf({ newest, former }: BreakpointLocations): readonly number[] {
    const messages = [former, newest].flatMap((at) => (at === undefined ? [] : headBlocks + at));
    return [...new Set([toolBlocks - 1, headBlocks - 1, ...messages])].filter((at) => at >= 0);
  }

  /** What was logged up to here, nobody watched. */
  const { lastSeq: unwatchedSeq } = state;
  const recalled = new Set<string>();

  /**
   * The input of the newest response in the view is in the cache since then. Where it does not stand there any more,
   * neither is it found; that of the newest one that does may be, and older markers of those behind it. An edit of
   * history may bring back either.
   */
  function recallFormer(keys: PromptKeys, request: ModelRequest): void {
    let hasNewest = false;
    let looked = 0;
    for (const prefix of answeredPrefixes(state)) {
      const message = state.messageOf(prefix.entry);
      const isWatched = prefix.seq > unwatchedSeq || recalled.has(prefix.entry);
      if (message?.usage && !isWatched)
        recall(prefix, { ...message, usage: message.usage }, !hasNewest, keys, request);
      hasNewest ||= message?.usage !== undefined;
      looked += 1;
      if ((hasNewest && prefix.stands) || looked === rememberedRequests) return;
    }
  }

  function recall(
    prefix: AnsweredPrefix,
    message: Message & { readonly usage: Usage },
    isNewest: boolean,
    keys: PromptKeys,
    request: ModelRequest,
  ): void {
    recalled.add(prefix.entry);
    const answered = state.answered(prefix.entry);
    const tokens = message.usage.cacheRead + message.usage.cacheCreation;
    if (tokens === 0 || answered === undefined) return;
    const { askedAtMs, model = head.model } = answered;
    const usedAtMs = (isNewest ? lastUsedMs(state.statistics) : undefined) ?? askedAtMs;
    const former = normalizeModelName(model);
    const messagesDigest = formerKey(request, state.items.slice(0, prefix.position + 1));
    const formerKeys = { ...keys, messagesDigest, ...head.former, model: former };
    const put = (
      { position, digest }: MarkedPrefix,
      size: Partial<Pick<CacheEntry, "tokens" | "edits">> = {},
    ) =>
      guard.recall(
        {
          position: headBlocks + position,
          digest: `${former} ${messagesDigest} ${digest}`,
          usedAtMs,
          ...size,
        },
        formerKeys,
        readAppliedEdits(message.contextManagement?.applied_edits),
      );
    if (isNewest || prefix.stands) put(prefix, { tokens, edits: editsDigest(message.prefixDigest ?? "") });
    if (prefix.older) put(prefix.older);
  }

  /** The key of a request that had these items: a turn that began without thinking was asked for none. */
  function formerKey(request: ModelRequest, items: readonly ViewItem[]): string {
    const thinking = head.fields.thinking as { readonly type?: string } | undefined;
    const isOff = thinking?.type === "enabled" && isTurnWithoutThinking(items);
    const images = items.reduce((sum, { block }) => sum + imagesIn(block).length, 0);
    return messagesKey({ ...request, thinking: isOff ? undefined : thinking }, images);
  }

  return {
    headBlocks,
    announce(request, locations, images) {
      const keys = keysOf(request, images);
      recallFormer(keys, request);
      const prompt: GuardedPrompt = {
        headBlocks,
        marks: marksOf(locations),
        edits: editsDigest(state.prefixDigest(state.items.length)),
        digestAt: (position) => digestAt(position, keys.messagesDigest),
        tokensAt,
        life: cacheLife(parts),
        decisions: [...state.decidedSince],
        minCachedTokens: config.capabilities.minCachedPrefix,
        ...keys,
      };
      return guard.announce(prompt, clock.now());
    },
    touch: guard.touch,
    judge(usage, appliedEdits) {
      const prices = config.catalog.prices(head.model).value;
      return guard.judge(usage, clock.now(), prices, readAppliedEdits(appliedEdits));
    },
  };
}

/** Thinking, tool choice and whether there are images are in the key of every message. */
function messagesKey({ thinking, tool_choice: choice }: ModelRequest, images: number): string {
  const mode = thinking as { readonly type?: string; readonly budget_tokens?: number } | undefined;
  const isOn = mode !== undefined && mode.type !== "disabled";
  return JSON.stringify([isOn ? [mode.type, mode.budget_tokens] : null, choice ?? null, images > 0]);
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function sizeOf(blocks: readonly TextBlock[], tokensOf: (block: ContentBlock) => number): number {
  return blocks.reduce((sum, block) => sum + tokensOf(block), 0);
}

type CacheParts = Pick<SessionParts, "state" | "head" | "config" | "lifetime">;

/**
 * How long the provider keeps what nobody asks for: as responses say that they wrote it, else as the session's markers
 * ask where the provider heeds them; and no less than the longest gap after which something was still read. Whether
 * markers are heeded, responses tell; before they do, what is known of the model.
 */
export function cacheLife(parts: CacheParts): CacheLife {
  const { caching, warmGapMs = -1 } = isOtherModel(parts) ? {} : parts.state.statistics;
  const isMarked = caching === undefined ? parts.config.capabilities.cacheMarkers : caching !== "automatic";
  const marked = caching === "5m" || caching === "1h" ? caching : parts.lifetime.ttl;
  const toldMs = isMarked ? ttlMsOf(marked) : unknownTtlMs;
  return {
    believedMs: Math.max(toldMs, warmGapMs + 1),
    sureMs: isMarked ? toldMs : shortTtlMs,
    isKnown: isMarked || warmGapMs >= toldMs,
  };
}

/** The facts about the provider's cache now: by the model asked, what usages said, and the clock, in that order. */
export function cacheFacts(parts: CacheParts, nowMs: number): CacheFacts {
  const usedAtMs = lastUsedMs(parts.state.statistics);
  const { believedMs, isKnown } = cacheLife(parts);
  const usual = {
    ...(isKnown && { ttlMs: believedMs }),
    ...(parts.lifetime.ttl === "1h" && { isLongMarked: true }),
  };
  if (usedAtMs === undefined) return { state: "cold", ...usual };
  const idleMs = Math.max(0, nowMs - usedAtMs);
  if (isOtherModel(parts)) return { state: "cold", ...usual, idleMs, isOtherModel: true };
  return { state: idleMs < believedMs ? "warm" : "cold", ...usual, idleMs };
}

/** The same for a person, with what keeping it costs. */
export function cacheUsage(parts: CacheParts, nowMs: number): CacheUsage {
  const { state, idleMs } = cacheFacts(parts, nowMs);
  const { ttl: lifetime, reason } = parts.lifetime;
  const keepWarmDollars = parts.state.statistics.forkDollars?.[keepWarmName];
  return {
    state,
    lifetime,
    reason,
    ...(idleMs !== undefined && { idleMs }),
    ...(keepWarmDollars !== undefined && { keepWarmDollars }),
  };
}

/** Whether the session asks another model than it asked for the newest response. Names of answers play no part. */
function isOtherModel({ state, head }: Pick<SessionParts, "state" | "head">): boolean {
  const { respondedFor = head.model } = state.statistics;
  if (respondedFor === head.model) return false;
  return normalizeModelName(respondedFor) !== normalizeModelName(head.model);
}

/** A repair that takes cache edits out of the view, and brings back what they deleted. */
interface EditRepair {
  readonly steps: readonly RepairStep[];
  readonly frees: number;
  readonly reason: string;
}

/**
 * The repair of cache edits that the provider would refuse; `null` where it takes all of them. Items before `readItems`
 * are read from the cache by the request as it is now.
 */
export function unrepeatableEdits(
  { state, head, config }: Pick<SessionParts, "state" | "head" | "config">,
  readItems: number,
  hasImages: boolean,
  tokensOf: (block: ContentBlock) => number,
): EditRepair | null {
  const { items } = state;
  if (editsDigest(state.prefixDigest(items.length)) === "") return null;
  const isAble = config.capabilities.cacheEdits;
  const answeredItems = isAble ? answered() : 0;
  const edits = refusedEdits({ items, answeredItems, readItems: isAble ? readItems : 0 });
  if (edits.length === 0) return null;

  /** Another model has accepted nothing yet, and neither has one that saw no image before. */
  function answered(): number {
    if (isOtherModel({ state, head })) return 0;
    const position = sentItems({
      items,
      digestAt: state.prefixDigest,
      digestOf: (entry) => state.messageOf(entry)?.prefixDigest,
    });
    const hadImages = items.slice(0, position).some(({ block }) => imagesIn(block).length > 0);
    return hadImages === hasImages ? position : 0;
  }

  const why = "the cache no longer holds what it deletes";
  const back = new Set(edits.flatMap(deletedBy));
  return {
    steps: edits.map(({ entry, index: block }) => ({ repair: "drop-block", place: { entry, block }, why })),
    frees: -items.reduce(
      (sum, { block }) =>
        isBlock(block, "tool_result") && back.has(block.tool_use_id) ? sum + tokensOf(block) : sum,
      0,
    ),
    reason: `a cache edit cannot be repeated: ${why}`,
  };
}
