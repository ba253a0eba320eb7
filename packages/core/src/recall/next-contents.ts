import { mergeSegments } from "./merge-segments.ts";
import type { KindSegment, RecallContents } from "./recall-contents.ts";
import type { RecallProgress } from "./recall-progress.ts";
import type { Segment } from "./segment.ts";
import { textAt } from "./text-table.ts";

/** So many segments of one kind and of about one size are put together into one. */
export const mergedSegments = 8;

export interface RecallChange {
  readonly added: readonly KindSegment[];
  /** Paths of memories that are gone or come anew. */
  readonly droppedMemories: ReadonlySet<string>;
  /** Sessions whose notes are gone or come anew. */
  readonly droppedNotes: ReadonlySet<string>;
  /** Sessions of which nothing stays. */
  readonly droppedSessions: ReadonlySet<string>;
  readonly progress: RecallProgress;
}

/**
 * The contents after a change. What is dropped leaves its segment at once, with every word that only it had, so counts
 * are always those of an index made from scratch.
 */
export function nextContents(present: RecallContents, change: RecallChange): RecallContents {
  const kept = present.segments.flatMap((one) => withoutDropped(one, change));
  const added = change.added.filter(({ segment }) => segment.documents > 0);
  return { ...present, segments: mergeTiers([...kept, ...added]), progress: change.progress };
}

function withoutDropped(one: KindSegment, change: RecallChange): readonly KindSegment[] {
  const { kind, segment } = one;
  const table = kind === "memory" ? segment.ids : segment.sessions;
  const names = kind === "memory" ? change.droppedMemories : droppedSessions(kind, change);
  if (names.size === 0) return [one];
  const dropped = new Set<number>();
  for (let at = 0; at + 1 < table.offsets.length; at += 1) if (names.has(textAt(table, at))) dropped.add(at);
  if (dropped.size === 0) return [one];
  const nameOf = (document: number) =>
    kind === "memory" ? document : (segment.sessionOf[document] as number);
  const rest = mergeSegments([segment], (_, document) => !dropped.has(nameOf(document)));
  return rest.documents === 0 ? [] : [{ kind, segment: rest }];
}

function droppedSessions(kind: KindSegment["kind"], change: RecallChange): ReadonlySet<string> {
  return kind === "notes"
    ? new Set([...change.droppedSessions, ...change.droppedNotes])
    : change.droppedSessions;
}

const tierOf = ({ documents }: Segment) => Math.floor(Math.log(documents) / Math.log(mergedSegments) + 1e-9);

/** Each document is put together with others about once for every tier, and there are few segments at any time. */
function mergeTiers(segments: readonly KindSegment[]): readonly KindSegment[] {
  const tiers = new Map<string, KindSegment[]>();
  for (const one of segments) {
    const tier = `${one.kind} ${tierOf(one.segment)}`;
    tiers.set(tier, [...(tiers.get(tier) ?? []), one]);
  }
  const full = [...tiers.values()].find((tier) => tier.length >= mergedSegments);
  if (full === undefined) return segments;
  const merged = mergeSegments(full.map(({ segment }) => segment));
  const others = segments.filter((one) => !full.includes(one));
  return mergeTiers([...others, { kind: (full[0] as KindSegment).kind, segment: merged }]);
}
