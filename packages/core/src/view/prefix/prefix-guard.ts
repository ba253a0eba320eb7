import type { CacheJudgement, DecisionType, Prices, Usage } from "../../spec/index.ts";
import { type AppliedEdits, nothingApplied } from "./applied-edits.ts";
import { type Change, explainBreak, explainHit } from "./prefix-chain.ts";

/** Keys for comparing a request with the one before. */
export interface PromptKeys {
  readonly model: string;
  readonly toolsDigest: string;
  readonly systemDigest: string;
  /** Of what else is in the key of messages: thinking, tool choice, whether there are images. */
  readonly messagesDigest: string;
}

/** How long the provider keeps what nobody asks for. */
export interface CacheLife {
  /** As it is believed: at that very moment an entry is gone. */
  readonly believedMs: number;
  /** Nothing is gone before, unless the provider breaks its word. */
  readonly sureMs: number;
  /** Whether `believedMs` rests on markers or responses, or is only assumed. */
  readonly isKnown: boolean;
}

/** A request as the guard sees it. */
export interface GuardedPrompt extends PromptPrefixes, PromptKeys {
  /** How many blocks tools and system have. */
  readonly headBlocks: number;
  readonly life: CacheLife;
  /** Decisions since the request before. */
  readonly decisions: readonly { readonly type: DecisionType; readonly reason: string }[];
  /** Tokens up to a position, estimated. Nobody asks how many they are over `most`: counting may end there. */
  tokensAt(position: number, most: number): number;
  readonly minCachedTokens: number;
}

/** Knows what each request will find in the prompt cache, and judges what it found. */
export interface PrefixGuard {
  /** Before a request is sent: what it will find there, and why not more. */
  announce(prompt: GuardedPrompt, nowMs: number): CacheJudgement;
  /**
   * The response to the request announced last: what it found. `null` when none was announced. `applied`: what the API
   * left out of the request by itself; where that is not what it left out before, less is read, and that is why.
   */
  judge(usage: Usage, nowMs: number, prices: Prices, applied?: AppliedEdits): CacheJudgement | null;
  /** Takes in what a request of an earlier run of the session left in the cache: the first one taken in is the newest. */
  recall(entry: CacheEntry, keys: PromptKeys, applied?: AppliedEdits): void;
  /** What the request before left there was read again, so that it lives from now on. */
  touch(nowMs: number): void;
}

/** Caches that work by themselves read whole steps, and say nothing of what they write. */
const stepTokens = 256;

/** Nothing was written though something was read: the provider caches by itself, and whatever was sent. */
const isAutomatic = (usage: Usage) => usage.cacheRead > 0 && usage.cacheCreation === 0;

/** A compaction that keeps the beginning of the messages promises that beginning and no more. */
const isRebased = ({ decisions, headBlocks }: GuardedPrompt, { position }: CacheEntry) =>
  decisions.at(-1)?.type === "compact" && position >= headBlocks;

