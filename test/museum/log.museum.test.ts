import { mkdir, readdir, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { writeLog } from "../../bench/write-log.mjs";
import { importTranscript } from "../../packages/core/src/log/import/index.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Entry, LeaseHolder } from "../../packages/core/src/spec/index.ts";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must, refused } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";
import { messageDraft, sessionDraft } from "../support/entries.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";
import { readFixture, readJsonFixture } from "./read-fixture.ts";

/** Opens a fixture for writing, appends to it, and reads it again. */
async function openFixture(name: string) {
  const disk = createVirtualDisk();
  disk.writeWhole(logPath("museum"), readFixture(name));
  const { logs } = createVirtualStore({ disk });
  const entries: Entry[] = [];
  const writer = must(await logs.open("museum", (entry) => entries.push(entry)));
  must(await writer.append([messageDraft("appended")]));
  must(await writer.close());
  const again: Entry[] = [];
  must(await logs.scan("museum", (entry) => again.push(entry)));
  return { ids: entries.map(({ id }) => id), entries, report: writer.report, again, disk };
}

const isAppended = (entry: Entry | undefined) =>
  entry?.kind === "message" && entry.message.content === "appended";

describe("museum", () => {
  it("1: a last line torn by a crash: complete entries load, torn bytes are kept and reported", async () => {
    const { ids, report, disk } = await openFixture("01-torn-last-line.jsonl");
    expect(ids).toEqual(["ent_1", "msg_2", "msg_3", "msg_4"]);
    expect(report).toMatchObject({ tornBytes: 60, asides: [`${logPath("museum")}.torn`] });
    expect(Buffer.from(disk.readWhole(`${logPath("museum")}.torn`)).toString()).toContain('"seq":5');
  });

  it("2: an append after a torn tail starts on a fresh line; one that was glued to it by others is found", async () => {
    const torn = await openFixture("01-torn-last-line.jsonl");
    expect(isAppended(torn.again.at(-1))).toBe(true);
    const glued = await openFixture("02-glued-to-a-torn-tail.jsonl");
    expect(glued.ids).toEqual(["ent_1", "msg_2", "msg_3", "msg_4", "msg_6"]);
    expect(glued.report).toMatchObject({ salvaged: 1, corruptBytes: 60 });
  });

  it("3: a NUL run in the middle: everything after it loads; it is skipped, kept aside and counted", async () => {
    const { ids, report, again } = await openFixture("03-nul-run-in-the-middle.jsonl");
    expect(ids).toEqual(["ent_1", "msg_2", "msg_4", "msg_5"]);
    expect(report).toMatchObject({ corruptLines: 1, asides: [`${logPath("museum")}.corrupt`] });
    expect(isAppended(again.at(-1))).toBe(true);
  });

  it("4: U+2028 and its kin inside a record do not split it", async () => {
    const { entries, report } = await openFixture("04-line-separators-in-text.jsonl");
    expect(entries[1]).toMatchObject({ message: { content: "one\u2028two\u2029three\u0085four\rfive" } });
    expect(report.corruptLines).toBe(0);
  });

  it("5: a missing parent link hides nothing", async () => {
    const entries: Entry[] = [];
    const chunks = [readFixture("05-missing-parent.jsonl")];
    const report = must(
      await importTranscript(
        (async function* () {
          yield* chunks;
        })(),
        {},
        (entry) => entries.push(entry),
      ),
    );
    expect(report.messages).toBe(20);
    expect(entries.filter(({ kind }) => kind === "message")).toHaveLength(20);
  });

  it("6: a long log opens in parts, and a large result is a blob, not a line of it", async () => {
    const sizes = readJsonFixture<{ logBytes: number; resultBytes: number }>("06-sizes.json");
    const home = await temporaryFolder();
    const store = must(await openFileStore({ home, project: "bench-00000000" }));
    const sessions = `${home}/projects/bench-00000000/sessions`;
    await mkdir(sessions, { recursive: true });
    const written: number = writeLog(`${sessions}/large.jsonl`, sizes.logBytes);
    const writer = must(await store.logs.open("large", () => undefined));
    expect(writer.report).toMatchObject({ entries: written, corruptLines: 0 });
    must(await writer.close());
    const session = await openSession({ store, id: "results", layers: [] });
    const text = "x".repeat(sizes.resultBytes);
    const { id } = await session.add({ role: "user", content: text });
    expect((await session.recall(id, { limit: 2 * sizes.resultBytes })).text).toContain(text);
    await session.close();
    expect((await stat(`${sessions}/results.jsonl`)).size).toBeLessThan(sizes.resultBytes / 10);
    const blobs = `${home}/projects/bench-00000000/blobs/results`;
    const stored = await Promise.all((await readdir(blobs)).map((name) => stat(`${blobs}/${name}`)));
    expect(Math.max(...stored.map(({ size }) => size))).toBeGreaterThanOrEqual(sizes.resultBytes);
  });

  it("7: two terminals do not interleave one session: the second is refused, a replaced one's lines are fenced", async () => {
    const { ids, report } = await openFixture("07-two-writers.jsonl");
    expect(ids).toEqual(["ent_1", "msg_2", "msg_3", "msg_4", "note_5", "msg_6"]);
    expect(report.fencedLines).toBe(1);
    const disk = createVirtualDisk();
    const processes = createVirtualProcesses();
    const first = createVirtualStore({ disk, processes });
    const second = createVirtualStore({ disk, processes: processes.spawn() });
    must(await first.logs.create(sessionDraft("one")));
    expect(refused(await second.logs.open("one", () => undefined))).toBe("held");
  });

  it("12: a lone surrogate is kept as it was recorded, and does no harm", async () => {
    const { entries } = await openFixture("12-lone-surrogate.jsonl");
    expect(entries[1]).toMatchObject({ message: { content: "cut in the middle of \ud83d" } });
  });

  it("24: a lock of three months ago with a reused pid holds nobody up", async () => {
    const disk = createVirtualDisk();
    const processes = createVirtualProcesses();
    const before = createVirtualStore({ disk, processes });
    must(await must(await before.logs.create(sessionDraft("one"))).close());
    const old = readJsonFixture<LeaseHolder>("24-lock-of-three-months-ago.json");
    const { bootId, host, pidNamespace } = processes.identity;
    const epochs = [...disk.snapshot().keys()].filter((path) => /\.lease\/\d{12}\.json$/.test(path));
    const [path = ""] = epochs;
    const epoch = Number(/(\d+)\.json$/.exec(path)?.[1]);
    // Its boot is this one, its pid a live process's: only the start time tells.
    disk.writeWhole(path, JSON.stringify({ ...old, epoch, bootId, host, pidNamespace }));
    const reused = processes.spawn({ pid: old.pid });
    expect([epochs.length, reused.identity.pid]).toEqual([1, old.pid]);
    const now = createVirtualStore({ disk, processes: processes.spawn() });
    must(await now.logs.open("one", () => undefined));
  });
});
