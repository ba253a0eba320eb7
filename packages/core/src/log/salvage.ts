import type { Entry } from "../spec/index.ts";
import { decodeLine } from "./codec.ts";

const opening = Buffer.from('{"v":');
const sealOpening = Buffer.from(',"crc":"');
const sealRest = 8 + 2;

/** Pairs of an opening and a seal that are tried in one line, so that no line can take for ever. */
const maxAttempts = 256;

export interface Salvaged {
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
