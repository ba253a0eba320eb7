import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { EntryDraft, LogReport } from "../../packages/core/src/spec/index.ts";
import { must, refused } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { messageDraft, sessionDraft } from "../support/entries.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

const path = logPath("one");
const drafts: readonly EntryDraft[] = [
  "plain words",
  "line one\nline two\r\n\u2028\u2029\u0085",
  'quotes "and" {"v":1,"seq":9} ,"crc":"00000000"}',
  "wörter 😀 \ud800",
  "",
].map(messageDraft);

/** A whole log of six entries, and where each entry's bytes are. */
let valid: Buffer;
let lines: readonly { readonly start: number; readonly end: number }[];

beforeAll(async () => {
  const disk = createVirtualDisk();
  const writer = must(await createVirtualStore({ disk }).logs.create(sessionDraft("one")));
  for (const draft of drafts) must(await writer.append([draft]));
  must(await writer.close());
  valid = Buffer.from(disk.readWhole(path));
  const found: { start: number; end: number }[] = [];
  for (let start = 0; start < valid.length; start = (found.at(-1)?.end ?? 0) + 1) {
    found.push({ start, end: valid.indexOf("\n", start) });
  }
  lines = found;
});

async function readAll(disk: ReturnType<typeof createVirtualDisk>) {
  const ids: string[] = [];
  const opened = await createVirtualStore({ disk }).logs.open("one", (entry) => ids.push(entry.id));
  return { ids, opened };
}

async function idsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const disk = createVirtualDisk();
  disk.writeWhole(path, bytes);
  const { ids, opened } = await readAll(disk);
  must(await must(opened).close());
  return ids;
}

const lossOf = (report: LogReport) => report.tornBytes + report.corruptBytes + report.fencedBytes;

/** Opens a damaged log, appends to it, opens it again; checks what every damage must leave true. */
async function checkDamage(damaged: Buffer, intact: readonly number[]): Promise<LogReport | null> {
  const all = await idsOf(valid);
  const disk = createVirtualDisk();
  disk.writeWhole(path, damaged);
  const first = await readAll(disk);
  if (intact.length === 0) {
    expect(refused(first.opened)).toBe("corrupt");
    expect(Buffer.from(disk.readWhole(path))).toEqual(damaged);
    return null;
  }
  const writer = must(first.opened);
  expect(first.ids).toEqual(intact.map((line) => all[line]));
  const [added] = must(await writer.append([messageDraft("after the damage")]));
  must(await writer.close());
  const second = await readAll(disk);
  const again = must(second.opened);
  expect(second.ids.filter((id) => !id.startsWith("note"))).toEqual([...first.ids, added?.entry.id]);
  expect(again.report.tornBytes).toBe(0);
  must(await again.close());
  return writer.report;
}

