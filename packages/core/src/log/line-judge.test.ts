import { describe, expect, it } from "vitest";
import { messageEntry } from "../../../../test/support/entries.ts";
import type { Entry, LogDamage } from "../spec/index.ts";
import { encodeEntry } from "./codec.ts";
import { createLineJudge } from "./line-judge.ts";

const writerNote = (seq: number, epoch: number): Entry => ({
  v: 1,
  seq,
  epoch,
  id: `note_${seq}_${epoch}`,
  at: "2026-01-01T00:00:00.000Z",
  kind: "note",
  note: { topic: "writer", writer: { pid: 1, host: "host", version: "0.1.0" } },
});

function judgeAll(parts: readonly (Entry | Buffer)[]) {
  const seqs: number[] = [];
  const damages: LogDamage[] = [];
  const judge = createLineJudge(
    (entry) => seqs.push(entry.seq),
    (damage) => damages.push(damage),
  );
  let offset = 0;
  for (const part of parts) {
    const line = Buffer.isBuffer(part) ? part : encodeEntry(part).subarray(0, -1);
    judge.line(Buffer.from(line), 0, line.length, offset);
    offset += line.length + 1;
  }
  return { seqs, damages: damages.map(({ kind, reason }) => [kind, reason]), report: judge.report() };
}

const glue = (...entries: readonly Entry[]) =>
  Buffer.concat(entries.map((entry) => encodeEntry(entry).subarray(0, -1)));

describe("line judge", () => {
  it("accepts increasing sequence numbers with gaps and counts nothing as damage", () => {
    const { seqs, damages, report } = judgeAll([messageEntry(1), messageEntry(5), messageEntry(6)]);
    expect({ seqs, damages }).toEqual({ seqs: [1, 5, 6], damages: [] });
    expect(report).toMatchObject({ entries: 3, lastSeq: 6, epoch: 1, corruptLines: 0, fencedLines: 0 });
  });

  it("refuses a sequence number that does not grow", () => {
    const { seqs, damages } = judgeAll([messageEntry(2), messageEntry(2), messageEntry(1), messageEntry(3)]);
    expect({ seqs, damages }).toEqual({
      seqs: [2, 3],
      damages: [
        ["corrupt", "its sequence number 2 is not above 2"],
        ["corrupt", "its sequence number 1 is not above 2"],
      ],
    });
  });

  it("fences the lines of an older writer once a newer one has begun", () => {
    const { seqs, damages, report } = judgeAll([
      messageEntry(1),
      writerNote(2, 2),
      messageEntry(2),
      messageEntry(3, "new", { epoch: 2 }),
      messageEntry(4),
    ]);
    expect({ seqs, damages }).toEqual({
      seqs: [1, 2, 3],
      damages: [
        ["fenced", "writer 1 wrote it after writer 2 had begun"],
        ["fenced", "writer 1 wrote it after writer 2 had begun"],
      ],
    });
    expect(report).toMatchObject({ fencedLines: 2, epoch: 2 });
  });

  it("lets an announcement that came too late raise the fence all the same", () => {
    const { seqs, damages } = judgeAll([
      messageEntry(1),
      messageEntry(2),
      writerNote(2, 2),
      messageEntry(3),
      writerNote(3, 2),
    ]);
    expect({ seqs, damages }).toEqual({
      seqs: [1, 2, 3],
      damages: [["fenced", "writer 1 wrote it after writer 2 had begun"]],
    });
  });

  it("finds whole entries glued together by a lost newline", () => {
    const { seqs, damages, report } = judgeAll([
      glue(messageEntry(1), messageEntry(2), messageEntry(3)),
      messageEntry(4),
    ]);
    expect({ seqs, damages }).toEqual({ seqs: [1, 2, 3, 4], damages: [] });
    expect(report.salvaged).toBe(3);
  });

  it("finds the entry that follows damage on the same line, and the one before it", () => {
    const line = Buffer.concat([
      glue(messageEntry(1)),
      Buffer.alloc(40),
      glue(messageEntry(2)),
      Buffer.from("rest"),
    ]);
    const { seqs, damages, report } = judgeAll([line]);
    expect({ seqs, kinds: damages.map(([kind]) => kind) }).toEqual({
      seqs: [1, 2],
      kinds: ["corrupt", "corrupt"],
    });
    expect(report).toMatchObject({ salvaged: 2, corruptBytes: 44 });
  });

  it("is not fooled by an entry quoted inside a message", () => {
    const quoted = encodeEntry(messageEntry(99)).toString();
    const line = encodeEntry(messageEntry(1, quoted)).subarray(0, -30);
    expect(judgeAll([line, messageEntry(2)]).seqs).toEqual([2]);
  });

  it("passes over empty lines, which a fresh start after damage leaves behind", () => {
    expect(judgeAll([messageEntry(1), Buffer.alloc(0), messageEntry(2)])).toMatchObject({
      seqs: [1, 2],
      damages: [],
    });
  });

  it("visits kinds it does not know and counts them", () => {
    const { seqs, report } = judgeAll([messageEntry(1), { ...messageEntry(2), kind: "telemetry" } as never]);
    expect({ seqs, unknown: report.unknownKinds }).toEqual({ seqs: [1, 2], unknown: { telemetry: 1 } });
  });

  it("keeps the newest format version it meets", () => {
    const newer = { ...messageEntry(2), v: 3 } as never;
    expect(judgeAll([messageEntry(1), newer])).toMatchObject({ seqs: [1, 2], report: { version: 3 } });
  });

  it("lists at most a hundred damages and counts them all", () => {
    const { report } = judgeAll(Array.from({ length: 150 }, () => Buffer.from("rubbish")));
    expect([report.damages.length, report.corruptLines, report.corruptBytes]).toEqual([100, 150, 150 * 7]);
  });
});