export function createPrefixGuard(): PrefixGuard {
  const entries = createCacheEntries();
  let former: PromptKeys | null = null;
  let pending: {
    readonly prompt: GuardedPrompt;
    readonly found: CacheEntry | null;
    readonly announced: CacheJudgement;
    /** When it was announced: what it writes or reads lives from then on. */
    readonly askedMs: number;
    /** Since what the request before left there was used. */
    readonly idleMs: number;
  } | null = null;
  /** The longest prefix that the request before left there. */
  let left: CacheEntry | null = null;
  /** Edits the API applied to the request before. */
  let formerApplied = nothingApplied;

  /** Why less was read than announced. */
  function unforeseen(idleMs: number, { life }: GuardedPrompt, applied: AppliedEdits): Change {
    if (applied.key !== formerApplied.key) {
      const reason = applied.words === "" ? "the API no longer clears anything" : applied.words;
      return { kind: "messages", decisions: [{ type: "cache-edit", reason }] };
    }
    return idleMs >= life.sureMs ? { kind: "expired", idleMs } : { kind: "unknown" };
  }

  function changeOf(prompt: GuardedPrompt, nowMs: number): Change {
    if (left === null) return { kind: "first" };
    if (former && former.model !== prompt.model)
      return { kind: "model", from: former.model, to: prompt.model };
    const { believedMs, isKnown } = prompt.life;
    const idleMs = nowMs - left.usedAtMs;
    if (idleMs >= believedMs) return { kind: "expired", idleMs, ...(isKnown && { ttlMs: believedMs }) };
    if (former && former.toolsDigest !== prompt.toolsDigest) return { kind: "tools" };
    if (former && former.systemDigest !== prompt.systemDigest) return { kind: "system" };
    if (former && former.messagesDigest !== prompt.messagesDigest) return { kind: "fields" };
    return { kind: "messages", decisions: prompt.decisions };
  }

  /** Whether everything the request before left is still a prefix, and can be reached. */
  const isWhole = (found: CacheEntry | null) => left !== null && found?.digest === left.digest;

  /** The provider tells how much it read; where that is the size of a prefix it is known to have, it read that. */
  function firstUnread(usage: Usage, found: CacheEntry | null, prompt: GuardedPrompt): number {
    if (usage.cacheRead === 0) return 0;
    const known = entries.findBySize(prompt, usage.cacheRead);
    if (known) return known.position + 1;
    const size = sizeIn(prompt, found);
    /** More than is known of may be there: a fork, or a request whose answer was cut, has left it. */
    if (found && (size === undefined || usage.cacheRead >= size)) return found.position + 1;
    if (found && size !== undefined && isAutomatic(usage) && usage.cacheRead > size - stepTokens)
      return found.position + 1;
    const { cacheRead } = usage;
    const read = prompt.marks.findLast((mark) => prompt.tokensAt(mark, cacheRead) <= cacheRead) ?? -1;
    return (found ? Math.min(found.position - 1, read) : read) + 1;
  }

  function remember(prompt: GuardedPrompt, usage: Usage, nowMs: number): void {
    const cached = usage.cacheRead + usage.cacheCreation + (isAutomatic(usage) ? usage.input : 0);
    if (cached === 0) {
      left = null;
      return;
    }
    const last = prompt.marks.at(-1);
    const made = prompt.marks.flatMap((position): readonly CacheEntry[] => {
      const digest = prompt.digestAt(position);
      const isLast = position === last;
      const least = prompt.minCachedTokens;
      const isLong = isLast || prompt.tokensAt(position, least) >= least;
      if (digest === null || !isLong) return [];
      const size = isLast ? { tokens: cached, edits: prompt.edits } : {};
      return [{ position, digest, usedAtMs: nowMs, ...size }];
    });
    entries.put(made);
    left = made.at(-1) ?? null;
  }

  return {
    announce(prompt, nowMs) {
      const found = entries.find(prompt, nowMs, prompt.life.believedMs);
      if (found && isRebased(prompt, found)) left = found;
      const firstBlock = (found?.position ?? -1) + 1;
      const announced: CacheJudgement = isWhole(found)
        ? { kind: "hit", firstBlock, why: explainHit(), dollars: 0 }
        : explainBreak(changeOf(prompt, nowMs), firstBlock, prompt.headBlocks);
      pending = { prompt, found, announced, askedMs: nowMs, idleMs: left ? nowMs - left.usedAtMs : 0 };
      return announced;
    },
    judge(usage, nowMs, prices, applied = nothingApplied) {
      if (!pending) return null;
      const { prompt, found, announced, idleMs } = pending;
      const before = left;
      const firstBlock = firstUnread(usage, found, prompt);
      remember(prompt, usage, Math.min(pending.askedMs, nowMs));
      const change = unforeseen(idleMs, prompt, applied);
      former = prompt;
      formerApplied = applied;
      pending = null;
      const missed = Math.max(0, (sizeIn(prompt, before) ?? 0) - usage.cacheRead);
      const rewritten = Math.min(missed, usage.cacheCreation);
      const { cacheCreation1h = 0, cacheCreation } = usage;
      const isLong = cacheCreation1h > 0 && cacheCreation1h >= cacheCreation / 2;
      const write = isLong ? prices.cacheWrite1h : prices.cacheWrite5m;
      const dollars = (rewritten * (write - prices.cacheRead)) / 1_000_000;
      if (before && firstBlock > before.position)
        return { kind: "hit", firstBlock, why: explainHit(), dollars: 0 };
      if (firstBlock >= announced.firstBlock) return { ...announced, firstBlock, dollars };
      return { ...explainBreak(change, firstBlock, prompt.headBlocks), dollars };
    },
    touch(nowMs) {
      if (!left) return;
      entries.touch(left.usedAtMs, nowMs);
      left = { ...left, usedAtMs: nowMs };
    },
    recall(entry, keys, applied = nothingApplied) {
      entries.put([entry]);
      if (former) return;
      formerApplied = applied;
      left = entry;
      former = keys;
    },
  };
}

