import {
  type CompactionRecorder,
  createCompactionRecorder,
} from "../context/compaction/compaction-records.ts";
import { isNativeBlock } from "../context/compaction/native-block.ts";
import type { ExtractionState } from "../context/extraction/index.ts";
import type { FoldsState } from "../context/folding/index.ts";
import type { NotesState } from "../context/notes/index.ts";
import { createPrefixChain, type PrefixChain } from "../context/prefix/prefix-chain.ts";
import { isFreezeOnly } from "../context/projection/freeze-only.ts";
import { roleOf } from "../context/projection/message-items.ts";
import { createProjection, type Projection } from "../context/projection/projection.ts";
import { soundEntry } from "../context/projection/sound-entry.ts";
import { createMessageRenderer, type MessageRenderer } from "../context/request/message-renderer.ts";
import { createStatistics, type StatisticsWriter } from "../context/statistics.ts";
import {
  createUsageIncrements,
  type Estimator,
  type Features,
  noFeatures,
  padEstimate,
  type TokenCounter,
} from "../context/tokens/index.ts";
import type {
  CompactionRecords,
  Decision,
  Entry,
  Ledgers,
  Message,
  Prices,
  RequestMessage,
  SessionStatistics,
  Taint,
  TokenCount,
  ViewItem,
} from "../spec/index.ts";
import type { SessionTrustPlaces } from "./next-session-taint.ts";
import { countFromView, createRecount, toCounted } from "./recount.ts";
import { createResponseIds, type ResponseIds } from "./response-ids.ts";
import {
  createSessionRecords,
  noRecords,
  type RecordsSnapshot,
  type RecordsStart,
} from "./session-records.ts";
import { noPlaces } from "./session-taint.ts";

/** All that is derived from a session's log, kept up to date entry by entry. */
export interface SessionState {
  /** Says what stands before the messages; to be called before digests and counts are asked for. */
  begin(head: StateHead): void;
  /** `null`, or the sequence number behind which the log must be read again for `rebuild`. */
  add(entry: Entry): number | null;
  /** Takes the entries behind `segmentStart`, or behind what `add` said. */
  rebuild(entries: Iterable<Entry>): void;
  readonly segmentStart: number;
  readonly items: readonly ViewItem[];
  readonly head: number;
  /** Sequence number of the newest entry in the log, live or not. */
  readonly lastSeq: number;
  isLive(seq: number): boolean;
  readonly messages: readonly RequestMessage[];
  prefixDigest(items: number): string;
  /** The digests of all prefixes, from none of the items to all. */
  prefixDigests(): readonly string[];
  /** Items before this were looked at by a repair and found or made valid. */
  readonly validItems: number;
  markValid(): void;
  count(estimate: Estimator): TokenCount;
  readonly liveCompactions: Projection["liveCompactions"];
  readonly ledgers: Ledgers;
  /** The message an item comes from, for messages in the view. */
  messageOf(entry: string): Message | undefined;
  readonly statistics: SessionStatistics;
  /** The id to store a response with. */
  responseIdFor(message: Message): string | undefined;
  /** Whether no large value in the view was left out. */
  readonly isWhole: boolean;
  /** Whether a decision was undone, and whether one can be. */
  isUndone(id: string): boolean;
  isRestorable(id: string): boolean;
  /** What was decided since the newest response. */
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
  /** What compactions and attempts on the live chain say about the next one. */
  readonly compactions: CompactionRecords;
  /** Prepared folds on the live chain. */
  readonly folds: FoldsState;
  /** What was extracted on the live chain. */
  readonly extraction: ExtractionState;
  /** Whether what is written now is trusted, by what is in the view. */
  readonly taint: Taint;
}

/** Hears how many tokens some content turned out to have. */
export type ObserveTokens = (model: string | undefined, features: Features, tokens: number) => void;

export interface StateOptions {
  readonly pricesOf: (model: string | undefined) => Prices;
  readonly observe?: ObserveTokens;
  /** Which files are trusted; absent: none is. */
  readonly places?: SessionTrustPlaces;
}

/** What stands before the messages of every request. */
export interface StateHead {
  readonly bytes: string;
  /** For counts where nothing was measured. */
  readonly features: Features;
}

/** Where a state goes on from. */
interface StateStart extends RecordsStart {
  readonly head: StateHead;
  readonly projection: Projection;
  readonly chain: PrefixChain;
  readonly recordsAt: ReadonlyMap<number, RecordsSnapshot>;
  readonly counter: TokenCounter;
  readonly statistics: StatisticsWriter;
  readonly responses: ResponseIds;
  readonly recorder: CompactionRecorder;
  readonly decidedSince: readonly Pick<Decision, "type" | "reason">[];
  readonly lastSeq: number;
}

