import { markOf, type TextEncoding } from "../reading/text-encoding.ts";

/** One place in the units of a file where the looked-for text stands. */
export interface Location {
  readonly start: number;
  readonly end: number;
}

export interface Locations {
  /** Overlapping ones count: what stands in two ways is not unique. */
  readonly locations: readonly Location[];
  /** Line ends in the looked-for text stood for those of the file. */
  readonly isFolded: boolean;
  /** Where a position behind the beginning of a place, counted in the looked-for text, stands in the file. */
  within(location: Location, position: number): number;
}

/** Nobody means more places than this; they are not looked for. */
export const maxLocations = 100_000;

/** A CR in the looked-for text is meant as it is where that is found; otherwise every line end is as good as another. */
export function findLocations(units: string, wanted: string): Locations {
  if (wanted.includes("\r")) {
    const locations = locationsOf(units, wanted);
    if (locations.length > 0) {
      return { locations, isFolded: false, within: ({ start }, position) => start + position };
    }
  }
  const folded = foldLines(units);
  const { originalAt } = folded;
  const starts = new Map<Location, number>();
  for (const { start, end } of locationsOf(folded.text, wanted.replaceAll("\r\n", "\n"))) {
    starts.set({ start: originalAt(start), end: originalAt(end) }, start);
  }
  return {
    locations: [...starts.keys()],
    isFolded: true,
    within: (location, position) => originalAt((starts.get(location) ?? 0) + position),
  };
}

/** From the first on, those that do not overlap the one before. */
export function withoutOverlaps(locations: readonly Location[]): readonly Location[] {
  let end = 0;
  return locations.filter((location) => {
    if (location.start < end) return false;
    end = location.end;
    return true;
  });
}

function locationsOf(text: string, wanted: string): readonly Location[] {
  const locations: Location[] = [];
  for (
    let start = text.indexOf(wanted);
    start !== -1 && locations.length <= maxLocations;
    start = text.indexOf(wanted, start + 1)
  ) {
    locations.push({ start, end: start + wanted.length });
  }
  return locations;
}

/** A text in which every CRLF is a LF, and which knows where its characters came from. */
interface FoldedLines {
  readonly text: string;
  /** Where a position of the folded text stands in the original one; a CRLF begins at its CR. */
  originalAt(position: number): number;
}

function foldLines(original: string): FoldedLines {
  const folds: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    folds.push(at - folds.length);
  }
  return {
    text: folds.length === 0 ? original : original.replaceAll("\r\n", "\n"),
    originalAt: (position) => position + countBelow(folds, position),
  };
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A text file as a string of units that gives back its very bytes, whatever they are: bytes that are no UTF-8 and lone
 * surrogates included. Line ends are themselves among the units.
 */
export interface EditableText {
  readonly units: string;
  toUnits(text: string): string;
  toText(units: string): string;
  toBytes(units: string): Uint8Array;
}

export function editableText(bytes: Uint8Array, encoding: TextEncoding): EditableText {
  const mark = markOf(encoding);
  const body = Buffer.from(bytes.subarray(mark.length));
  if (encoding === "utf-16le" || encoding === "utf-16be") return wideText(mark, body, encoding);
  return {
    units: body.toString("latin1"),
    toUnits: (text) => Buffer.from(text, "utf8").toString("latin1"),
    toText: (units) => Buffer.from(units, "latin1").toString("utf8"),
    toBytes: (units) => Buffer.concat([mark, Buffer.from(units, "latin1")]),
  };
}

function wideText(mark: Uint8Array, body: Buffer, encoding: TextEncoding): EditableText {
  const evenLength = body.length - (body.length % 2);
  const half = body.subarray(evenLength);
  const inOrder = (pairs: Buffer) => (encoding === "utf-16be" ? Buffer.from(pairs).swap16() : pairs);
  return {
    units: inOrder(body.subarray(0, evenLength)).toString("utf16le"),
    toUnits: (text) => text,
    toText: (units) => units.toWellFormed(),
    toBytes: (units) => Buffer.concat([mark, inOrder(Buffer.from(units, "utf16le")), half]),
  };
}
