import { type Entry, fail, ok, type Result } from "../spec/index.ts";
import { decodeLine } from "./codec.ts";

/** Anything that can be read by position. */
export interface ByteSource {
  read(position: number, into: Uint8Array): Promise<Result<number>>;
}

/**
 * Gets each line without its newline as a range of a buffer that is reused: copy what must stay. `offset` is where
 * the line begins in the source.
 */
type LineVisit = (buffer: Buffer, start: number, end: number, offset: number) => void;

interface ScanLinesOptions {
  readonly from: number;
  /** Stop as if the source ended here. */
  readonly until?: number;
  /** A line longer than this is passed over, its place given to `onLongLine`; no string is made of it. */
  readonly maxLineBytes: number;
  readonly onLongLine: (offset: number, bytes: number) => void;
  readonly signal?: AbortSignal;
  /** Asked after each line: true ends the reading behind it. */
  readonly isEnough?: () => boolean;
}

export interface ScannedLines {
  /** Where the bytes after the last newline begin, or where it was enough. */
  readonly end: number;
  /** How many bytes stand after the last newline. */
  readonly tailBytes: number;
  /** A copy of them, unless they are longer than a line may be. */
  readonly tail: Buffer | null;
}

export const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** Splits on the byte `\n` only, in memory that does not grow with the source. */
export async function scanLines(
  source: ByteSource,
  visit: LineVisit,
  options: ScanLinesOptions,
): Promise<Result<ScannedLines>> {
  const { maxLineBytes, onLongLine, signal, isEnough, until = Number.POSITIVE_INFINITY } = options;
  let buffer = Buffer.allocUnsafeSlow(chunkBytes);
  let filled = 0;
  /** Source offset of `buffer[0]`. */
  let base = options.from;
  /** Bytes of an overlong line that were dropped from the front of the buffer. */
  let dropped = 0;
  for (;;) {
    if (signal?.aborted) return fail("aborted", "Reading the log was aborted.");
    const room = Math.min(buffer.length - filled, until - base - filled);
    const read = room > 0 ? await source.read(base + filled, buffer.subarray(filled, filled + room)) : ok(0);
    if (!read.ok) return read;
    if (read.value === 0) break;
    const unsearched = filled;
    filled += read.value;
    let start = 0;
    let at = buffer.subarray(0, filled).indexOf(newline, unsearched);
    while (at !== -1) {
      if (dropped > 0 || at - start > maxLineBytes) onLongLine(base + start - dropped, dropped + at - start);
      else visit(buffer, start, at, base + start);
      dropped = 0;
      start = at + 1;
      if (isEnough?.()) return ok({ end: base + start, tailBytes: 0, tail: null });
      at = start < filled ? buffer.indexOf(newline, start) : -1;
      if (at >= filled) at = -1;
    }
    if (start > 0) {
      buffer.copyWithin(0, start, filled);
      base += start;
      filled -= start;
    }
    if (filled > maxLineBytes) {
      dropped += filled;
      base += filled;
      filled = 0;
    }
    if (filled === buffer.length) buffer = growBuffer(buffer, maxLineBytes);
  }
  const tailBytes = dropped + filled;
  return ok({
    end: base - dropped,
    tailBytes,
    tail: dropped > 0 ? null : Buffer.from(buffer.subarray(0, filled)),
  });
}

function growBuffer(buffer: Buffer<ArrayBuffer>, maxLineBytes: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(
    Math.min(buffer.length * 2, Math.max(maxLineBytes + 1, buffer.length + chunkBytes)),
  );
  buffer.copy(larger);
  return larger;
}

const opening = Buffer.from('{"v":');
const sealOpening = Buffer.from(',"crc":"');
const sealRest = 8 + 2;

/** Pairs of an opening and a seal that are tried in one line, so that no line can take for ever. */
const maxAttempts = 256;

interface Salvaged {
  readonly entry: Entry;
  /** Where the entry begins and ends in the damaged line. */
  readonly start: number;
  readonly end: number;
}

/**
 * Whole entries inside a damaged line: a newline was lost between two lines, or damage ends in the middle of a line
 * and the next entry follows it at once. The checksum decides, so nothing is ever guessed. A quote inside a JSON
 * string is escaped, so the pattern an entry opens with cannot come from the text of a message.
 */
export function salvage(line: Buffer): readonly Salvaged[] {
  const found: Salvaged[] = [];
  let attempts = 0;
  let start = line.indexOf(opening);
  while (start !== -1 && attempts < maxAttempts) {
    let next = line.indexOf(opening, start + 1);
    let seal = line.indexOf(sealOpening, start);
    while (seal !== -1 && attempts < maxAttempts) {
      attempts += 1;
      const end = seal + sealOpening.length + sealRest;
      const decoded = end > line.length ? null : decodeLine(line, start, end);
      if (decoded?.outcome === "entry") {
        found.push({ entry: decoded.entry, start, end });
        next = line.indexOf(opening, end);
        break;
      }
      seal = line.indexOf(sealOpening, seal + 1);
    }
    start = next;
  }
  return found;
}