export function createSessionState({ pricesOf, observe, places = noPlaces }: StateOptions): SessionState {
  const nothing = noRecords();
  const head = { bytes: "", features: noFeatures };
  const start: StateStart = {
    records: nothing,
    places,
    head,
    projection: createProjection(),
    chain: createPrefixChain(head.bytes),
    recordsAt: new Map([[0, nothing]]),
    counter: countFromView([]),
    statistics: createStatistics(pricesOf),
    sparedResults: new Set(),
    responses: createResponseIds(),
    recorder: createCompactionRecorder(),
    decidedSince: [],
    lastSeq: 0,
  };
  return goOn(start, observe);
}

function goOn(start: StateStart, observe?: ObserveTokens): SessionState {
  const { projection, statistics, responses, recorder, places } = start;
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

  /** Brings rendering and digests up to the projection, at the cost of what changed. */
  function refresh(): void {
    const changedFrom = projection.takeChanged();
    const { items } = projection.projected;
    messages = renderer.render(items, changedFrom);
    chain.update(items, changedFrom);
    validItems = Math.min(validItems, changedFrom);
  }

  function rememberRecords(seq: number): void {
    for (const former of recordsAt.keys()) if (!projection.hasSnapshot(former)) recordsAt.delete(former);
    recordsAt.set(seq, records.snapshot());
  }

  function record(entry: Entry): void {
    records.add(entry, projection.isDead(entry.id));
    if (entry.kind === "decision" && entry.decision.type === "compact") rememberRecords(entry.seq);
  }

  function countEntry(entry: Entry): void {
    if (entry.kind === "decision" && !isFreezeOnly(entry.decision)) increments.restart();
    if (entry.kind === "message" && roleOf(entry.message) !== null) {
      const { content } = entry.message;
      /** Its prompt has shrunk on the way: that teaches nothing about what was added. */
      if (typeof content !== "string" && content.some(isNativeBlock)) increments.restart();
      const counted = toCounted(entry);
      counter.add(counted);
      const increment = increments.add(counted);
      if (increment) observe?.(entry.message.model, increment.features, increment.tokens);
      if (entry.blobs) increments.restart();
    } else if (entry.kind === "decision" && entry.decision.type === "compact") {
      records.forgetHidden(projection.projected.items);
      counter = countFromView(projection.projected.items);
    } else if (entry.kind === "decision") counter.free(entry.decision.frees);
  }

  /** Records and counts what the projection has just taken in. */
  function* replayed(given: Iterable<Entry>): Generator<Entry> {
    const recount = createRecount(projection.projected.items, projection.isDead);
    for (const one of given) {
      const entry = soundEntry(one);
      yield entry;
      if (!projection.isLive(entry.seq)) continue;
      record(entry);
      recount.add(entry, projection.projected.items);
    }
    counter = recount.counter;
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
    get isWhole() {
      return projection.isWhole;
    },
    isUndone: (id) => projection.isDead(id),
    isRestorable: (id) => projection.isRestorable(id),
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
    prefixDigest: (items) => chain.digest(items),
    prefixDigests: () => chain.snapshot(),
    begin(given) {
      head = given;
      chain = createPrefixChain(head.bytes);
      chain.update(projection.projected.items, 0);
    },
    /** What a response measured has the head in it. */
    count(estimate) {
      const messages = counter.count(estimate);
      if (messages.source === "usage") return messages;
      const { tokens, source } = estimate(head.features);
      return { ...messages, tokens: messages.tokens + (source === "plain" ? padEstimate(tokens) : tokens) };
    },
    markValid() {
      validItems = projection.projected.items.length;
    },
    add(given) {
      const entry = soundEntry(given);
      lastSeq = entry.seq;
      statistics.add(entry);
      responses.see(entry);
      recorder.see(entry);
      if (entry.kind === "decision") {
        const { type, reason } = entry.decision;
        decidedSince.push({ type, reason });
      }
      if (entry.kind === "message" && entry.message.usage) decidedSince = [];
      const needs = projection.add(entry);
      if (needs === null) {
        record(entry);
        countEntry(entry);
        refresh();
      }
      return needs;
    },
    copy: () =>
      goOn({
        records: records.snapshot(),
        sparedResults: records.sparedResults,
        places,
        head,
        projection: projection.copy(),
        chain: chain.copy(),
        recordsAt,
        counter: counter.copy(),
        statistics: statistics.copy(),
        responses: responses.copy(),
        recorder: recorder.copy(),
        decidedSince,
        lastSeq,
      }),
    rebuild(entries) {
      records.goBackTo(recordsAt.get(projection.segmentStart));
      projection.rebuild(replayed(entries));
      increments.restart();
      records.forgetHidden(projection.projected.items);
      refresh();
    },
  };
}
