import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../../test/support/entries.ts";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import {
  describeOnPostgres,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { createVirtualStore, logPath } from "../../../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import type { ArchivePiece, ProjectStore } from "../../../spec/index.ts";
import { copyProject } from "../../copy/copy-project.ts";
import type { Database } from "../database.ts";
import { createPostgresStore } from "../store.ts";

const nothing = () => undefined;

function createFiles() {
  const disk = createVirtualDisk();
  return { disk, store: createVirtualStore({ disk }) };
}

function createRows(database: Database): ProjectStore {
  return createPostgresStore({
    database,
    project: `p-${randomBytes(6).toString("hex")}`,
    clock: createVirtualClock(),
    ids: createVirtualIds(randomBytes(4).toString("hex")),
    processes: createVirtualProcesses(),
    writer: { pid: 1, host: "virtual", version: "0.0.0" },
  });
}

async function write(store: ProjectStore, session: string, ...texts: readonly string[]): Promise<void> {
  const writer = must(await store.logs.create(sessionDraft(session)));
  must(await writer.append(texts.map(messageDraft)));
  must(await writer.close());
}

async function contentsOf({ archive }: ProjectStore): Promise<Readonly<Record<string, string>>> {
  const pieces: ArchivePiece[] = [];
  for (const session of must(await archive.sessions())) pieces.push(...must(await archive.piecesOf(session)));
  pieces.push(...must(await archive.others()));
  const contents: Record<string, string> = {};
  for (const piece of pieces)
    contents[JSON.stringify(piece)] = Buffer.from(must(await archive.read(piece)) ?? []).toString("latin1");
  return contents;
}

