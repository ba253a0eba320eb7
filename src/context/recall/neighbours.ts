import { recallKinds } from "./recall-document.ts";
import type { Segment } from "./segment.ts";
import { textAt } from "./text-table.ts";

const messageKind = recallKinds.indexOf("message");

/** The message before and the one behind each message, over all segments; -1 where there is none. */
export interface Neighbours {
  readonly before: Int32Array;
  readonly behind: Int32Array;
}

/** Documents are counted through all segments. Only where a run of one session's messages ends are names compared. */
export function findNeighbours(segments: readonly Segment[], documents: number): Neighbours {
  const before = new Int32Array(documents).fill(-1);
  const behind = new Int32Array(documents).fill(-1);
  const runStarts: { readonly key: string; readonly document: number }[] = [];
  const runEnds = new Map<string, number>();
  let base = 0;
  for (const segment of segments) {
    const { kinds, sessionOf, numbers } = segment;
    const keyOf = (at: number, number: number) =>
      `${number}\n${textAt(segment.sessions, sessionOf[at] as number)}`;
    const isNext = (at: number) =>
      kinds[at] === messageKind &&
      kinds[at - 1] === messageKind &&
      sessionOf[at] === sessionOf[at - 1] &&
      numbers[at] === (numbers[at - 1] as number) + 1;
    for (let at = 0; at < segment.documents; at += 1) {
      if (kinds[at] !== messageKind) continue;
      if (at > 0 && isNext(at)) {
        before[base + at] = base + at - 1;
        behind[base + at - 1] = base + at;
      } else runStarts.push({ key: keyOf(at, (numbers[at] as number) - 1), document: base + at });
      if (at + 1 === segment.documents || !isNext(at + 1))
        runEnds.set(keyOf(at, numbers[at] as number), base + at);
    }
    base += segment.documents;
  }
  for (const { key, document } of runStarts) {
    const end = runEnds.get(key);
    if (end === undefined) continue;
    before[document] = end;
    behind[end] = document;
  }
  return { before, behind };
}
