import { formatVersion } from "../../../log/codec.ts";
import { salvage } from "../../../log/salvage.ts";
import {
  type Disk,
  type DiskFile,
  type EntryVisit,
  type LogDamage,
  type LogReport,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { newerFormat, nothingReadable } from "../../shared/log/log-refusals.ts";
import { createRangeCollector, keepAside } from "./aside.ts";
import { readLog } from "./read-log.ts";

export interface OpenedLog {
  readonly report: LogReport;
  /** The file's size once damage was dealt with: it ends in a newline. */
  readonly size: number;
}

const newline = Buffer.from("\n");
const keptInPlace = ["corrupt", "fenced"] as const;

/**
 * Reads a log for its lease holder. Torn bytes are copied aside and cut off, unless a whole entry is among them: then
 * the line gets the newline it lacks. Corrupt and fenced lines are copied aside and stay where they are: rewriting the file here would take it
 * from under a fenced writer, whose late lines would then vanish instead of being found. A log in which nothing can
 * be read is not touched.
 */
export async function openLog(
  disk: Disk,
  file: DiskFile,
  path: string,
  visit: EntryVisit,
  options: { readonly at: string; readonly signal?: AbortSignal },
): Promise<Result<OpenedLog>> {
  const collector = createRangeCollector();
  const read = await readLog(file, visit, { onDamage: collector.add, signal: options.signal });
  if (!read.ok) return read;
  const { judge, lines } = read.value;
  const { tail, tailBytes } = lines;
  const lacksNewline = tail !== null && tailBytes > 0 && holdsEntry(tail);
  if (lacksNewline) judge.line(tail, 0, tailBytes, lines.end);
  else judge.tail(lines.end, tailBytes, true);
  const report = judge.report();
  if (report.version > formatVersion) return newerFormat(path, report.version);
  if (report.entries === 0) return nothingReadable(path, tailBytes + lines.end);

  const asides: string[] = [];
  const keep = async (kind: LogDamage["kind"]): Promise<Result<void>> => {
    const ranges = collector.ranges.filter((range) => range.kind === kind);
    if (ranges.length === 0) return ok();
    asides.push(`${path}.${kind}`);
    return keepAside(disk, file, `${path}.${kind}`, ranges, options.at);
  };
  for (const kind of keptInPlace) {
    const kept = await keep(kind);
    if (!kept.ok) return kept;
  }
  const mended = lacksNewline ? await file.append(newline) : await cutTail();
  if (!mended.ok) return mended;
  return ok({ report: { ...report, asides }, size: report.end });

  async function cutTail(): Promise<Result<void>> {
    if (tailBytes === 0) return ok();
    const kept = await keep("torn");
    return kept.ok ? file.truncate(lines.end) : kept;
  }
}

/** Looks at a copy, since decoding writes into its buffer. */
function holdsEntry(tail: Buffer): boolean {
  return salvage(Buffer.from(tail)).length > 0;
}
