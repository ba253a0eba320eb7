import {
  type Entry,
  isBlock,
  type Message,
  type Note,
  type Prices,
  type SessionStatistics,
  type Usage,
} from "../spec/index.ts";
import { dollarsOf } from "./economics/dollars.ts";
import { shortTtlMs } from "./economics/request-gaps.ts";
import { promptTokens } from "./tokens/index.ts";

/** When a response was asked for and when it came, by the session's own clock. */
export interface ResponseTimes {
  readonly askedAtMs: number;
  readonly receivedAtMs: number;
}

/** A session's statistics, kept up to date entry by entry. */
export interface StatisticsWriter {
  /** `times`: of a response, where they are known better than by the entries. */
  add(entry: Entry, times?: ResponseTimes): void;
  readonly statistics: SessionStatistics;
  /** The model that is asked now; absent where the log does not say. */
  readonly askedModel: string | undefined;
  /** When one of the newest responses was asked for, and of which model, by its entry or its newest part. */
  answered(entry: string): Answered | undefined;
  /** A second one that goes on from here by itself. */
  copy(): StatisticsWriter;
}

/** A response as far as the provider's cache goes. */
export interface Answered {
  readonly askedAtMs: number;
  /** The model that was asked; absent where nobody says. */
  readonly model?: string;
}

type ForkNote = Extract<Note, { readonly topic: "fork" }>;

/** A response's counts so far. */
interface CountedResponse extends Pick<Message, "usage" | "model"> {
  readonly asked: string | undefined;
}

/** The prices of a response, by the model that it names and the one that was asked, as far as they are known. */
export type PricesOf = (answered: string | undefined, asked: string | undefined) => Prices;

const nothingYet: SessionStatistics = {
  turns: 0,
  toolResults: 0,
  responses: 0,
  compactions: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  outputTokens: 0,
  dollars: 0,
};

/** How many responses back an entry may come and still be known to belong to one of them. */
const rememberedResponses = 64;
/** How many entries of responses back it is known when they came. */
const rememberedAnswers = 256;

export function createStatistics(pricesOf: PricesOf): StatisticsWriter {
  return resumeFrom(pricesOf, {
    statistics: nothingYet,
    askedModel: undefined,
    counted: new Map(),
    answers: new Map(),
    newest: {},
  });
}

interface StatisticsStart extends Pick<StatisticsWriter, "statistics" | "askedModel"> {
  /** The newest responses; the last of a response's usages holds. */
  readonly counted: ReadonlyMap<string, CountedResponse>;
  readonly answers: ReadonlyMap<string, Answered>;
  readonly newest: NewestResponse;
  /** Of the newest entry. */
  readonly entryAtMs?: number;
}

/** The newest response, and what the next one is compared with. */
interface NewestResponse {
  readonly promptTokens?: number;
  /** Of the response before it, and how long it was before it; absent where that was another model's. */
  readonly formerPromptTokens?: number;
  readonly gapMs?: number;
}

