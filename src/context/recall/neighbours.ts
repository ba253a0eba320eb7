import { recallKinds } from "./recall-document.ts";
import type { Segment } from "./segment.ts";
import { textAt } from "./text-table.ts";

const messageKind = recallKinds.indexOf("message");

/** The message before and the one behind each message, over all segments; -1 where there is none. */
export interface Neighbours {
  readonly before: Int32Array;
  readonly behind: Int32Array;
}

/**
 * Documents are counted through all segments. Names are compared only for runs of one session's messages that go on in
 * another segment: those that begin with another number than 1.
 */
export function findNeighbours(segments: readonly Segment[], documents: number): Neighbours {
  const before = new Int32Array(documents).fill(-1);
  const behind = new Int32Array(documents).fill(-1);
  const starts: Placed[] = [];
  let base = 0;
  for (const segment of segments) {
    const { kinds, sessionOf, numbers } = segment;
    let previous = -1;
    for (let at = 0; at < segment.documents; at += 1) {
      const number = numbers[at] as number;
      if (kinds[at] !== messageKind) previous = -1;
      else if (
        previous >= 0 &&
        sessionOf[at] === sessionOf[previous] &&
        number === (numbers[previous] as number) + 1
      ) {
        before[base + at] = base + previous;
        behind[base + previous] = base + at;
        previous = at;
      } else {
        if (number > 1) starts.push({ segment, base, at });
        previous = at;
      }
    }
    base += segment.documents;
  }
  joinRuns(segments, starts, { before, behind });
  return { before, behind };
}

interface Placed {
  readonly segment: Segment;
  readonly base: number;
  readonly at: number;
}

/** Finds the message before each start among the ends of other runs. */
function joinRuns(
  segments: readonly Segment[],
  starts: readonly Placed[],
  { before, behind }: Neighbours,
): void {
  const wanted = new Map<string, number>();
  for (const { segment, base, at } of starts) wanted.set(keyOf(segment, at, -1), base + at);
  const numbers = new Set(starts.map(({ segment, at }) => (segment.numbers[at] as number) - 1));
  let base = 0;
  for (const segment of starts.length === 0 ? [] : segments) {
    for (let at = 0; at < segment.documents; at += 1) {
      if (behind[base + at] !== -1 || !numbers.has(segment.numbers[at] as number)) continue;
      const start = segment.kinds[at] === messageKind ? wanted.get(keyOf(segment, at, 0)) : undefined;
      if (start === undefined) continue;
      before[start] = base + at;
      behind[base + at] = start;
    }
    base += segment.documents;
  }
}

function keyOf({ sessions, sessionOf, numbers }: Segment, at: number, distance: number): string {
  return `${(numbers[at] as number) + distance}\n${textAt(sessions, sessionOf[at] as number)}`;
}
