import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { createSeededRandom } from "../packages/testing/build/seeded-random.js";

/** How many of 20 sessions have so many entries: most are short, a few are as long as the bundled one. */
export const sessionLengths = [
  { of20: 10, entries: 40 },
  { of20: 6, entries: 160 },
  { of20: 3, entries: 400 },
  { of20: 1, entries: 829 },
];
/** An entry with more bytes than this has its text in a blob, and a preview of so many in its line. */
export const offloadBytes = 16_384;
const previewBytes = 2_048;

/** What the bundled session appends, entry by entry: each a draft, with the bytes of its blob where it has one. */
export function readSample() {
  const file = new URL("../packages/palimpsest/assets/sample-session.jsonl.gz", import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n");
  return lines.slice(1).map((line) => {
    const { v: _v, seq: _seq, epoch: _epoch, id: _id, at: _at, crc: _crc, ...draft } = JSON.parse(line);
    if (line.length <= offloadBytes) return { draft, blob: null };
    const content = Buffer.from(line).subarray(0, previewBytes).toString("utf8");
    return { draft: { kind: "message", message: { type: "user", content } }, blob: Buffer.from(line) };
  });
}

/** The same seed gives the same lengths. */
export function createLengths(seed) {
  const random = createSeededRandom(seed);
  return () => {
    let draw = random.below(20);
    for (const { of20, entries } of sessionLengths) {
      if (draw < of20) return entries;
      draw -= of20;
    }
    throw new Error("The lengths are not of 20.");
  };
}