function resumeFrom(pricesOf: PricesOf, start: StatisticsStart): StatisticsWriter {
  let { statistics, askedModel, newest, entryAtMs } = start;
  const counted = new Map(start.counted);
  const answers = new Map(start.answers);

  function spend({ usage, model, asked }: CountedResponse, sign: 1 | -1): void {
    if (!usage) return;
    const { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens, dollars } = statistics;
    statistics = {
      ...statistics,
      inputTokens: inputTokens + sign * usage.input,
      cacheReadTokens: cacheReadTokens + sign * usage.cacheRead,
      cacheCreationTokens: cacheCreationTokens + sign * usage.cacheCreation,
      outputTokens: outputTokens + sign * usage.output,
      dollars: dollars + sign * dollarsOf(usage, pricesOf(model, asked)),
    };
  }

  function spendOnFork({ forkKind, usage, dollars }: ForkNote): void {
    const spent = dollars ?? (usage ? dollarsOf(usage, pricesOf(undefined, askedModel)) : 0);
    const before = statistics.forkDollars ?? {};
    const forkDollars = { ...before, [forkKind]: (before[forkKind] ?? 0) + spent };
    statistics = { ...statistics, forkDollars };
  }

  /** Another model has another cache: what was told of the former one's says nothing. */
  function beginResponse(identity: string | undefined, askedMs: number): void {
    const { respondedFor, warmGapMs: _gap, caching: _caching, ...rest } = statistics;
    const usedMs = lastUsedMs(statistics);
    if (usedMs !== undefined && respondedFor === identity)
      newest = { formerPromptTokens: newest.promptTokens, gapMs: askedMs - usedMs };
    else {
      newest = {};
      statistics = rest;
    }
    const { keptAtMs: _over, ...current } = statistics;
    statistics = { ...current, askedAtMs: askedMs };
  }

  /** The usage of a response counts once, however many of its entries have it. */
  function observe(usage: Usage): void {
    const { warmGapMs: _gap, caching: _caching, ...rest } = statistics;
    statistics = { ...rest, ...evidenceAfter(statistics, { usage, ...newest }) };
    newest = { ...newest, promptTokens: promptTokens(usage) };
  }

  function respond(entry: string, { responseId, usage, model }: Message, atMs: number, askedMs = atMs): void {
    const before = responseId === undefined ? undefined : counted.get(responseId);
    if (before && usage) spend(before, -1);
    spend({ usage, model, asked: askedModel }, 1);
    if (responseId !== undefined && (usage || !before)) {
      counted.delete(responseId);
      counted.set(responseId, { usage: usage ?? before?.usage, model, asked: askedModel });
      keepNewest(counted, rememberedResponses);
    }
    const identity = askedModel ?? model;
    const askedAtMs = Math.min(askedMs, atMs);
    answers.set(entry, { askedAtMs, ...(identity !== undefined && { model: identity }) });
    keepNewest(answers, rememberedAnswers);
    if (!before) beginResponse(identity, askedAtMs);
    if (usage && !before?.usage) observe(usage);
    statistics = {
      ...statistics,
      responses: statistics.responses + (before ? 0 : 1),
      respondedAtMs: atMs,
      ...(identity !== undefined && { respondedFor: identity }),
    };
  }

  function ask(message: Message): void {
    const results =
      typeof message.content === "string"
        ? 0
        : message.content.filter((block) => isBlock(block, "tool_result")).length;
    const isTurn = results === 0 && message.isMeta !== true && message.isCompactSummary !== true;
    statistics = {
      ...statistics,
      toolResults: statistics.toolResults + results,
      turns: statistics.turns + (isTurn ? 1 : 0),
    };
  }

  return {
    get statistics() {
      return statistics;
    },
    get askedModel() {
      return askedModel;
    },
    answered: (entry) => answers.get(entry),
    copy: () => resumeFrom(pricesOf, { statistics, askedModel, counted, answers, newest, entryAtMs }),
    add(entry, times) {
      askedModel = askedModelAfter(entry, askedModel);
      const atMs = Date.parse(entry.at);
      const before = entryAtMs;
      entryAtMs = Number.isNaN(atMs) ? before : atMs;
      if (statistics.beganAtMs === undefined) statistics = { ...statistics, beganAtMs: atMs };
      if (entry.kind === "decision" && entry.decision.type === "compact") {
        statistics = { ...statistics, compactions: statistics.compactions + 1 };
      }
      if (entry.kind === "note" && entry.note.topic === "usage")
        spend({ usage: entry.note.usage, asked: askedModel }, 1);
      if (entry.kind === "note" && entry.note.topic === "fork") {
        spendOnFork(entry.note);
        if (isWarmingRead(entry.note)) statistics = { ...statistics, keptAtMs: atMs };
      }
      if (entry.kind !== "message" || entry.message.isSidechain) return;
      if (entry.message.type === "assistant" && entry.message.model !== "<synthetic>")
        respond(
          entry.id,
          entry.message,
          times?.receivedAtMs ?? arrivedAtMs(entry.message, atMs, before),
          times?.askedAtMs,
        );
      else if (entry.message.type === "user") ask(entry.message);
    },
  };
}

/** Drops what was put in first. */
function keepNewest<Value>(map: Map<string, Value>, count: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= count) return;
    map.delete(oldest);
  }
}

