import type { NotesState } from "../layers/3-session-notes/rules/index.ts";
import type { FoldsState } from "../layers/4-compaction/folding/rules/index.ts";
import {
  type CompactionRecorder,
  createCompactionRecorder,
} from "../layers/4-compaction/rules/compaction-records.ts";
import type { ExtractionState } from "../layers/5-memory/decide.ts";
import type {
  CompactionRecords,
  Decision,
  Entry,
  Ledgers,
  Message,
  RequestMessage,
  SessionStatistics,
  Taint,
  TokenCount,
  ViewItem,
} from "../spec/index.ts";
import { createPrefixChain, type PrefixChain, type PrefixDigests } from "../view/prefix/prefix-chain.ts";
import { roleOf } from "../view/projection/message-items.ts";
import {
  createProjection,
  type OutlineOptions,
  type Projection,
  type ProjectionFill,
} from "../view/projection/projection.ts";
import { isFreezeOnly, validEntry } from "../view/projection/valid-entry.ts";
import { createMessageRenderer, type MessageRenderer } from "../view/request/message-renderer.ts";
import { isNativeBlock } from "../view/request/native-block.ts";
import {
  createStatistics,
  type PricesOf,
  type ResponseTimes,
  type StatisticsWriter,
} from "../view/statistics.ts";
import {
  type CountedHead,
  type CountedPrompt,
  countHead,
  createUsageIncrements,
  type Estimator,
  type Features,
  noFeatures,
  type TokenCounter,
} from "../view/tokens/index.ts";
import { type CallIds, createCallIds, createResponseIds, type ResponseIds } from "./answers/call-ids.ts";
import { countFromView, createRecount, toCounted } from "./prepare/facts.ts";
import { createShortestPrompt, type ResponsePrompt, type ShortestPrompt } from "./prepare/shortest-prompt.ts";
import {
  createSessionRecords,
  noRecords,
  type RecordsSnapshot,
  type RecordsStart,
} from "./session-records.ts";
import { noLocations, type SessionTrustLocations } from "./session-taint.ts";

/** All that is derived from a session's log, kept up to date entry by entry. */
export interface SessionState {
  /** Says what stands before the messages; to be called before digests and counts are asked for. */
  begin(head: StateHead): void;
  /**
   * `null`, or the sequence number behind which the log must be read again for `rebuild`. `times`: of a
   * response, by the session's own clock.
   */
  add(entry: Entry, times?: ResponseTimes): number | null;
  /** Takes the entries behind `segmentStart`, or behind what `add` said. */
  rebuild(entries: Iterable<Entry>): void;
  /** As `rebuild`, with each entry as it comes. */
  startRebuild(): StateRebuild;
  /**
   * While a log is read: what comes up to an entry is not in the view at its end, and is left out of it from now on. Up to
   * the boundary that hides it the view is not whole.
   */
  beginBehind(seq: number, boundary: number): void;
  /** The shortest prompt that the provider has counted. */
  readonly shortestPrompt: CountedPrompt | undefined;
  /** Begins to read the contents that the view lacks; until its end nothing but the view's items is up to date. */
  startFill(): StateFill;
  readonly segmentStart: number;
  readonly items: readonly ViewItem[];
  readonly head: number;
  /** Sequence number of the newest entry in the log, live or not. */
  readonly lastSeq: number;
  isLive(seq: number): boolean;
  readonly messages: readonly RequestMessage[];
  /** Messages before this are the very ones that were there when they were taken last. */
  readonly sameMessages: number;
  markTaken(): void;
  prefixDigest(items: number): string;
  /** The digests of all prefixes, from none of the items to all. */
  prefixDigests(): PrefixDigests;
  /** Items before this were looked at by a repair and found or made valid. */
  readonly validItems: number;
  markValid(): void;
  count(estimate: Estimator): TokenCount;
  /** Tokens as if no response had told of any. */
  estimated(estimate: Estimator): number;
  /** Tokens of what stands before the messages: as the provider has counted them (`usage`), else estimated. */
  headTokens(estimate: Estimator): TokenCount;
  readonly liveCompactions: Projection["liveCompactions"];
  readonly ledgers: Ledgers;
  /** The message an item comes from, for messages in the view. */
  messageOf(entry: string): Message | undefined;
  /** When one of the newest responses was asked for, and of which model. */
  answered: StatisticsWriter["answered"];
  readonly statistics: SessionStatistics;
  /** The id to store a response with. */
  responseIdFor(message: Message): string | undefined;
  /** An answer as it is to be stored: no call has the id of an earlier one. */
  withDistinctCalls(message: Message): Message;
  /** Whether a large value in the view was left out. */
  readonly hasUnread: boolean;
  /** Whether a decision was undone. */
  isUndone(id: string): boolean;
  /** Whether a rewind can be taken back. */
  rewindState: Projection["rewindState"];
  /** Decisions since the newest response. */
  readonly decidedSince: readonly Pick<Decision, "type" | "reason">[];
  /** Tool uses that a live `offload` decision has settled, since the newest boundary. */
  readonly settledResults: ReadonlySet<string>;
  /** Tool uses that an undone cache edit had deleted, since the newest boundary. */
  readonly sparedResults: ReadonlySet<string>;
  /**
   * A second one that goes on from here by itself, and teaches nobody. What never changes is shared: it costs what the
   * view costs, however long the log is. Not while `rebuild` is waited for.
   */
  copy(): SessionState;
  /** The session notes on the live chain. */
  readonly notes: NotesState;
  /** Results of compactions and attempts on the live chain, for the next one. */
  readonly compactions: CompactionRecords;
  /** Prepared folds on the live chain. */
  readonly folds: FoldsState;
  /** Extractions on the live chain. */
  readonly extraction: ExtractionState;
  /** Whether what is written now is trusted, by what is in the view. */
  readonly taint: Taint;
}

