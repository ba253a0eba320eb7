import type { DecisionEntry, Entry, MessageEntry, ViewItem } from "../../spec/index.ts";
import { withoutStoredBlocks } from "./block-replacements.ts";
import {
  type Chain,
  createChain,
  createDeadDecisions,
  type DecisionRecord,
  toDecisionRecord,
} from "./chain.ts";
import { decidedItems } from "./decided-items.ts";
import { createItemList, type ItemList } from "./item-list.ts";
import { messageItems } from "./message-items.ts";
import { endRewinds, type ProjectionResult } from "./project.ts";
import { isStub, itemChars, toStub } from "./repaired-items.ts";
import { validEntry } from "./valid-entry.ts";

/** How many boundaries back an undo or a rewind is cheap; further back the log is read from its start. */
export const maxSnapshots = 8;

/**
 * The projection, kept up to date entry by entry. A message, an offload and a clear cost what they bring; a
 * compaction costs the resulting view, as does an offload of several blocks to one preview. `restore` and `rewind` need entries that are no longer in memory: `add` then
 * says from where, and `rebuild` takes them. Until then further entries may be added; they are only taken note of.
 */
export interface Projection {
  /** `null` when all is done, else the sequence number behind which entries must be read again for `rebuild`. */
  add(entry: Entry): number | null;
  /**
   * Takes every entry behind the number that `add` gave last, live or not, in order, the newest included. One is taken
   * in before the next is asked for.
   */
  rebuild(entries: Iterable<Entry>): void;
  /** As `rebuild`, with each entry as it comes. What was there before is gone at once. */
  startRebuild(): (entry: Entry) => void;
  /**
   * While a log is read: what comes up to this entry is not in the view at its end, and is left out of it from now on.
   * Up to there the view is not the right one.
   */
  beginBehind(seq: number): void;
  /** Begins to put contents in the place of stubs; from now on nothing that comes is made one. */
  startFill(): ProjectionFill;
  readonly projected: ProjectionResult;
  isLive(seq: number): boolean;
  /** Compactions that are live and not undone, oldest first; only the newest can be undone. */
  readonly liveCompactions: readonly { readonly id: string; readonly seq: number }[];
  /** Whether `rebuild` may once more begin at this boundary. */
  hasSnapshot(seq: number): boolean;
  /** Whether a rewind can be taken back; `ended` where it was, or never moved the head. */
  rewindState(id: string): RewindState;
  /** Whether a large value in the view was left out. */
  readonly hasUnread: boolean;
  /** Whether a decision was undone. */
  isDead(id: string): boolean;
  /** `rebuild` may be called at any time with the entries behind this sequence number. */
  readonly segmentStart: number;
  /** The first position at which an item changed since the last call; the number of items when none did. */
  takeChanged(): number;
  /** Work done since the beginning, for tests that count it. */
  readonly work: { readonly items: number; readonly chars: number };
  /** A second one that goes on from here by itself, at the cost of the view. Not while `rebuild` is waited for. */
  copy(): Projection;
}

/** Puts contents in the place of stubs. Entries are asked about, and taken, in their order. */
export interface ProjectionFill {
  /** The first of the entries that are needed; absent where none is. */
  readonly firstSeq: number | undefined;
  needs(seq: number): boolean;
  take(entry: Entry): void;
}

/** `gone-on`: the branch that a rewind began has messages. */
export type RewindState = "in-force" | "gone-on" | "ended";

/** The state right behind a boundary. */
interface Snapshot {
  readonly seq: number;
  readonly items: readonly ViewItem[];
  /** The decisions before it that were dead then: it is right as long as they are the dead ones. */
  readonly dead: ReadonlySet<string>;
}

const beginning: Snapshot = { seq: 0, items: [], dead: new Set() };

interface ProjectionStart {
  readonly chain: Chain;
  readonly rewinds: ReadonlyMap<string, { readonly head: number; readonly seq: number }>;
  /** Of all branches: few, since only compactions and restores leave one. */
  readonly records: readonly DecisionRecord[];
  readonly snapshots: readonly Snapshot[];
  readonly items: readonly ViewItem[];
  /** Messages since the first rewind, which decide whether a rewind can still be restored. */
  readonly messagesSinceRewind: readonly number[];
  /** Entries whose large values were left out: a view that holds one of them is not whole. */
  readonly unread: ReadonlySet<number>;
  readonly outlineChars?: number;
}