describeOnPostgres("the archive of a project on Postgres", async () => {
  const plain = await openTestDatabase();

  it.each([
    ["", plain],
    [", every answer lost once", losingAnswers(plain)],
  ])("takes all of a project and gives it back to the byte%s", async (_how, database) => {
    const { store: files } = createFiles();
    await write(files, "one", "hello", "\u2028 \0 \ud800");
    await write(files, "one/fork", "inside");
    await write(files, "gone", "soon");
    must(await files.logs.remove("gone", "no longer \0 wanted"));
    const { blob } = must(await files.blobs.put("one", Buffer.alloc(1_100_000, "ab\n")));
    must(await files.blobs.name("one", blob, "toolu_1.txt"));
    must(await files.notesCopies.write("one", "# Notes"));
    const tree = files.tree("memory");
    must(await tree.write("a é.md", "a\0b", { author: "user", session: "s\udfff", source: "m1" }));
    must(await tree.remove("a é.md", { author: "user" }));
    must(await tree.write("a é.md", "again", { author: "user" }));
    const at = "2026-01-01T00:00:00.000Z";
    for (const id of ["m1", "m2"]) must(await files.mailbox.send({ id, from: "x", to: "y", at, body: [id] }));
    must(await must(await files.consolidateLock.acquire()).complete());
    const rows = createRows(database);
    expect(must(await copyProject(files, rows)).skipped).toEqual([]);
    expect(await contentsOf(rows)).toEqual(await contentsOf(files));
    const again = must(await copyProject(files, rows));
    expect(again.present).toBe(Object.values(again.pieces).reduce((sum, count) => sum + count, 0));
    const back = createFiles().store;
    expect(must(await copyProject(rows, back)).skipped).toEqual([]);
    expect(await contentsOf(back)).toEqual(await contentsOf(files));

    const [listed, copied] = [await files.sessions.listing("one"), await rows.sessions.listing("one")];
    expect({ ...copied, modifiedAt: "" }).toEqual({ ...listed, modifiedAt: "" });
    expect(must(await rows.tree("memory").read("a é.md")).version.version).toBe(3);
    must(await rows.tree("memory").write("a é.md", "more", { author: "user", expect: 3 }));
    expect(must(await rows.mailbox.take("y", 9)).map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(refused(await rows.logs.open("gone", nothing))).toBe("collected");
  });

  it.each([
    ["", plain],
    [", every answer lost once", losingAnswers(plain)],
  ])(
    "takes newer notes and a later consolidation, and keeps its own where they are newer%s",
    async (_how, database) => {
      const { store: files } = createFiles();
      const rows = createRows(database);
      await write(files, "one", "hello");
      for (const [text, at] of [
        ["# Notes", 1_000],
        ["# Newer notes \0", 2_000],
      ] as const) {
        must(await files.notesCopies.write("one", text));
        const time = { kind: "consolidation" } as const;
        const content = Buffer.from(String(at));
        must(await (at === 1_000 ? files.archive.write : files.archive.replace)(time, content));
        expect(must(await copyProject(files, rows)).skipped).toEqual([]);
        expect(await contentsOf(rows)).toEqual(await contentsOf(files));
      }
      const writer = must(await rows.logs.open("one", nothing));
      must(await rows.notesCopies.write("one", "# Notes of the rows"));
      must(await writer.close());
      must(await rows.archive.replace({ kind: "consolidation" }, Buffer.from("3000")));
      const before = await contentsOf(rows);
      expect(must(await copyProject(files, rows)).skipped).toEqual([]);
      expect(await contentsOf(rows)).toEqual(before);
      expect(must(await rows.consolidateLock.lastConsolidatedMs())).toBe(3_000);
      expect(must(await copyProject(rows, files)).skipped).toEqual([]);
      expect(await contentsOf(files)).toEqual(before);
    },
  );

  it("lets a session go on behind what its writers wrote in files", async () => {
    const { store: files } = createFiles();
    await write(files, "one", "hello");
    for (let round = 0; round < 3; round += 1)
      must(await must(await files.logs.open("one", nothing)).close());
    const { epoch, lastSeq } = must(await files.logs.scan("one", nothing));
    const rows = createRows(plain);
    must(await copyProject(files, rows));
    const writer = must(await rows.logs.open("one", nothing));
    expect([writer.epoch > epoch, writer.report.lastSeq]).toEqual([true, lastSeq]);
    must(await writer.append([messageDraft("more")]));
    must(await writer.close());
    const report = must(await rows.logs.scan("one", nothing));
    expect([report.fencedLines, report.corruptLines, report.lastSeq]).toEqual([0, 0, lastSeq + 2]);
  });

  it("goes on with a log that has grown, in parts, and keeps damage as it is", async () => {
    const { disk, store: files } = createFiles();
    const rows = createRows(plain);
    await write(files, "one", "x".repeat(3_000_000), "damaged", "y".repeat(3_000_000));
    disk.flipByte(logPath("one"), 3_000_700);
    must(await copyProject(files, rows));
    const writer = must(await files.logs.open("one", nothing));
    must(await writer.append([messageDraft("z".repeat(3_000_000)), messageDraft("end")]));
    must(await writer.close());
    expect(must(await copyProject(files, rows)).skipped).toEqual([]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of rows.sessions.lines("one")) chunks.push(must(chunk));
    expect(Buffer.concat(chunks).equals(Buffer.from(disk.readWhole(logPath("one"))))).toBe(true);
    expect(must(await rows.logs.scan("one", nothing))).toEqual(must(await files.logs.scan("one", nothing)));
    expect(must(await rows.archive.piecesOf("one")).length).toBeGreaterThan(1);
  });

  it("writes over nothing that is there: another session, another version, a mail that was read", async () => {
    const { store: files } = createFiles();
    const rows = createRows(plain);
    for (const [store, text] of [
      [files, "mine"],
      [rows, "theirs"],
    ] as const) {
      await write(store, "one", text);
      must(await store.tree("memory").write("a.md", text, { author: "user" }));
    }
    const at = "2026-01-01T00:00:00.000Z";
    must(await files.mailbox.send({ id: "m1", from: "x", to: "y", at, body: "hi" }));
    const codes = async () => must(await copyProject(files, rows)).skipped.map(({ error }) => error.code);
    expect(await codes()).toEqual(["exists", "exists"]);
    must(await rows.mailbox.take("y", 9));
    must(await rows.mailbox.acknowledge("y", ["m1"]));
    expect(await codes()).toEqual(["exists", "exists", "collected"]);
    expect(must(await rows.tree("memory").read("a.md")).text).toBe("theirs");
    const odd = { kind: "blob", session: "../x", sha256: "a".repeat(64) } as const;
    expect(refused(await rows.archive.read(odd))).toBe("invalid-input");
    expect(refused(await rows.archive.write(odd, new Uint8Array()))).toBe("invalid-input");
  });
});
