import { readFile, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { blobStoreConformance } from "../../../../testing/src/conformance/blob-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../../../testing/src/virtual-power-losses.ts";
import { createRuntime } from "../../runtime.ts";
import type { BlobStore, Result } from "../../spec/index.ts";
import { createLayout } from "../shared/layout.ts";
import { sha256Of } from "../shared/sha256.ts";
import { createFileBlobStore } from "./blob-store.ts";
import { createNodeDisk } from "./disk/node-disk.ts";

const layout = createLayout("/home", "project");
const bytes = new TextEncoder().encode("one\ntwo\n");
const sha256 = sha256Of(bytes);
const blobFile = `/home/projects/project/blobs/s/${sha256}`;
const namedFile = "/home/projects/project/tool-results/s/toolu_01";

let stores = 0;
function open(disk: VirtualDisk): BlobStore {
  stores += 1;
  return createFileBlobStore({ disk, layout, ids: createVirtualIds(`p${stores}-`) });
}

describe("file blob store on the real disk", () => {
  const create = async () => {
    const own = createLayout(await temporaryFolder(), "project");
    const openOwn = () =>
      createFileBlobStore({ disk: createNodeDisk(), layout: own, ids: createRuntime().ids });
    return { first: openOwn(), second: openOwn() };
  };
  for (const { name, run } of blobStoreConformance(create)) it(name, run);

  it("gives a name that is the blob itself, readable by its owner alone", async () => {
    const { first } = await create();
    must(await first.put("s", bytes));
    const path = must(await first.name("s", sha256, "toolu_01"));
    expect(await readFile(path)).toEqual(Buffer.from(bytes));
    const { nlink, mode } = await stat(path);
    expect([nlink, mode & 0o777]).toEqual([2, 0o600]);
  });
});

describe("file blob store on a virtual disk", () => {
  const create = async () => {
    const disk = createVirtualDisk();
    return { first: open(disk.attach()), second: open(disk.attach()) };
  };
  for (const { name, run } of blobStoreConformance(create)) it(name, run);
});

describe("file blob store", () => {
  it("says that changed bytes are corrupt, and where, and takes the same content again", async () => {
    const disk = createVirtualDisk();
    must(await open(disk).put("s", bytes, { durable: true }));
    disk.flipByte(blobFile, 3);
    const store = open(disk);
    const read = await store.get("s", sha256);
    expect(!read.ok && [read.error.code, read.error.path, typeof read.error.fix]).toEqual([
      "corrupt",
      blobFile,
      "string",
    ]);
    must(await store.put("s", bytes));
    expect(must(await store.get("s", sha256))).toEqual(bytes);
  });

  it("says when a blob went with its session, and why", async () => {
    const disk = createVirtualDisk();
    const store = open(disk);
    must(await store.put("s", bytes));
    must(await store.removeAll("s"));
    const at = "2026-02-03T04:05:06.000Z";
    disk.writeWhole(
      "/home/projects/project/sessions/s.tombstone.json",
      JSON.stringify({ session: "s", at, why: "pruned" }),
    );
    for (const answer of [await store.get("s", sha256), await store.name("s", sha256, "toolu_01")]) {
      expect(!answer.ok && [answer.error.code, answer.error.facts]).toEqual([
        "collected",
        { at, why: "pruned" },
      ]);
      expect(!answer.ok && answer.error.message).toContain("2026-02-03");
    }
  });

  it("never says that something is absent when it could not look", async () => {
    for (const name of ["stat", "open", "read", "list"] as const) {
      const disk = createVirtualDisk();
      must(await open(disk).put("s", bytes));
      const failing = disk.attach();
      failing.failWhen((operation) => operation.name === name, "io");
      const store = open(failing);
      const answer = name === "list" ? await store.list("s") : await store.get("s", sha256);
      expect(refused(answer)).toBe("io");
    }
  });

  it.each(["blobs", "blobs/s", "tool-results", "tool-results/s"])(
    "refuses a symbolic link in the place of %s, and touches nothing behind it",
    async (linked) => {
      const disk = createVirtualDisk();
      disk.writeWhole(`/secret/${sha256}`, bytes);
      const store = open(disk);
      await disk.makeDirectory(`/home/projects/project/${linked.split("/").slice(0, -1).join("/")}`);
      disk.plantLink(`/home/projects/project/${linked}`, "/secret");
      const answers: Result<unknown>[] = linked.startsWith("blobs")
        ? [await store.put("s", bytes), await store.get("s", sha256), await store.list("s")]
        : [];
      answers.push(await store.name("s", sha256, "toolu_01"), await store.removeAll("s"));
      expect(new Set(answers.map(refused))).toEqual(new Set(["invalid-path"]));
      expect([...disk.snapshot().keys()].filter((path) => path.startsWith("/secret"))).toEqual([
        `/secret/${sha256}`,
      ]);
    },
  );

  it("names and reads no link in the place of a blob, and replaces it by the blob", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/secret/file", "secret");
    await disk.makeDirectory("/home/projects/project/blobs/s");
    disk.plantLink(blobFile, "/secret/file");
    const store = open(disk);
    expect(refused(await store.get("s", sha256))).toBe("invalid-path");
    expect(refused(await store.name("s", sha256, "toolu_01"))).toBe("invalid-path");
    must(await store.put("s", bytes));
    expect(must(await store.get("s", sha256))).toEqual(bytes);
    expect(Buffer.from(disk.readWhole("/secret/file")).toString()).toBe("secret");
  });

  it("copies where it cannot link", async () => {
    const disk = createVirtualDisk();
    const unable = disk.attach();
    unable.failWhen(({ name }) => name === "link", "permission");
    const store = open(unable);
    must(await store.put("s", bytes));
    expect(must(await store.name("s", sha256, "toolu_01"))).toBe(namedFile);
    expect(disk.readWhole(namedFile)).toEqual(bytes);
    expect((await disk.stat(namedFile)).ok).toBe(true);
    expect(must(await open(disk).name("s", sha256, "toolu_01"))).toBe(namedFile);
  });

  it("lists no temporary file that a crash left, and removes it with the rest", async () => {
    const disk = createVirtualDisk();
    const dying = disk.attach();
    dying.failWhen(({ name }) => name === "rename" || name === "remove", "io");
    expect(refused(await open(dying).put("s", bytes))).toBe("io");
    expect(must(await open(disk).list("s"))).toEqual([]);
    expect(disk.snapshot().size).toBe(1);
    must(await open(disk).removeAll("s"));
    expect(disk.snapshot().size).toBe(0);
  });
});

