import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { mailboxConformance } from "../../../../../testing/src/conformance/mailbox.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import { createRuntime } from "../../../runtime.ts";
import type { Mail, Mailbox } from "../../../spec/index.ts";
import { folderNameOf, formatMailName, laneOf } from "../../shared/mailbox.ts";
import { createNodeDisk } from "../disk/node-disk.ts";
import { createFileMailbox, unfinishedPatienceMs } from "./mailbox.ts";

const sentMs = Date.parse("2026-11-15T12:00:00.000Z");
const at = new Date(sentMs).toISOString();
const mailOf = (id: string, from = "ses_a"): Mail => ({ id, from, to: "ses_z", at, body: id });
const idsOf = (mails: readonly Mail[]) => mails.map(({ id }) => id);
const take = async (mailbox: Mailbox, limit = 10) => must(await mailbox.take("ses_z", limit));

/** Mailboxes of several processes over one virtual disk. */
function virtualWorld(limits = {}) {
  const disk = createVirtualDisk();
  const clock = createVirtualClock({ startMs: sentMs });
  const world = createVirtualProcesses();
  let opened = 0;
  const open = (processes = world.spawn()) => {
    opened += 1;
    const ids = createVirtualIds(`p${opened}-`);
    return { processes, mailbox: createFileMailbox({ disk, clock, ids, processes, root: "/p", limits }) };
  };
  return { disk, clock, world, open };
}

async function onRealDisk() {
  const root = await temporaryFolder();
  const runtime = createRuntime();
  const clock = createVirtualClock({ startMs: sentMs });
  const open = () => createFileMailbox({ ...runtime, clock, disk: createNodeDisk(), root });
  return { root, first: open(), second: open(), folder: `${root}/mail/${folderNameOf("ses_z")}` };
}

describe("file mailbox on the real disk", () => {
  for (const { name, run } of mailboxConformance(onRealDisk)) it(name, run);

  it("is for its owner's eyes, and leaves nothing behind what was acknowledged", async () => {
    const { root, folder, first } = await onRealDisk();
    must(await first.send(mailOf("m1")));
    expect((await stat(`${root}/mail`)).mode & 0o777).toBe(0o700);
    const [name = ""] = await readdir(`${folder}/new`);
    expect((await stat(`${folder}/new/${name}`)).mode & 0o777).toBe(0o600);
    await take(first);
    must(await first.acknowledge("ses_z", ["m1"]));
    must(await first.release("ses_z"));
    for (const part of ["tmp", "new", "cur", "readers"])
      expect(await readdir(`${folder}/${part}`)).toEqual([]);
  });

  it("follows no link, in place of a folder or of a mail", async () => {
    const { root, folder, first } = await onRealDisk();
    const outside = await temporaryFolder();
    await writeFile(`${outside}/secret`, "secret");
    await mkdir(`${root}/mail`, { recursive: true });
    await symlink(outside, folder);
    expect(refused(await first.send(mailOf("m1")))).toBe("invalid-path");
    expect(refused(await first.take("ses_z", 1))).toBe("invalid-path");
    expect(await readdir(outside)).toEqual(["secret"]);

    const other = await onRealDisk();
    must(await other.first.send(mailOf("m1")));
    await symlink(`${outside}/secret`, `${other.folder}/new/${formatMailName(laneOf("ses_b"), 1, "m2")}`);
    const taken = await take(other.first);
    expect(taken.find(({ id }) => id === "m2")).toEqual({
      id: "m2",
      from: `unknown-${laneOf("ses_b")}`,
      to: "ses_z",
      at,
      seq: 1,
      body: null,
      dropped: "unreadable",
    });
    must(await other.first.acknowledge("ses_z", ["m1", "m2"]));
    expect(await readdir(`${other.folder}/cur`)).toEqual([]);
    expect(await readdir(outside)).toEqual(["secret"]);
  });
});