/** Positions that are tried at each breakpoint, the breakpoint itself counted. */
const lookBackBlocks = 20;
/** Of more prefixes only the newest are remembered. */
const maxEntries = 256;

/** A prefix that a request left in the provider's cache. */
export interface CacheEntry {
  /** Of its last block, over tools, system and messages. */
  readonly position: number;
  readonly digest: string;
  /** The provider's own token count, once it gave one, and by which cache edits it was counted. */
  readonly tokens?: number;
  readonly edits?: string;
  readonly usedAtMs: number;
}

/** A prompt as far as its prefixes go. */
interface PromptPrefixes {
  /** Positions of its breakpoints, ascending. */
  readonly marks: readonly number[];
  /** Names its cache edits, empty without any: they take out of what a prefix counts, and not out of what it is. */
  readonly edits: string;
  /** Digest of everything up to and including the block at a position; `null` where none is kept. */
  digestAt(position: number): string | null;
}

/** The provider's cache entries, as far as requests show them. */
interface CacheEntries {
  /**
   * The longest prefix of the prompt that can be read, by the provider's own rule, where entries live for so long; `null`
   * without one.
   */
  find(prompt: PromptPrefixes, nowMs: number, lifeMs: number): CacheEntry | null;
  /** The prefix of the prompt of which the provider said that it has so many tokens; `null` without one. */
  findBySize(prompt: PromptPrefixes, tokens: number): CacheEntry | null;
  /** Takes in that prefixes can be read from now on, or were read just now. */
  put(entries: readonly CacheEntry[]): void;
  /** What was used at one moment was used again. */
  touch(usedAtMs: number, nowMs: number): void;
}

/** How many tokens an entry has in a prompt; absent where that was not said. */
function sizeIn({ edits }: PromptPrefixes, entry: CacheEntry | null): number | undefined {
  return entry && (entry.edits ?? "") === edits ? entry.tokens : undefined;
}

function createCacheEntries(): CacheEntries {
  let entries: readonly CacheEntry[] = [];

  function longest(prompt: PromptPrefixes, isAlive: (entry: CacheEntry) => boolean): CacheEntry | null {
    const inReach = ({ position }: CacheEntry) =>
      prompt.marks.some((mark) => position <= mark && mark - position < lookBackBlocks);
    let found: CacheEntry | null = null;
    for (const entry of entries) {
      if (entry.position <= (found?.position ?? -1) || !isAlive(entry) || !inReach(entry)) continue;
      if (prompt.digestAt(entry.position) === entry.digest) found = entry;
    }
    return found;
  }

  return {
    find: (prompt, nowMs, lifeMs) => longest(prompt, ({ usedAtMs }) => nowMs - usedAtMs < lifeMs),
    findBySize: (prompt, tokens) => longest(prompt, (entry) => sizeIn(prompt, entry) === tokens),
    put(more) {
      const digests = new Set(more.map(({ digest }) => digest));
      entries = [...entries.filter(({ digest }) => !digests.has(digest)), ...more].slice(-maxEntries);
    },
    touch(before, usedAtMs) {
      entries = entries.map((entry) => (entry.usedAtMs === before ? { ...entry, usedAtMs } : entry));
    },
  };
}
