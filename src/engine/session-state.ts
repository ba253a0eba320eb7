import {
  type CompactionRecorder,
  createCompactionRecorder,
} from "../context/compaction/compaction-records.ts";
import { isNativeBlock } from "../context/compaction/native-block.ts";
import { type ExtractionState, nextExtraction } from "../context/extraction/index.ts";
import { type FoldsState, nextFolds } from "../context/folding/index.ts";
import { createLedgers, type LedgerSnapshot, type LedgerWriter } from "../context/ledgers/index.ts";
import { type NotesState, nextNotes } from "../context/notes/index.ts";
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
import { emptyTaint, type TaintState, toTaint } from "../context/trust/index.ts";
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
import { isBlock } from "../spec/index.ts";
import { nextSessionTaint, type SessionTrustPlaces } from "./next-session-taint.ts";
import { countFromView, createRecount, toCounted } from "./recount.ts";
import { createResponseIds, type ResponseIds } from "./response-ids.ts";

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

/** Where nobody says which files are under version control, none is. */
const noPlaces: SessionTrustPlaces = { cwd: "/", folders: [], isTracked: () => false };

/** What stands before the messages of every request. */
export interface StateHead {
  readonly bytes: string;
  /** For counts where nothing was measured. */
  readonly features: Features;
}

/** What is recorded of entries besides the view. */
interface Records {
  readonly ledgers: LedgerSnapshot;
  readonly traits: ReadonlyMap<string, Message>;
  readonly settledResults: ReadonlySet<string>;
  readonly notes: NotesState;
  readonly folds: FoldsState;
  readonly extraction: ExtractionState;
  readonly taint: TaintState;
}

/** Where a state goes on from. */
interface StateStart extends Records {
  readonly places: SessionTrustPlaces;
  readonly head: StateHead;
  readonly projection: Projection;
  readonly chain: PrefixChain;
  readonly recordsAt: ReadonlyMap<number, Records>;
  readonly counter: TokenCounter;
  readonly statistics: StatisticsWriter;
  readonly sparedResults: ReadonlySet<string>;
  readonly responses: ResponseIds;
  readonly recorder: CompactionRecorder;
  readonly decidedSince: readonly Pick<Decision, "type" | "reason">[];
  readonly lastSeq: number;
}

export function createSessionState({ pricesOf, observe, places = noPlaces }: StateOptions): SessionState {
  const nothing: Records = {
    ledgers: createLedgers().snapshot(),
    traits: new Map(),
    settledResults: new Set(),
    notes: {},
    folds: {},
    extraction: {},
    taint: emptyTaint,
  };
  const head = { bytes: "", features: noFeatures };
  const start: StateStart = {
    ...nothing,
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
  let { head, chain, counter, lastSeq } = start;
  const renderer: MessageRenderer = createMessageRenderer();
  let ledgers: LedgerWriter = createLedgers(start.ledgers);
  /** Messages in the view without their content, which the items have. */
  let traits = new Map(start.traits);
  /** At each boundary, and at the beginning, to go back to. */
  const recordsAt = new Map(start.recordsAt);
  const increments = createUsageIncrements();
  projection.takeChanged();
  let messages = renderer.render(projection.projected.items, 0);
  let settledResults = new Set(start.settledResults);
  let sparedResults = new Set(start.sparedResults);
  let decidedSince = [...start.decidedSince];
  let notes: NotesState = start.notes;
  let folds: FoldsState = start.folds;
  let extraction: ExtractionState = start.extraction;
  let taint: TaintState = start.taint;
  /** Made where it is asked for, once. */
  let told: { readonly of: TaintState; readonly taint: Taint } | null = null;
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
    recordsAt.set(seq, records());
  }

  function records(): Records {
    return {
      ledgers: ledgers.snapshot(),
      traits: new Map(traits),
      settledResults: new Set(settledResults),
      notes,
      folds,
      extraction,
      taint,
    };
  }

  function record(entry: Entry): void {
    if (!projection.isDead(entry.id)) {
      notes = nextNotes(notes, entry);
      taint = nextSessionTaint(taint, entry, places);
    }
    folds = nextFolds(folds, entry, projection.isDead(entry.id));
    extraction = nextExtraction(extraction, entry);
    if (entry.kind === "message") {
      ledgers.add(entry);
      traits.set(entry.id, { ...entry.message, content: "" });
    } else if (entry.kind === "decision" && entry.decision.type === "compact") {
      const { attachments, summary } = entry.decision;
      const files = attachments.flatMap(({ files: shown = [] }) => shown);
      const base: Message =
        summary?.prefixDigest === undefined ? { type: "attachment", content: "" } : summary;
      traits.set(entry.id, { ...base, content: "", ...(files.length > 0 && { files }) });
      rememberRecords(entry.seq);
    } else if (entry.kind === "decision" && entry.decision.type === "offload") {
      for (const { toolUseId } of entry.decision.results) settledResults.add(toolUseId);
    } else if (entry.kind === "decision" && entry.decision.type === "cache-edit") {
      if (projection.isDead(entry.id))
        for (const { toolUseId } of entry.decision.parts) sparedResults.add(toolUseId);
    }
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
      forgetHidden();
      counter = countFromView(projection.projected.items);
    } else if (entry.kind === "decision") counter.free(entry.decision.frees);
  }

  function forgetHidden(): void {
    const visible = new Set(projection.projected.items.map(({ entry }) => entry));
    traits = new Map([...traits].filter(([id]) => visible.has(id)));
    const results = new Set(
      projection.projected.items.flatMap(({ block }) =>
        isBlock(block, "tool_result") ? block.tool_use_id : [],
      ),
    );
    settledResults = new Set([...settledResults].filter((id) => results.has(id)));
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
      return ledgers.ledgers();
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
      return settledResults;
    },
    get sparedResults() {
      return sparedResults;
    },
    get notes() {
      return notes;
    },
    get compactions() {
      return recorder.read({ isLive: projection.isLive, isUndone: projection.isDead });
    },
    get folds() {
      return folds;
    },
    get extraction() {
      return extraction;
    },
    get taint() {
      if (told?.of !== taint) told = { of: taint, taint: toTaint(taint) };
      return told.taint;
    },
    get statistics() {
      return statistics.statistics;
    },
    isLive: (seq) => seq === 0 || projection.isLive(seq),
    messageOf: (entry) => traits.get(entry),
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
        ...records(),
        places,
        head,
        projection: projection.copy(),
        chain: chain.copy(),
        recordsAt,
        counter: counter.copy(),
        statistics: statistics.copy(),
        sparedResults,
        responses: responses.copy(),
        recorder: recorder.copy(),
        decidedSince,
        lastSeq,
      }),
    rebuild(entries) {
      const former = recordsAt.get(projection.segmentStart);
      ledgers = createLedgers(former?.ledgers);
      traits = new Map(former?.traits);
      settledResults = new Set(former?.settledResults);
      sparedResults = new Set();
      notes = former?.notes ?? {};
      folds = former?.folds ?? {};
      extraction = former?.extraction ?? {};
      taint = former?.taint ?? emptyTaint;
      projection.rebuild(replayed(entries));
      increments.restart();
      forgetHidden();
      refresh();
    },
  };
}