/** How the projection of a long log is kept small while the log is read. */
export interface OutlineOptions {
  /** How many characters of contents are kept; what comes beyond that is a stub until `fill`. */
  readonly outlineChars?: number;
}

export function createProjection({ outlineChars }: OutlineOptions = {}): Projection {
  return resumeFrom({
    outlineChars,
    chain: createChain(),
    rewinds: new Map(),
    records: [],
    snapshots: [beginning],
    items: [],
    messagesSinceRewind: [],
    unread: new Set(),
  });
}

function resumeFrom(from: ProjectionStart): Projection {
  const { chain } = from;
  const rewinds = new Map(from.rewinds);
  const records = [...from.records];
  let { dead, add: addRecord } = createDeadDecisions(records.filter(({ seq }) => chain.isLive(seq)));
  let snapshots = [...from.snapshots];
  let list: ItemList = createItemList(from.items);
  const messagesSinceRewind = [...from.messagesSinceRewind];
  /** The entry `rebuild` must begin behind; `null` while the items are right. */
  let needs: number | null = null;
  const work = { items: 0, chars: 0 };
  const unread = new Set(from.unread);
  /** While a long log is read: how many characters of contents the view may hold, and how many it does. */
  let { outlineChars } = from;
  let heldChars = 0;
  /** Entries up to this one are left out of the view. */
  let leftOut = 0;
  const lacks = (item: ViewItem) => isStub(item) || unread.has(item.seq);

  function count(items: readonly ViewItem[]): void {
    work.items += items.length;
    for (const item of items) work.chars += itemChars(item);
  }

  function addMessage({ message, id, seq }: MessageEntry): void {
    if (seq <= leftOut) return;
    const items = messageItems(message, { entry: id, seq });
    count(items);
    list.push(outlineChars === undefined ? items : outlined(items, outlineChars));
  }

  function outlined(items: readonly ViewItem[], most: number): readonly ViewItem[] {
    return items.map((item) => {
      const chars = itemChars(item);
      if (heldChars + chars > most) return toStub(item);
      heldChars += chars;
      return item;
    });
  }

  function decide(entry: DecisionEntry): void {
    const { decision } = entry;
    if (decision.type === "offload" || decision.type === "clear") {
      count(list.replace(decision, entry.id));
      begin(withoutStoredBlocks(list.items, decision, entry.id));
      return;
    }
    const before = list.items;
    begin(decidedItems(before, entry));
    if (decision.type === "compact" && list.items !== before) remember(entry.seq);
  }

  /** Goes on with other items; with the same array nothing has changed. */
  function begin(after: readonly ViewItem[]): void {
    if (after === list.items) return;
    count(after);
    list = createItemList(after);
    if (outlineChars !== undefined)
      heldChars = after.reduce((sum, item) => sum + (isStub(item) ? 0 : itemChars(item)), 0);
  }

  function remember(seq: number): void {
    if (seq <= leftOut || list.items.some(lacks)) return;
    const deadThen = new Set([...dead].flatMap(([id, at]) => (at <= seq ? id : [])));
    snapshots.push({ seq, items: [...list.items], dead: deadThen });
    if (snapshots.length > maxSnapshots + 1) snapshots.splice(1, 1);
  }

  /** Where the head goes; `null` when the decision moves nothing. */
  function headMove({ decision, seq }: DecisionEntry): number | null {
    if (decision.type === "rewind") return decision.toSeq > 0 && decision.toSeq < seq ? decision.toSeq : null;
    const rewind = decision.type === "restore" ? rewinds.get(decision.decision) : undefined;
    if (!rewind) return null;
    return hasGoneOn(rewind.seq) ? null : rewind.head;
  }

  function hasGoneOn(rewindSeq: number): boolean {
    return messagesSinceRewind.some((at) => at > rewindSeq && chain.isLive(at));
  }

  /** Forgets snapshots that are no longer right, and says from where to read again. */
  function readAgain(): number {
    snapshots = snapshots.filter(
      (snapshot) => snapshot.seq === 0 || (chain.isLive(snapshot.seq) && isRight(snapshot)),
    );
    return snapshots.at(-1)?.seq ?? 0;
  }

  function isRight(snapshot: Snapshot): boolean {
    let same = 0;
    for (const [id, seq] of dead) {
      if (seq > snapshot.seq) continue;
      if (!snapshot.dead.has(id)) return false;
      same += 1;
    }
    return same === snapshot.dead.size;
  }

  function startFill(): ProjectionFill {
    outlineChars = undefined;
    leftOut = 0;
    const { items } = list;
    const seqAt = (position: number) => (items[position] as ViewItem).seq;
    const stubs = items.flatMap((item, position) => (isStub(item) ? position : []));
    const positions = Uint32Array.from(stubs).sort((one, other) => seqAt(one) - seqAt(other));
    let next = 0;
    const atNext = () => (next < positions.length ? seqAt(positions[next] as number) : undefined);
    const needs = (seq: number) => {
      for (let at = atNext(); at !== undefined && at < seq; at = atNext()) next += 1;
      return atNext() === seq;
    };
    return {
      firstSeq: atNext(),
      needs,
      take(given) {
        if (!needs(given.seq)) return;
        const entry = validEntry(given);
        if (entry.kind !== "message") return;
        const whole = messageItems(entry.message, { entry: entry.id, seq: entry.seq });
        for (; atNext() === entry.seq; next += 1) list.fill(positions[next] as number, whole);
      },
    };
  }

  function startRebuild(): (given: Entry) => void {
    const start = snapshots.at(-1) ?? beginning;
    needs = null;
    list = createItemList([...start.items]);
    heldChars = 0;
    return (given) => {
      if (!chain.isLive(given.seq)) return;
      const entry = validEntry(given);
      if (entry.blobs) unread.add(entry.seq);
      else unread.delete(entry.seq);
      if (entry.kind === "message") addMessage(entry);
      else if (entry.kind === "decision" && !dead.has(entry.id)) decide(entry);
    };
  }

  return {
    get projected() {
      return { items: list.items, head: chain.head };
    },
    work,
    isLive: (seq) => chain.isLive(seq),
    isDead: (id) => dead.has(id),
    hasSnapshot: (seq) => snapshots.some((snapshot) => snapshot.seq === seq),
    get liveCompactions() {
      return records.filter(({ id, seq, type }) => type === "compact" && chain.isLive(seq) && !dead.has(id));
    },
    get segmentStart() {
      return snapshots.at(-1)?.seq ?? 0;
    },
    takeChanged: () => list.takeChanged(),
    copy: () =>
      resumeFrom({
        chain: chain.copy(),
        rewinds,
        records,
        snapshots,
        items: list.items,
        messagesSinceRewind,
        unread,
        outlineChars,
      }),
    get hasUnread() {
      return unread.size > 0 && list.items.some((item) => unread.has(item.seq));
    },
    beginBehind(seq) {
      leftOut = seq;
      list = createItemList([]);
      heldChars = 0;
    },
    startFill,
    rewindState(id) {
      const rewind = rewinds.get(id);
      if (!rewind) return "ended";
      return hasGoneOn(rewind.seq) ? "gone-on" : "in-force";
    },
    add(given) {
      const entry = validEntry(given);
      const before = chain.head;
      if (entry.blobs) unread.add(entry.seq);
      chain.append(entry.seq);
      if (entry.kind === "message") {
        if (rewinds.size > 0) messagesSinceRewind.push(entry.seq);
        if (needs === null) addMessage(entry);
      }
      if (entry.kind !== "decision") return needs;
      const { decision } = entry;
      const move = headMove(entry);
      if (move !== null) {
        if (decision.type === "rewind") rewinds.set(entry.id, { head: before, seq: entry.seq });
        if (decision.type === "restore")
          endRewinds(rewinds, rewinds.get(decision.decision)?.seq ?? entry.seq);
        chain.move(move);
        ({ dead, add: addRecord } = createDeadDecisions(records.filter(({ seq }) => chain.isLive(seq))));
      }
      const record = toDecisionRecord(entry);
      if (record && move === null) {
        records.push(record);
        addRecord(record);
      }
      if (move !== null || decision.type === "restore") needs = readAgain();
      else if (needs === null) decide(entry);
      return needs;
    },
    rebuild(entries) {
      const take = startRebuild();
      for (const entry of entries) take(entry);
    },
    startRebuild,
  };
}