/** Hears how many tokens some content turned out to have, by the model that was asked. */
export type ObserveTokens = (model: string | undefined, features: Features, tokens: number) => void;

/** Takes entries that were taken before, in their order. */
export interface StateRebuild {
  add(entry: Entry): void;
  end(): void;
}

export interface StateFill extends ProjectionFill {
  /** To be followed by `begin`, as at the start: digests are of no use before. */
  end(): void;
}

export interface StateOptions extends OutlineOptions {
  readonly pricesOf: PricesOf;
  readonly observe?: ObserveTokens;
  /** Which files are trusted; absent: none is. */
  readonly locations?: SessionTrustLocations;
}

/** The blocks before the messages of every request. */
export interface StateHead extends CountedHead {
  readonly bytes: string;
}

/** Records at a boundary, to go back to. */
interface BoundarySnapshot extends RecordsSnapshot {
  readonly prompt?: ResponsePrompt;
}

/** Where a state goes on from. */
interface StateStart extends RecordsStart {
  readonly isOutline?: boolean;
  readonly head: StateHead;
  readonly projection: Projection;
  readonly chain: PrefixChain;
  readonly recordsAt: ReadonlyMap<number, BoundarySnapshot>;
  readonly prompts: ShortestPrompt;
  readonly counter: TokenCounter;
  readonly statistics: StatisticsWriter;
  readonly responses: ResponseIds;
  readonly calls: CallIds;
  readonly recorder: CompactionRecorder;
  readonly decidedSince: readonly Pick<Decision, "type" | "reason">[];
  readonly lastSeq: number;
}

/** How many entries pass by until what was recorded of messages that are left out is forgotten. */
const forgetEvery = 1_000;

/** With `outlineChars`, for a log that is read from its start: to be ended by `startFill`. */
export function createSessionState(options: StateOptions): SessionState {
  const { pricesOf, observe, locations = noLocations, outlineChars } = options;
  const nothing = noRecords();
  const head = { bytes: "", features: noFeatures };
  const start: StateStart = {
    records: nothing,
    locations,
    head,
    projection: createProjection({ outlineChars }),
    isOutline: outlineChars !== undefined,
    chain: createPrefixChain(head.bytes),
    recordsAt: new Map([[0, nothing]]),
    prompts: createShortestPrompt(),
    counter: countFromView([]),
    statistics: createStatistics(pricesOf),
    sparedResults: new Set(),
    responses: createResponseIds(),
    calls: createCallIds(),
    recorder: createCompactionRecorder(),
    decidedSince: [],
    lastSeq: 0,
  };
  return resumeFrom(start, observe);
}

