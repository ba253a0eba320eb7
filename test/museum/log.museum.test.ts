import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importTranscript } from "../../src/log/import/index.ts";
import type { Entry } from "../../src/spec/index.ts";
import { must, refused } from "../../src/testing/conformance/outcomes.ts";
import { createVirtualDisk } from "../../src/testing/virtual-disk.ts";
import { createVirtualProcesses } from "../../src/testing/virtual-processes.ts";
import { messageDraft, sessionDraft } from "../support/entries.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));

/** Opens a fixture for writing, appends to it, and reads it again. */
async function openFixture(name: string) {
  const disk = createVirtualDisk();
  disk.writeWhole(logPath("museum"), fixture(name));
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
    const chunks = [fixture("05-missing-parent.jsonl")];
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
    must(await before.logs.create(sessionDraft("one")));
    const now = createVirtualStore({ disk, processes: processes.spawn() });
    processes.exit();
    processes.spawn({ pid: processes.identity.pid });
    must(await now.logs.open("one", () => undefined));
  });
});
