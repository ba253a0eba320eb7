import type { CompactDecision, Message } from "../../../spec/index.ts";
import type { ImportedEntry } from "../entry-sink.ts";

/**
 * Holds a compaction's decision back until its summary comes, which stands on a line of its own behind it. Lines
 * between the two are held too, within limits, and follow the decision in their order.
 */
export interface BoundaryHold {
  hold(id: string, at: string, decision: CompactDecision): void;
  /** Gives the held decision its summary and lets everything go; false when none is held. */
  complete(summary: Message): boolean;
  /** Hands an entry on, behind a held decision if there is one. */
  follow(entry: ImportedEntry, bytes: number): void;
  /** Lets everything go as it is: no summary came. */
  release(): void;
}

/** Far more than was ever seen between the two, which is nothing. */
const maxFollowers = 16;
const maxFollowerBytes = 1024 * 1024;

interface Held {
  readonly id: string;
  readonly at: string;
  readonly decision: CompactDecision;
  readonly followers: ImportedEntry[];
  bytes: number;
}

export function createBoundaryHold(emit: (entry: ImportedEntry) => void): BoundaryHold {
  let held: Held | undefined;

  function release(summary?: Message): void {
    if (held === undefined) return;
    const { id, at, decision, followers } = held;
    held = undefined;
    emit({ kind: "decision", decision: summary === undefined ? decision : { ...decision, summary }, id, at });
    for (const follower of followers) emit(follower);
  }

  return {
    hold(id, at, decision) {
      release();
      held = { id, at, decision, followers: [], bytes: 0 };
    },
    complete(summary) {
      if (held === undefined) return false;
      release(summary);
      return true;
    },
    follow(entry, bytes) {
      if (held === undefined) {
        emit(entry);
        return;
      }
      held.followers.push(entry);
      held.bytes += bytes;
      if (held.followers.length >= maxFollowers || held.bytes > maxFollowerBytes) release();
    },
    release: () => release(),
  };
}
