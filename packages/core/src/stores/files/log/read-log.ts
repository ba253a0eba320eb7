import { decodeLine } from "../../../log/codec.ts";
import { createLineJudge, type DamageVisit, type LineJudge } from "../../../log/line-judge.ts";
import { type ScannedLines, scanLines } from "../../../log/scan-lines.ts";
import {
  type DiskFile,
  type Entry,
  type EntryLocation,
  type EntryVisit,
  fail,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { maxLineBytes } from "../../shared/log.ts";

const firstReadBytes = 64 * 1024;
const newline = 0x0a;

export interface ReadLogOptions {
  readonly from?: EntryLocation;
  readonly until?: number;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  readonly onDamage?: DamageVisit;
}

/** Judges all whole lines of a log; what stands behind the last newline is left to the caller. */
export async function readLog(
  file: DiskFile,
  visit: EntryVisit,
  options: ReadLogOptions = {},
): Promise<Result<{ readonly judge: LineJudge; readonly lines: ScannedLines }>> {
  const judge = createLineJudge(visit, options.onDamage);
  const { limit } = options;
  const lines = await scanLines(file, judge.line, {
    from: options.from ?? 0,
    until: options.until,
    maxLineBytes,
    onLongLine: judge.longLine,
    signal: options.signal,
    isEnough: limit === undefined ? undefined : () => judge.entries >= limit,
  });
  return lines.ok ? ok({ judge, lines: lines.value }) : lines;
}

/** The one entry that begins at `place`. */
export async function readEntryAt(
  file: DiskFile,
  location: EntryLocation,
  path: string,
): Promise<Result<Entry>> {
  for (let size = firstReadBytes; ; size *= 4) {
    const buffer = Buffer.allocUnsafe(Math.min(size, maxLineBytes));
    const read = await file.read(location, buffer);
    if (!read.ok) return read;
    const end = buffer.subarray(0, read.value).indexOf(newline);
    const decoded = end === -1 ? null : decodeLine(buffer, 0, end);
    if (decoded?.outcome === "entry") return ok(decoded.entry);
    if (decoded !== null || read.value < buffer.length || size >= maxLineBytes) {
      return fail("corrupt", `No entry begins at byte ${location} of ${path}.`, {
        path,
        fix: "Read the log from its start.",
      });
    }
  }
}