describe("file mailbox on a virtual disk", () => {
  const create = async () => {
    const { open } = virtualWorld();
    return { first: open().mailbox, second: open().mailbox };
  };
  for (const { name, run } of mailboxConformance(create)) it(name, run);

  it("offers what a dead reader had again, in order", async () => {
    const { open } = virtualWorld();
    const [reader, next] = [open(), open()];
    for (const id of ["a1", "a2", "a3"]) must(await next.mailbox.send(mailOf(id)));
    expect(idsOf(await take(reader.mailbox, 2))).toEqual(["a1", "a2"]);
    expect(await take(next.mailbox)).toEqual([]);
    reader.processes.exit();
    expect(idsOf(await take(next.mailbox))).toEqual(["a1", "a2", "a3"]);
  });

  it("offers it again after a reboot, and when the pid is another process's now", async () => {
    const { open, world, disk } = virtualWorld();
    const reader = open();
    must(await reader.mailbox.send(mailOf("a1")));
    await take(reader.mailbox);
    reader.processes.exit();
    const sharing = open(world.spawn({ pid: reader.processes.identity.pid })).mailbox;
    expect(idsOf(await take(sharing))).toEqual(["a1"]);
    world.reboot();
    expect(idsOf(await take(open(world.spawn()).mailbox))).toEqual(["a1"]);
    expect(must(await disk.list(`/p/mail/${folderNameOf("ses_z")}/readers`))).toHaveLength(1);
  });

  it("gives up a reader whose life cannot be told only after its patience", async () => {
    const { open, world, clock } = virtualWorld();
    const far = open(world.spawn({ host: "host-2" }));
    const near = open();
    must(await near.mailbox.send(mailOf("a1")));
    await take(far.mailbox);
    await clock.advance(9 * 60_000);
    expect(await take(near.mailbox)).toEqual([]);
    await clock.advance(2 * 60_000);
    expect(idsOf(await take(near.mailbox))).toEqual(["a1"]);
  });

  it("refuses one mail too many, and takes it once there is room", async () => {
    const { open } = virtualWorld({ maxWaiting: 2 });
    const { mailbox } = open();
    for (const id of ["a1", "a2"]) must(await mailbox.send(mailOf(id)));
    const refusal = await mailbox.send(mailOf("a3"));
    expect(refused(refusal)).toBe("too-large");
    expect(!refusal.ok && refusal.error.retryable).toBe(true);
    await take(mailbox, 1);
    must(await mailbox.acknowledge("ses_z", ["a1"]));
    must(await mailbox.send(mailOf("a3")));
    expect(idsOf(await take(mailbox))).toEqual(["a2", "a3"]);
  });

  it("refuses a mail that is too large", async () => {
    const { open } = virtualWorld({ maxMailBytes: 1_000 });
    expect(refused(await open().mailbox.send({ ...mailOf("a1"), body: "x".repeat(1_000) }))).toBe(
      "too-large",
    );
  });

  it("says which mails waited too long, and keeps what is younger", async () => {
    const { open, clock } = virtualWorld({ maxAgeMs: 60_000 });
    const { mailbox } = open();
    must(await mailbox.send(mailOf("old")));
    await clock.advance(60_001);
    must(await mailbox.send({ ...mailOf("young"), at: new Date(clock.now()).toISOString() }));
    const [old, young] = await take(mailbox);
    expect(old).toMatchObject({ id: "old", from: "ses_a", at, body: null, dropped: "expired" });
    expect(young).toMatchObject({ id: "young", body: "young" });
    expect(young).not.toHaveProperty("dropped");
  });

  it("names a file that is no mail, or another's, instead of giving it", async () => {
    const { open, disk } = virtualWorld();
    const { mailbox } = open();
    must(await mailbox.send(mailOf("good")));
    const folder = `/p/mail/${folderNameOf("ses_z")}`;
    const texts = {
      torn: '{"v":1,"id":"torn","fr',
      other: JSON.stringify({ v: 1, ...mailOf("other", "ses_b"), to: "ses_y", seq: 7 }),
      forged: JSON.stringify({ v: 1, ...mailOf("forged", "ses_chief"), seq: 7 }),
      newer: JSON.stringify({ v: 2, ...mailOf("newer", "ses_b"), seq: 7 }),
      nothing: "null",
    };
    for (const [id, text] of Object.entries(texts)) {
      const file = must(await disk.open(`${folder}/new/${formatMailName(laneOf("ses_b"), 7, id)}`, "create"));
      must(await file.append(Buffer.from(text)));
      must(await file.close());
    }
    const taken = await take(mailbox);
    expect(taken.filter(({ dropped }) => dropped === "unreadable").map(({ id }) => id)).toEqual(
      Object.keys(texts).toSorted(),
    );
    expect(taken.filter(({ dropped }) => dropped === undefined).map(({ id }) => id)).toEqual(["good"]);
  });

  it("removes what senders that died have left, once it is old", async () => {
    const { open, disk, clock } = virtualWorld();
    const { mailbox } = open();
    must(await mailbox.send(mailOf("a1")));
    const folder = `/p/mail/${folderNameOf("ses_z")}`;
    const file = must(await disk.open(`${folder}/tmp/tmp_dead`, "create"));
    must(await file.setModified(clock.now()));
    must(await file.close());
    await take(mailbox);
    expect(must(await disk.list(`${folder}/tmp`))).toEqual(["tmp_dead"]);
    await clock.advance(unfinishedPatienceMs + 1);
    await take(open().mailbox);
    expect(must(await disk.list(`${folder}/tmp`))).toEqual([]);
  });

  it("numbers on behind what waits when a sender begins again, the clock set back or not", async () => {
    const { open, clock } = virtualWorld();
    must(await open().mailbox.send(mailOf("a1")));
    clock.jump(-3_600_000);
    must(await open().mailbox.send(mailOf("a0")));
    expect(idsOf(await take(open().mailbox))).toEqual(["a1", "a0"]);
  });

  it("has every accepted mail, and none in part, wherever a sender or a reader crashes", async () => {
    for (let operation = 1; operation <= 60; operation += 1) {
      const { open, disk, clock, world } = virtualWorld();
      must(await open().mailbox.send(mailOf("a1")));
      const process = world.spawn();
      const own = disk.attach();
      own.crashAt(operation);
      const ids = createVirtualIds("x-");
      const doomed = createFileMailbox({ disk: own, clock, ids, processes: process, root: "/p" });
      const sent = await doomed.send(mailOf("a2"));
      const taken = await doomed.take("ses_z", 10);
      if (taken.ok) await doomed.acknowledge("ses_z", ["a1"]);
      process.exit();
      const left = idsOf(await take(open().mailbox));
      if (sent.ok) expect(left).toContain("a2");
      if (!taken.ok) expect(left).toContain("a1");
      expect(["a1", "a2", "a1,a2"]).toContain(left.join(","));
    }
  });
});
