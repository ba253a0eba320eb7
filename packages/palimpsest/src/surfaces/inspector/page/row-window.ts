/** Which rows are in the document: those that can be seen, and some around them. */
export interface RowWindow {
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