describe("file blob store, when a put is interrupted", () => {
  async function rehearse(durable: boolean): Promise<number> {
    const disk = createVirtualDisk();
    must(await open(disk).put("s", bytes, { durable }));
    return disk.operations.length;
  }

  /** The blob is there whole or not at all, and can be put again. */
  async function checkAfter(disk: VirtualDisk, isAcknowledged: boolean): Promise<void> {
    const store = open(disk);
    const read = await store.get("s", sha256);
    if (isAcknowledged) expect(must(read)).toEqual(bytes);
    else if (!read.ok) expect(read.error.code).toBe("not-found");
    must(await store.put("s", bytes, { durable: true }));
    expect(must(await store.get("s", sha256))).toEqual(bytes);
    expect(must(await store.list("s"))).toEqual([sha256]);
  }

  it("is there whole or not at all when the process dies at any operation", async () => {
    for (const partial of [0, 3, Number.POSITIVE_INFINITY]) {
      for (let at = 0; at < (await rehearse(false)); at += 1) {
        const disk = createVirtualDisk();
        disk.crashAt(at, { partial });
        const put = await open(disk).put("s", bytes);
        await checkAfter(disk.afterProcessCrash(), put.ok);
      }
    }
  });

  it("keeps a durable put through power loss, also over one that was not durable", async () => {
    for (const isThere of [false, true]) {
      for (let at = 0; at <= (await rehearse(true)) + 1; at += 1) {
        const disk = createVirtualDisk();
        if (isThere) must(await open(disk).put("s", bytes));
        const dying = disk.attach();
        dying.crashAt(at, { partial: Number.POSITIVE_INFINITY });
        const put = await open(dying).put("s", bytes, { durable: true });
        for (const { disk: after } of enumeratePowerLosses(dying, 12, at)) {
          if (put.ok) expect(must(await open(after).get("s", sha256))).toEqual(bytes);
          must(await open(after).put("s", bytes));
          expect(must(await open(after).get("s", sha256))).toEqual(bytes);
        }
      }
    }
  });

  it("does not trust what a failed sync left in doubt", async () => {
    for (const name of ["sync", "syncDirectory"] as const) {
      const disk = createVirtualDisk();
      const store = open(disk);
      const mend = disk.failWhen(
        (operation) => operation.name === name && operation.path.includes("/s"),
        "io",
      );
      expect(refused(await store.put("s", bytes, { durable: true }))).toBe("io");
      mend();
      must(await store.put("s", bytes, { durable: true }));
      for (const { disk: after } of enumeratePowerLosses(disk, 12)) {
        expect(must(await open(after).get("s", sha256))).toEqual(bytes);
      }
    }
  });

  it("answers with a typed error when any one operation fails, and works the next time", async () => {
    for (let at = 0; at < (await rehearse(true)); at += 1) {
      const disk = createVirtualDisk();
      disk.failAt(at, "disk-full", { partial: 2 });
      const put = await open(disk).put("s", bytes, { durable: true });
      if (!put.ok) expect(put.error.code).toBe("disk-full");
      await checkAfter(disk.attach(), put.ok);
    }
  });
});
