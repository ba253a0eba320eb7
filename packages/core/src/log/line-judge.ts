import type { Entry, EntryVisit, LogDamage, LogReport } from "../spec/index.ts";
import { decodeLine, formatVersion, isKnownKind } from "./codec.ts";
import { salvage } from "./scan-lines.ts";

/** How many damages a report lists; all of them are counted. */
export const maxListedDamages = 100;

/** Salvage looks at every pair of an opening and a seal: beyond this it would not be worth the time. */
const maxSalvagedLineBytes = 16 * 1024 * 1024;

export type DamageVisit = (damage: LogDamage) => void;

/** Decides for each line of a log, in order, whether it is an entry in force, and counts everything that is not. */
export interface LineJudge {
  line(buffer: Buffer, start: number, end: number, offset: number): void;
  longLine(offset: number, bytes: number): void;
  /** The bytes behind the last newline; `settled` when nobody is writing, so that they are torn for good. */
  tail(offset: number, bytes: number, settled: boolean): void;
  report(): LogReport;
  /** How many entries were accepted so far. */
  readonly entries: number;
}

export function createLineJudge(visit: EntryVisit, onDamage: DamageVisit = () => undefined): LineJudge {
  const damages: LogDamage[] = [];
  const unknownKinds: Record<string, number> = {};
  const counts = {
    entries: 0,
    corruptLines: 0,
    corruptBytes: 0,
    fencedLines: 0,
    fencedBytes: 0,
    salvaged: 0,
  };
  let lastSeq = 0;
  let epoch = 0;
  let version: number = formatVersion;
  let end = 0;
  let tornBytes = 0;

  function damage(kind: LogDamage["kind"], offset: number, bytes: number, reason: string): void {
    const found: LogDamage = { kind, offset, bytes, reason };
    if (damages.length < maxListedDamages) damages.push(found);
    if (kind === "corrupt") {
      counts.corruptLines += 1;
      counts.corruptBytes += bytes;
    } else if (kind === "fenced") {
      counts.fencedLines += 1;
      counts.fencedBytes += bytes;
    }
    onDamage(found);
  }

  function accept(entry: Entry, offset: number, bytes: number): void {
    if (entry.epoch < epoch) {
      damage("fenced", offset, bytes, `writer ${entry.epoch} wrote it after writer ${epoch} had begun`);
      return;
    }
    const isFirstOfWriter = entry.epoch > epoch;
    epoch = entry.epoch;
    if (entry.seq <= lastSeq) {
      // A new writer announces itself before it can know what a fenced one wrote in the meantime.
      if (isFirstOfWriter && entry.kind === "note" && entry.note.topic === "writer") return;
      damage("corrupt", offset, bytes, `its sequence number ${entry.seq} is not above ${lastSeq}`);
      return;
    }
    lastSeq = entry.seq;
    counts.entries += 1;
    if (!isKnownKind(entry.kind)) {
      const kind: string = entry.kind;
      unknownKinds[kind] = (unknownKinds[kind] ?? 0) + 1;
    }
    visit(entry, offset);
  }

  function damagedLine(line: Buffer, offset: number, reason: string): void {
    const whole = line.length <= maxSalvagedLineBytes ? salvage(line) : [];
    let at = 0;
    for (const { entry, start, end: entryEnd } of whole) {
      if (start > at) damage("corrupt", offset + at, start - at, reason);
      counts.salvaged += 1;
      accept(entry, offset + start, entryEnd - start);
      at = entryEnd;
    }
    if (at < line.length) damage("corrupt", offset + at, line.length - at, reason);
  }

  return {
    get entries() {
      return counts.entries;
    },
    line(buffer, start, lineEnd, offset) {
      end = offset + (lineEnd - start) + 1;
      if (lineEnd === start) return;
      const decoded = decodeLine(buffer, start, lineEnd);
      if (decoded.outcome === "entry") accept(decoded.entry, offset, lineEnd - start);
      else if (decoded.outcome === "newer") {
        version = Math.max(version, decoded.version);
        if (decoded.entry !== null) accept(decoded.entry, offset, lineEnd - start);
        else
          damage(
            "corrupt",
            offset,
            lineEnd - start,
            `format ${decoded.version} is newer than ${formatVersion}`,
          );
      } else damagedLine(buffer.subarray(start, lineEnd), offset, decoded.reason);
    },
    longLine(offset, bytes) {
      end = offset + bytes + 1;
      damage("corrupt", offset, bytes, "it is longer than a line may be");
    },
    tail(offset, bytes, settled) {
      end = offset;
      tornBytes = bytes;
      if (settled && bytes > 0) damage("torn", offset, bytes, "the last line was not finished");
    },
    report: () => ({ ...counts, lastSeq, epoch, version, end, tornBytes, unknownKinds, damages, asides: [] }),
  };
}