function resumeFrom(start: StateStart, observe?: ObserveTokens): SessionState {
  const { projection, prompts, statistics, responses, calls, recorder, locations } = start;
  const records = createSessionRecords(start);
  let { head, chain, counter, lastSeq } = start;
  const renderer: MessageRenderer = createMessageRenderer();
  /** At each boundary, and at the beginning, to go back to. */
  const recordsAt = new Map(start.recordsAt);
  const increments = createUsageIncrements();
  projection.takeChanged();
  let messages = renderer.render(projection.projected.items, 0);
  let decidedSince = [...start.decidedSince];
  let validItems = 0;
  let sameMessages = 0;
  /** Of entries up to this one nothing is in the view at the end. */
  let leftOut = 0;
  let partUpTo = 0;
  /** While a log is read, nobody asks for messages and digests. */
  let isOutline = start.isOutline ?? false;

  /** Brings rendering and digests up to the projection, at the cost of what changed. */
  function refresh(): void {
    if (isOutline) return;
    const changedFrom = projection.takeChanged();
    const { items } = projection.projected;
    messages = renderer.render(items, changedFrom);
    sameMessages = Math.min(sameMessages, renderer.keptMessages);
    chain.update(items, changedFrom);
    validItems = Math.min(validItems, changedFrom);
  }

  function rememberRecords(seq: number): void {
    for (const former of recordsAt.keys()) if (!projection.hasSnapshot(former)) recordsAt.delete(former);
    recordsAt.set(seq, { ...records.snapshot(), prompt: prompts.later });
  }

  function record(entry: Entry): void {
    records.add(entry, projection.isDead(entry.id));
    if (entry.seq <= leftOut && entry.seq % forgetEvery === 0)
      records.forgetHidden(projection.projected.items);
    if (entry.kind === "decision" && entry.decision.type === "compact") rememberRecords(entry.seq);
  }

  function countEntry(entry: Entry): void {
    if (entry.kind === "decision" && !isFreezeOnly(entry.decision)) increments.restart();
    if (entry.kind === "message" && roleOf(entry.message) !== null) {
      const { content } = entry.message;
      /** Its prompt has shrunk on the way: that teaches nothing about what was added. */
      if (typeof content !== "string" && content.some(isNativeBlock)) increments.restart();
      const asked = statistics.askedModel ?? entry.message.model;
      const counted = toCounted(entry, asked);
      counter.add(counted);
      const increment = increments.add(counted);
      if (increment) observe?.(asked, increment.features, increment.tokens);
      if (entry.blobs) increments.restart();
    } else if (entry.kind === "decision" && entry.decision.type === "compact") {
      records.forgetHidden(projection.projected.items);
      counter = countFromView(projection.projected.items);
    } else if (entry.kind === "decision") counter.free(entry.decision.frees);
  }

  function startRebuild(): StateRebuild {
    const former = recordsAt.get(projection.segmentStart);
    records.goBackTo(former);
    prompts.goBackTo(former?.prompt);
    const take = projection.startRebuild();
    const recount = createRecount(projection.projected.items, projection.isDead);
    return {
      /** Records and counts what the projection has just taken in. */
      add(given) {
        const entry = validEntry(given);
        const before = projection.projected.items.length;
        take(entry);
        if (!projection.isLive(entry.seq)) return;
        const { items } = projection.projected;
        record(entry);
        prompts.addAgain(entry, items, before, projection.isDead(entry.id), entry.seq <= partUpTo);
        recount.add(entry, items);
      },
      end() {
        counter = recount.counter;
        increments.restart();
        records.forgetHidden(projection.projected.items);
        refresh();
      },
    };
  }

  return {
    get items() {
      return projection.projected.items;
    },
    get head() {
      return projection.projected.head;
    },
    get lastSeq() {
      return lastSeq;
    },
    get messages() {
      return messages;
    },
    get sameMessages() {
      return sameMessages;
    },
    markTaken() {
      sameMessages = messages.length;
    },
    get validItems() {
      return validItems;
    },
    get segmentStart() {
      return projection.segmentStart;
    },
    get liveCompactions() {
      return projection.liveCompactions;
    },
    get ledgers() {
      return records.ledgers;
    },
    responseIdFor: responses.idFor,
    withDistinctCalls: (message) =>
      calls.distinct(message, {
        items: projection.projected.items,
        messageOf: (entry) => records.traits.get(entry),
        isLive: projection.isLive,
        lastSeq,
      }),
    get hasUnread() {
      return projection.hasUnread;
    },
    isUndone: (id) => projection.isDead(id),
    rewindState: (id) => projection.rewindState(id),
    get decidedSince() {
      return decidedSince;
    },
    get settledResults() {
      return records.settledResults;
    },
    get sparedResults() {
      return records.sparedResults;
    },
    get notes() {
      return records.notes;
    },
    get compactions() {
      return recorder.read({ isLive: projection.isLive, isUndone: projection.isDead });
    },
    get folds() {
      return records.folds;
    },
    get extraction() {
      return records.extraction;
    },
    get taint() {
      return records.taint;
    },
    get statistics() {
      return statistics.statistics;
    },
    isLive: (seq) => seq === 0 || projection.isLive(seq),
    messageOf: (entry) => records.traits.get(entry),
    answered: (entry) => statistics.answered(entry),
    prefixDigest: (items) => chain.digest(items),
    prefixDigests: () => chain.snapshot(),
    begin(given) {
      head = given;
      chain = createPrefixChain(head.bytes);
      chain.update(projection.projected.items, 0);
    },
    /** A response's measured tokens include the head. */
    count(estimate) {
      const messages = counter.count(estimate);
      if (messages.source === "usage") return messages;
      const { tokens } = countHead(head, prompts.prompt, estimate);
      return { ...messages, tokens: messages.tokens + tokens };
    },
    estimated: (estimate) => counter.estimated(estimate).tokens + countHead(head, undefined, estimate).tokens,
    headTokens: (estimate) => countHead(head, prompts.prompt, estimate),
    markValid() {
      validItems = projection.projected.items.length;
    },
    add(given, times) {
      const entry = validEntry(given);
      lastSeq = entry.seq;
      statistics.add(entry, times);
      responses.see(entry);
      calls.see(entry);
      recorder.see(entry);
      if (entry.kind === "decision") {
        const { type, reason } = entry.decision;
        decidedSince.push({ type, reason });
      }
      if (entry.kind === "message" && entry.message.usage) decidedSince = [];
      const before = projection.projected.items.length;
      const needs = projection.add(entry);
      const items = needs === null ? projection.projected.items : null;
      prompts.add(entry, items, before, entry.seq <= partUpTo);
      if (needs === null) {
        record(entry);
        countEntry(entry);
        refresh();
      }
      return needs;
    },
    copy: () =>
      resumeFrom({
        records: records.snapshot(),
        sparedResults: records.sparedResults,
        locations,
        head,
        projection: projection.copy(),
        chain: chain.copy(),
        recordsAt,
        prompts: prompts.copy(),
        counter: counter.copy(),
        statistics: statistics.copy(),
        responses: responses.copy(),
        calls: calls.copy(),
        recorder: recorder.copy(),
        decidedSince,
        lastSeq,
      }),
    rebuild(entries) {
      const rebuilding = startRebuild();
      for (const entry of entries) rebuilding.add(entry);
      rebuilding.end();
    },
    startRebuild,
    beginBehind(seq, boundary) {
      leftOut = seq;
      partUpTo = boundary;
      projection.beginBehind(seq);
    },
    get shortestPrompt() {
      return prompts.prompt;
    },
    startFill() {
      const fill = projection.startFill();
      return {
        ...fill,
        end() {
          isOutline = false;
          leftOut = 0;
          partUpTo = 0;
          projection.takeChanged();
          messages = renderer.render(projection.projected.items, 0);
        },
      };
    },
  };
}
