import type { InspectedSession, SessionMark } from "../inspected.ts";
import type { Action } from "./page-location.ts";

/** Which rows are in the document: those that can be seen, and some around them. */
interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
  /** Pixels before the first row. */
  readonly top: number;
  /** Pixels of all rows. */
  readonly height: number;
}

/** Rows kept above and below what can be seen, so that scrolling shows no gaps. */
const spareRows = 8;

/** `tops` has a place more than there are rows: where the last one ends. */
export function rowWindow(tops: Float64Array, scrolled: number, visible: number): RowWindow {
  const count = tops.length - 1;
  const first = Math.max(0, rowAt(tops, scrolled) - spareRows);
  const end = Math.min(count, rowAt(tops, scrolled + visible) + 1 + spareRows);
  return { first, end: Math.max(first, end), top: tops[first] ?? 0, height: tops[count] ?? 0 };
}

/** Where each row begins, and where the last one ends. */
export function rowTops(count: number, heightOf: (row: number) => number): Float64Array {
  const tops = new Float64Array(count + 1);
  for (let row = 0; row < count; row += 1) tops[row + 1] = (tops[row] ?? 0) + heightOf(row);
  return tops;
}

/** The row at a height: the first one before, the last one after all. */
function rowAt(tops: Float64Array, pixel: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= pixel) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Rows that stay in sight beside the one that is scrolled to. */
const besideRows = 2;

/** How far to scroll so that a row and those beside it are seen; where they are already, nothing moves. */
export function scrollToRow(tops: Float64Array, row: number, scrolled: number, visible: number): number {
  const own = tops[row] ?? 0;
  const top = tops[Math.max(0, row - besideRows)] ?? 0;
  const bottom = tops[Math.min(tops.length - 1, row + 1 + besideRows)] ?? own;
  if (top < scrolled) return top;
  if (bottom > scrolled + visible) return Math.min(own, bottom - visible);
  return scrolled;
}

export type MarksByRequest = ReadonlyMap<number, readonly SessionMark[]>;

export function marksByRequest(marks: readonly SessionMark[]): MarksByRequest {
  const found = new Map<number, SessionMark[]>();
  for (const mark of marks) {
    const list = found.get(mark.request);
    if (list) list.push(mark);
    else found.set(mark.request, [mark]);
  }
  return found;
}

/** Requests that have every word of the filter in their number, turn, break or marks. */
export function findRequests(
  { requests }: InspectedSession,
  marks: MarksByRequest,
  filter: string,
): readonly number[] {
  const all = requests.at.map((_, request) => request);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all.filter((request) => {
    const broken = requests.breaks[request];
    const text = [
      `#${request + 1} turn:${requests.turn[request]}`,
      broken ? `break ${broken.kind} ${broken.reason}` : "",
      ...(marks.get(request) ?? []).map((mark) => `${mark.kind} ${mark.text}`),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const pageRequests = 20;

/** The request an action leads to, of those that are `found`; `undefined` for actions that do not move. */
export function moveRequest(
  action: Action,
  request: number,
  found: readonly number[],
  marked: readonly number[],
): number | undefined {
  const at = firstFrom(found, request);
  const step = (by: number) => found[Math.max(0, Math.min(found.length - 1, at + by))] ?? request;
  if (action === "next") return step(found[at] === request ? 1 : 0);
  if (action === "previous") return step(-1);
  if (action === "nextPage") return step(pageRequests);
  if (action === "previousPage") return step(-pageRequests);
  if (action === "first") return found[0] ?? request;
  if (action === "last") return found.at(-1) ?? request;
  if (action === "nextMark") return marked.find((each) => each > request) ?? request;
  if (action === "previousMark") return marked.findLast((each) => each < request) ?? request;
  return undefined;
}

/** The place of the first that is not before the request. */
function firstFrom(found: readonly number[], request: number): number {
  const at = found.findIndex((each) => each >= request);
  return at < 0 ? found.length : at;
}
