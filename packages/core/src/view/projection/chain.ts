/**
 * Which entries are live. An entry's predecessor is the head at its append; a rewind moves the head, and only
 * ancestors of the head are live. Memory grows with head moves, not with entries.
 */
export interface Chain {
  /** Takes note of an entry that was appended behind the head, and becomes the head. */
  append(seq: number): void;
  /** Moves the head to an entry that was appended before. */
  move(head: number): void;
  isLive(seq: number): boolean;
  readonly head: number;
  /** A second one that goes on from here by itself. */
  copy(): Chain;
}

/** Entries appended one behind the other, from `first` on; `parent` is the head they began at. */
interface Branch {
  readonly first: number;
  last: number;
  readonly parent: number;
}

interface Interval {
  readonly from: number;
  to: number;
}

interface ChainStart {
  readonly branches: readonly Branch[];
  readonly live: readonly Interval[];
  readonly head: number;
  readonly hasMoved: boolean;
}

export function createChain(): Chain {
  return resumeFrom({ branches: [], live: [], head: 0, hasMoved: true });
}

function resumeFrom(start: ChainStart): Chain {
  const branches = start.branches.map((branch) => ({ ...branch }));
  let live = start.live.map((interval) => ({ ...interval }));
  let { head, hasMoved } = start;

  /** The branch an entry was appended in: branches are in the order of their entries. */
  function branchOf(seq: number): Branch | undefined {
    let low = 0;
    let high = branches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((branches[middle]?.first ?? Number.POSITIVE_INFINITY) <= seq) low = middle;
      else high = middle - 1;
    }
    const found = branches[low];
    return found && found.first <= seq ? found : undefined;
  }

  function ancestors(of: number): Interval[] {
    const intervals: Interval[] = [];
    for (let seq = of; seq > 0; ) {
      const branch = branchOf(seq);
      if (!branch) break;
      intervals.unshift({ from: branch.first, to: seq });
      seq = branch.parent;
    }
    return intervals;
  }

  return {
    get head() {
      return head;
    },
    append(seq) {
      const last = branches.at(-1);
      if (hasMoved || !last) {
        branches.push({ first: seq, last: seq, parent: head });
        live.push({ from: seq, to: seq });
        hasMoved = false;
      } else {
        last.last = seq;
        const interval = live.at(-1);
        if (interval) interval.to = seq;
      }
      head = seq;
    },
    move(to) {
      head = to;
      live = ancestors(to);
      hasMoved = true;
    },
    copy: () => resumeFrom({ branches, live, head, hasMoved }),
    isLive(seq) {
      for (let index = live.length - 1; index >= 0; index -= 1) {
        const interval = live[index];
        if (interval && seq >= interval.from) return seq <= interval.to;
      }
      return false;
    },
  };
}