describe("a damaged log", () => {
  it("loads every whole entry when cut at any byte, reports the rest, and can be written again", async () => {
    for (let cut = 0; cut <= valid.length; cut += 1) {
      const intact = lines.flatMap(({ end }, index) => (end <= cut ? [index] : []));
      const report = await checkDamage(valid.subarray(0, cut), intact);
      const lastWhole = lines[intact.length - 1]?.end ?? 0;
      const leftOver = Math.max(0, cut - lastWhole - 1);
      if (report) expect([cut, report.tornBytes]).toEqual([cut, leftOver]);
    }
  });

  it("loads every entry outside a run of NUL bytes, wherever it is, and reports the run", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: valid.length - 1 }),
        fc.integer({ min: 1, max: 400 }),
        async (from, length) => {
          const damaged = Buffer.from(valid);
          const until = Math.min(valid.length, from + length);
          damaged.fill(0, from, until);
          const intact = lines.flatMap(({ start, end }, index) =>
            until <= start || from >= end ? [index] : [],
          );
          const report = await checkDamage(damaged, intact);
          if (report) expect(lossOf(report)).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("loads every whole entry when all from any byte on is NUL, as after a power loss", async () => {
    const from = lines.flatMap(({ start, end }) => [
      start,
      start + 1,
      Math.floor((start + end) / 2),
      end - 1,
      end,
    ]);
    for (const at of from) {
      const damaged = Buffer.from(valid).fill(0, at);
      const intact = lines.flatMap(({ end }, index) => (end <= at ? [index] : []));
      const report = await checkDamage(damaged, intact);
      // A last line that lost only its newline is whole.
      if (report && at < valid.length - 1) expect([at, lossOf(report) > 0]).toEqual([at, true]);
    }
  });

  it("loses exactly the lines that are rubbish, whichever one or two they are", async () => {
    for (const [one, first] of lines.entries()) {
      for (const [other, second] of lines.entries()) {
        const damaged = Buffer.from(valid)
          .fill("#", first.start, first.end)
          .fill("#", second.start, second.end);
        const intact = lines.flatMap((_, index) => (index === one || index === other ? [] : [index]));
        const report = await checkDamage(damaged, intact);
        expect(report?.corruptLines).toBe(one === other ? 1 : 2);
      }
    }
  });

  it("loses exactly the line in which any one byte is changed, and says so", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: valid.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const damaged = Buffer.from(valid);
          damaged[at] = (damaged[at] ?? 0) ^ change;
          const intact = lines.flatMap(({ start, end }, index) => (at < start || at >= end ? [index] : []));
          const report = await checkDamage(damaged, intact);
          if (report) expect(lossOf(report)).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("loads what is whole among any mixture of lines, rubbish and lost newlines, and never throws", async () => {
    const part = fc.oneof(
      fc.nat({ max: lines?.length ?? 5 }).map((index) => ({ index })),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ bytes })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(part, fc.boolean()), { maxLength: 12 }), async (parts) => {
        const pieces = parts.map(([one, newline]) => {
          const line = "index" in one ? lines[one.index] : undefined;
          const bytes = "bytes" in one ? Buffer.from(one.bytes) : valid.subarray(line?.start, line?.end);
          return Buffer.concat([bytes, Buffer.from(newline ? "\n" : "")]);
        });
        const disk = createVirtualDisk();
        disk.writeWhole(path, Buffer.concat([valid.subarray(0, (lines[0]?.end ?? 0) + 1), ...pieces]));
        const { opened } = await readAll(disk);
        const writer = must(opened);
        must(await writer.append([messageDraft("after")]));
        must(await writer.close());
        expect((await readAll(disk)).ids.length).toBe(writer.report.entries + 2);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps torn, corrupt and fenced bytes beside the log, once however often it is opened", async () => {
    const disk = createVirtualDisk();
    const rubbish = Buffer.from("rubbish in the middle\n");
    const torn = valid.subarray(0, 25);
    disk.writeWhole(path, Buffer.concat([valid, rubbish, valid.subarray(0, 10), Buffer.from("\n"), torn]));
    for (let round = 0; round < 3; round += 1) must(await must((await readAll(disk)).opened).close());
    const corrupt = Buffer.from(disk.readWhole(`${path}.corrupt`)).toString();
    expect(corrupt.split("rubbish in the middle").length - 1).toBe(1);
    const tornFile = Buffer.from(disk.readWhole(`${path}.torn`)).toString();
    expect(tornFile.split("\n")[1]).toBe(torn.toString());
    expect(Buffer.from(disk.readWhole(path)).includes(rubbish)).toBe(true);
  });

  it("is mended although something else stands where its damaged bytes are to be kept", async () => {
    for (const rubbish of ['{"bytes":"many"}\n', "null\n", '{"bytes":-1}\n', "\0".repeat(600)]) {
      const disk = createVirtualDisk();
      disk.writeWhole(path, Buffer.concat([valid, valid.subarray(0, 30)]));
      disk.writeWhole(`${path}.torn`, rubbish);
      must(await must((await readAll(disk)).opened).close());
      const kept = Buffer.from(disk.readWhole(`${path}.torn`));
      expect(kept.includes(valid.subarray(0, 30))).toBe(true);
    }
  });

  it("shows a reader everything and changes nothing", async () => {
    const disk = createVirtualDisk();
    const damaged = Buffer.concat([valid, Buffer.from("rubbish\n"), valid.subarray(0, 30)]);
    disk.writeWhole(path, damaged);
    const before = disk.snapshot();
    const ids: string[] = [];
    const report = must(await createVirtualStore({ disk }).logs.scan("one", (entry) => ids.push(entry.id)));
    expect(disk.snapshot()).toEqual(before);
    expect(ids.length).toBe(lines.length);
    expect(report).toMatchObject({ corruptLines: 1, corruptBytes: 7, tornBytes: 30, asides: [] });
  });

  it("is not mended by an opener that the disk does not let write", async () => {
    const disk = createVirtualDisk();
    const damaged = Buffer.concat([valid, valid.subarray(0, 30)]);
    disk.writeWhole(path, damaged);
    disk.failWhen(({ path: at }) => at.endsWith(".torn"), "disk-full");
    expect(refused((await readAll(disk)).opened)).toBe("disk-full");
    expect(Buffer.from(disk.readWhole(path))).toEqual(damaged);
  });

  it("of a newer format is read and not written", async () => {
    const newer = Buffer.from(
      `${JSON.stringify({ v: 2, seq: 90, epoch: 1, id: "x", at: "2030", kind: "hologram" })}\n`,
    );
    const disk = createVirtualDisk();
    disk.writeWhole(path, Buffer.concat([valid, newer]));
    expect(refused((await readAll(disk)).opened)).toBe("newer-format");
    expect(must(await createVirtualStore({ disk }).logs.scan("one", () => undefined))).toMatchObject({
      version: 2,
      entries: lines.length + 1,
      unknownKinds: { hologram: 1 },
    });
    expect(Buffer.from(disk.readWhole(path))).toEqual(Buffer.concat([valid, newer]));
  });

  it("that is empty, or no log at all, gives a clear error and stays as it is", async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("not a log\n".repeat(10)), Buffer.alloc(5000)]) {
      const disk = createVirtualDisk();
      disk.writeWhole(path, bytes);
      expect(refused((await readAll(disk)).opened)).toBe("corrupt");
      expect(Buffer.from(disk.readWhole(path))).toEqual(bytes);
    }
  });
});
