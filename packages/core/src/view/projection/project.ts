import type { DecisionEntry, Entry, ViewItem } from "../../spec/index.ts";
import { createDeadDecisions, toDecisionRecord } from "./chain.ts";
import { decidedItems } from "./decided-items.ts";
import { messageItems } from "./message-items.ts";
import { validEntry } from "./valid-entry.ts";

/** The result of a projection: the part of a view that is the same however it was reached. */
export interface ProjectionResult {
  readonly items: readonly ViewItem[];
  readonly head: number;
}

/**
 * The projection, all at once: a pure and total function of the log. It is the definition; `createProjection` must
 * give the same after every entry.
 */
export function project(given: readonly Entry[]): ProjectionResult {
  const entries = given.map(validEntry);
  const { live, head } = liveEntries(entries);
  const records = live.flatMap((entry) => (entry.kind === "decision" ? (toDecisionRecord(entry) ?? []) : []));
  const { dead } = createDeadDecisions(records);
  let items: readonly ViewItem[] = [];
  for (const entry of live) {
    if (entry.kind === "message") {
      items = [...items, ...messageItems(entry.message, { entry: entry.id, seq: entry.seq })];
    } else if (entry.kind === "decision" && !dead.has(entry.id)) items = decidedItems(items, entry);
  }
  return { items, head };
}

/** Ends a rewind that is taken back, and those made behind it: they can be taken back no more. */
export function endRewinds(rewinds: Map<string, { readonly seq: number }>, fromSeq: number): void {
  for (const [id, { seq }] of rewinds) if (seq >= fromSeq) rewinds.delete(id);
}

/** Walks the log with a head: every entry's predecessor is the head at its append, and a rewind moves the head. */
function liveEntries(entries: readonly Entry[]): {
  readonly live: readonly Entry[];
  readonly head: number;
} {
  const predecessor = new Map<number, number>();
  const headBefore = new Map<string, { readonly head: number; readonly seq: number }>();
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  let head = 0;

  function chainOf(seq: number): readonly number[] {
    const chain: number[] = [];
    for (let at = seq; at > 0; at = predecessor.get(at) ?? 0) chain.unshift(at);
    return chain;
  }

  function moveOf(entry: DecisionEntry): number | null {
    const { decision } = entry;
    if (decision.type === "rewind") {
      const { toSeq } = decision;
      if (toSeq <= 0 || toSeq >= entry.seq) return null;
      if (!bySeq.has(toSeq)) predecessor.set(toSeq, entries.findLast(({ seq }) => seq < toSeq)?.seq ?? 0);
      return toSeq;
    }
    const rewind = decision.type === "restore" ? headBefore.get(decision.decision) : undefined;
    if (!rewind) return null;
    const hasMessages = chainOf(head).some((seq) => seq > rewind.seq && bySeq.get(seq)?.kind === "message");
    if (hasMessages) return null;
    endRewinds(headBefore, rewind.seq);
    return rewind.head;
  }

  for (const entry of entries) {
    const before = head;
    predecessor.set(entry.seq, head);
    const move = entry.kind === "decision" ? moveOf(entry) : null;
    if (entry.kind === "decision" && entry.decision.type === "rewind" && move !== null) {
      headBefore.set(entry.id, { head: before, seq: entry.seq });
    }
    head = move ?? entry.seq;
  }
  return { live: chainOf(head).flatMap((seq) => bySeq.get(seq) ?? []), head };
}
