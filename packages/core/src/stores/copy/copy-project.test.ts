import { describe, expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../test/support/entries.ts";
import { createVirtualStore, logPath } from "../../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { type ArchivePiece, PalimpsestError } from "../../spec/index.ts";
import { createFileArchive } from "../files/archive/archive.ts";
import { copyProject } from "./copy-project.ts";

function sideOn(disk: VirtualDisk, name = "a", processes = createVirtualProcesses()) {
  const store = createVirtualStore({ disk, processes });
  const archive = createFileArchive({ disk, layout: store.layout, ids: createVirtualIds(`archive-${name}`) });
  return { disk, store, archive, leases: store.leases };
}

/** A project with something of everything. */
async function fullProject() {
  const side = sideOn(createVirtualDisk());
  const { logs, blobs, mailbox, notesCopies, consolidateLock, tree } = side.store;
  for (const session of ["one", "one/fork", "two", "gone"]) {
    const writer = must(await logs.create(sessionDraft(session)));
    must(await writer.append([messageDraft(`hello from ${session}`), messageDraft("\u2028 \0 \ud800")]));
    const { blob } = must(await blobs.put(session, Buffer.from(`a result of ${session}`)));
    must(await blobs.name(session, blob, "toolu_01"));
    must((await notesCopies?.write(session, `# Notes of ${session}`)) ?? refusedResult);
    must(await writer.close());
  }
  must(await logs.remove("gone", "test"));
  const memory = tree("memory");
  must(await memory.write("a.md", "one", { author: "user" }));
  must(await memory.write("a.md", "two", { author: "agent", session: "one", expect: 1 }));
  must(await memory.write("deep/b.md", "kept", { author: "user" }));
  must(await memory.remove("deep/b.md", { author: "user" }));
  for (const number of [1, 2, 3]) {
    const at = "2026-01-01T00:00:00.000Z";
    must(
      (await mailbox?.send({ id: `m${number}`, from: "two", to: "one", at, body: { number } })) ??
        refusedResult,
    );
  }
  const dream = must((await consolidateLock?.acquire()) ?? refusedResult);
  must(await dream.complete());
  return side;
}

/** An hour later, on one side. */
async function resumeFrom({ disk, store }: ReturnType<typeof sideOn>, where: string): Promise<void> {
  const clock = createVirtualClock();
  await clock.advance(60 * 60 * 1000);
  const later = createVirtualStore({ disk, clock });
  const writer = must(await store.logs.open("one", () => undefined));
  must(await writer.append([messageDraft(`more in the ${where}`)]));
  must((await store.notesCopies?.write("one", `# Notes of the ${where}`)) ?? refusedResult);
  must(await writer.close());
  must(await must((await later.consolidateLock?.acquire()) ?? refusedResult).complete());
}

const refusedResult = { ok: false, error: new PalimpsestError("io", "absent") } as const;

async function contentsOf({ archive }: Pick<ReturnType<typeof sideOn>, "archive">) {
  const pieces: ArchivePiece[] = [];
  for (const session of must(await archive.sessions())) pieces.push(...must(await archive.piecesOf(session)));
  pieces.push(...must(await archive.others()));
  const contents: Record<string, string> = {};
  for (const piece of pieces)
    contents[JSON.stringify(piece)] = Buffer.from(must(await archive.read(piece)) ?? []).toString("latin1");
  return contents;
}

describe("copying a project", () => {
  it("brings everything over, to the byte, and says what", async () => {
    const from = await fullProject();
    const to = sideOn(createVirtualDisk(), "b");
    const report = must(await copyProject(from, to));
    expect(report).toMatchObject({
      sessions: 4,
      pieces: {
        log: 3,
        blob: 3,
        "blob-name": 3,
        notes: 3,
        tombstone: 1,
        version: 4,
        mail: 3,
        consolidation: 1,
      },
      present: 0,
      skipped: [],
    });
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
    const seen: (string | undefined)[] = [];
    must(await to.store.logs.scan("one", (entry) => seen.push(entry.id)));
    expect(seen).toHaveLength(3);
    expect(must(await to.store.tree("memory").read("a.md")).text).toBe("two");
    expect(must(await to.store.tree("memory").list()).map(({ path }) => path)).toEqual(["a.md"]);
    const taken = must((await to.store.mailbox?.take("one", 10)) ?? refusedResult);
    expect(taken.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
    expect(refused(await to.store.logs.open("gone", () => undefined))).toBe("collected");
  });

  it("changes nothing the second time", async () => {
    const from = await fullProject();
    const to = sideOn(createVirtualDisk(), "b");
    const first = must(await copyProject(from, to));
    const second = must(await copyProject(from, to));
    expect(second).toEqual({
      ...first,
      present: Object.values(first.pieces).reduce((sum, one) => sum + one, 0),
    });
  });

  it("brings what the source has gone on with: entries, notes, and when memory was put in order", async () => {
    const from = await fullProject();
    const to = sideOn(createVirtualDisk(), "b");
    must(await copyProject(from, to));
    await resumeFrom(from, "source");
    expect(must(await copyProject(from, to)).skipped).toEqual([]);
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
  });

  it("leaves what the target has gone on with as it is", async () => {
    const from = await fullProject();
    const to = sideOn(createVirtualDisk(), "b");
    const first = must(await copyProject(from, to));
    await resumeFrom(to, "target");
    const before = await contentsOf(to);
    const again = must(await copyProject(from, to));
    expect(again.skipped).toEqual([]);
    expect(again.pieces).toEqual({ ...first.pieces, notes: 2, consolidation: undefined });
    expect(await contentsOf(to)).toEqual(before);
  });

  it.each([
    ["source", "exists"],
    ["target", "collected"],
  ])(
    "names a session that was copied and then removed from the %s, until the other has none",
    async (where, code) => {
      const from = await fullProject();
      const to = sideOn(createVirtualDisk(), "b");
      must(await copyProject(from, to));
      const [first, second] = where === "source" ? [from, to] : [to, from];
      must(await first.store.logs.remove("two", "test"));
      const before = await contentsOf(to);
      const { skipped } = must(await copyProject(from, to));
      expect(skipped.map(({ what, error }) => [what, error.code])).toEqual([["session two", code]]);
      expect(await contentsOf(to)).toEqual(before);
      must(await second.store.logs.remove("two", "another time"));
      expect(must(await copyProject(from, to)).skipped).toEqual([]);
    },
  );

  it("goes on where it was interrupted, at operations all over the target's work", async () => {
    const from = await fullProject();
    const expected = await contentsOf(from);
    const rehearsal = createVirtualDisk();
    must(await copyProject(from, sideOn(rehearsal, "b")));
    const changing = rehearsal.operations.filter(
      ({ name, how }) => how === "create" || !["stat", "list", "open", "read", "realPath"].includes(name),
    );
    expect(changing.length).toBeGreaterThan(40);
    // The time of the last consolidation comes last.
    const chosen = changing.filter((_, at) => at % 5 === 0 || at > changing.length - 12);
    for (const { index } of chosen) {
      const clock = createVirtualClock();
      await clock.advance(60_000);
      const disk = createVirtualDisk({ clock });
      disk.crashAt(index, { partial: 3 });
      const killed = createVirtualProcesses();
      const later = killed.spawn();
      await copyProject(from, sideOn(disk, "b", killed)).catch(() => undefined);
      killed.exit();
      const next = sideOn(disk.afterProcessCrash(), "c", later);
      expect(must(await copyProject(from, next)).skipped).toEqual([]);
      expect(await contentsOf(next)).toEqual(expected);
    }
  });

  it("does not take a lock that nobody has dreamt under for a consolidation", async () => {
    const from = sideOn(createVirtualDisk());
    const dream = must((await from.store.consolidateLock?.acquire()) ?? refusedResult);
    must(await dream.abandon());
    expect(must(await from.archive.others())).toEqual([]);
  });

  it("leaves a session alone that somebody writes, and names it", async () => {
    const from = await fullProject();
    const writer = must(await from.store.logs.open("two", () => undefined));
    const to = sideOn(createVirtualDisk(), "b");
    const { skipped, sessions } = must(await copyProject(from, to));
    expect([sessions, skipped.map(({ what, error }) => [what, error.code])]).toEqual([
      3,
      [["session two", "held"]],
    ]);
    must(await writer.close());
    expect(must(await copyProject(from, to)).skipped).toEqual([]);
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
  });

  it("does not write over another session of the same name, and copies the rest", async () => {
    const from = await fullProject();
    const to = sideOn(createVirtualDisk(), "b");
    must(await must(await to.store.logs.create(sessionDraft("two"))).close());
    const before = to.disk.readWhole(logPath("two"));
    const { skipped } = must(await copyProject(from, to));
    expect(skipped.map(({ error }) => error.code)).toEqual(["exists"]);
    expect(to.disk.readWhole(logPath("two"))).toEqual(before);
    expect(must(await to.archive.sessions())).toContain("one");
  });

  it("copies damaged lines as they are, and leaves behind what is no line yet", async () => {
    const from = await fullProject();
    from.disk.flipByte(logPath("one"), 20);
    const whole = from.disk.readWhole(logPath("one"));
    from.disk.writeWhole(logPath("one"), Buffer.concat([whole, Buffer.from('{"v":1,"seq"')]));
    const to = sideOn(createVirtualDisk(), "b");
    must(await copyProject(from, to));
    expect(Buffer.from(to.disk.readWhole(logPath("one")))).toEqual(Buffer.from(whole));
    expect(must(await to.store.logs.scan("one", () => undefined)).corruptLines).toBe(1);
  });

  it("stops when it is told to, and says how to go on", async () => {
    const from = await fullProject();
    const stopped = await copyProject(from, sideOn(createVirtualDisk(), "b"), {
      signal: AbortSignal.abort(),
    });
    expect(refused(stopped)).toBe("aborted");
  });
});
