import { ok, type Result } from "../../spec/index.ts";
import { aborted } from "./import-failure.ts";
import { type ImportOptions, maxLineBytes } from "./import-report.ts";
import { createLineSplitter } from "./line-splitter.ts";
import type { Lookahead } from "./lookahead.ts";
import { parseLine } from "./parse-line.ts";
import type { RecordReader } from "./record-reader.ts";
import type { Tally } from "./tally.ts";

/** Reads a source line by line; lines that give no record go to the tally. */
export async function readLines(
  source: Lookahead,
  skipBytes: number,
  options: ImportOptions,
  tally: Tally,
  reader: RecordReader,
): Promise<Result<void>> {
  const limit = options.maxLineBytes ?? maxLineBytes;
  const splitter = createLineSplitter(limit, skipBytes, (line) => {
    const parsed = parseLine(line);
    const place = { line: line.number, offset: line.offset, bytes: line.length };
    if (parsed.outcome === "record") reader.read(parsed.record, place);
    else if (parsed.outcome === "blank") tally.blank();
    else tally.setAside(parsed.outcome, place, parsed.reason);
  });
  let skip = skipBytes;
  for await (const chunk of source.chunks()) {
    if (options.signal?.aborted) return aborted(options);
    splitter.push(chunk.subarray(skip));
    skip = 0;
  }
  splitter.end();
  reader.end();
  return ok();
}