/** Under which name reads that keep the cache warm stand among what forks have spent. */
export const keepWarmName = "keep-warm";

const isWarmingRead = ({ forkKind, usage }: ForkNote) =>
  forkKind === keepWarmName && usage !== undefined && usage.cacheRead + usage.cacheCreation > 0;

/**
 * When the cache was used last: its lifetime counts from the request that wrote or read, or from a read that kept it warm
 * since. Absent before there was any.
 */
export function lastUsedMs({
  askedAtMs,
  keptAtMs = Number.NEGATIVE_INFINITY,
}: Pick<SessionStatistics, "askedAtMs" | "keptAtMs">): number | undefined {
  return askedAtMs === undefined ? undefined : Math.max(askedAtMs, keptAtMs);
}

/** A response that used the cache came after what it answers, whatever time it names. */
function arrivedAtMs({ usage }: Message, atMs: number, beforeMs: number | undefined): number {
  const isCached = usage !== undefined && usage.cacheRead + usage.cacheCreation > 0;
  return isCached && beforeMs !== undefined ? Math.max(atMs, beforeMs) : atMs;
}

/** Evidence of responses about the provider's cache. */
export type CacheEvidence = Pick<SessionStatistics, "caching" | "warmGapMs">;

/** A response, and what it is compared with. */
export interface CacheObservation {
  readonly usage: Usage;
  /** Tokens of the prompt before it; absent where that was another model's, or there was none. */
  readonly formerPromptTokens?: number;
  /** Since the response before it; absent as above. */
  readonly gapMs?: number;
}

/** Reads of less than this part of the prompt before may be of a head that other sessions keep warm. */
const provingPart = 0.5;

/**
 * The evidence once a response was taken in. Usage outranks clocks and names: a prompt that was read after some gap was
 * kept for that long, and one that was not is no longer believed to be.
 */
export function evidenceAfter(before: CacheEvidence, observation: CacheObservation): CacheEvidence {
  const { usage, formerPromptTokens = 0, gapMs = -1 } = observation;
  const caching = cachingAfter(before.caching, usage);
  const isKept = formerPromptTokens > 0 && usage.cacheRead >= formerPromptTokens * provingPart;
  const warmGapMs = warmGapAfter(before.warmGapMs, gapMs, isKept, usage.cacheRead === 0);
  return {
    ...(caching && { caching }),
    ...(warmGapMs !== undefined && { warmGapMs }),
  };
}

/** A cache that is read without ever having been written works by itself. */
function cachingAfter(before: CacheEvidence["caching"], usage: Usage): CacheEvidence["caching"] {
  const { cacheRead, cacheCreation, cacheCreation5m = 0, cacheCreation1h = 0 } = usage;
  if (cacheCreation1h > 0 && cacheCreation1h >= cacheCreation5m) return "1h";
  if (cacheCreation5m > 0) return "5m";
  if (cacheCreation > 0) return "marked";
  return before ?? (cacheRead > 0 ? "automatic" : undefined);
}

function warmGapAfter(
  before: number | undefined,
  gapMs: number,
  isKept: boolean,
  isGone: boolean,
): number | undefined {
  if (isKept && gapMs > (before ?? -1)) return gapMs;
  const isRefuted = isGone && gapMs >= shortTtlMs && before !== undefined && gapMs <= before;
  return isRefuted ? undefined : before;
}

/**
 * The model that a session asks once it has an entry; `before` is the one until then. It is the session's identity,
 * whatever name its answers come back with. Imported transcripts say what answered, and not what was asked: there it is
 * `undefined`, and each response speaks for itself.
 */
export function askedModelAfter(entry: Entry, before: string | undefined): string | undefined {
  const asked = namedBy(entry);
  return typeof asked === "string" && asked !== "" ? asked : before;
}

/** As the line has it: a log may hold anything. */
function namedBy(entry: Entry): unknown {
  if (entry.kind === "session") return entry.session.imported ? undefined : entry.session.model;
  return entry.kind === "note" && entry.note.topic === "head" ? entry.note.model : undefined;
}
