import { chmod, mkdir, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeEntry } from "../../packages/core/src/log/codec.ts";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { maxLineBytes } from "../../packages/core/src/stores/shared/log.ts";
import { must, refused } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { messageDraft, messageEntry, sessionDraft } from "../support/entries.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

const nothing = () => undefined;

async function realStore() {
  const home = await temporaryFolder();
  const store = must(await openFileStore({ home, project: "test-00000000" }));
  const sessions = store.layout.sessions;
  await mkdir(sessions, { recursive: true });
  return { ...store, sessions, path: join(sessions, "one.jsonl") };
}

describe("bad input to a log", () => {
  it("a folder in place of the file is said to be one", async () => {
    const { logs, path } = await realStore();
    await mkdir(path);
    for (const result of [await logs.open("one", nothing), await logs.scan("one", nothing)]) {
      expect(refused(result)).toBe("is-directory");
    }
    expect(must(await logs.list())).toMatchObject([
      { session: "one", problem: expect.stringContaining("it is a folder") },
    ]);
  });

  it("a symbolic link in place of the file is not followed", async () => {
    const { logs, path, sessions } = await realStore();
    await writeFile(join(sessions, "elsewhere"), encodeEntry(messageEntry(1)));
    await symlink(join(sessions, "elsewhere"), path);
    expect(refused(await logs.open("one", nothing))).toBe("invalid-path");
    expect(refused(await logs.scan("one", nothing))).toBe("invalid-path");
  });

  it("a file in place of the sessions folder is said to be one", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/home/projects/test-00000000/sessions", new Uint8Array());
    const { logs } = createVirtualStore({ disk });
    expect(["not-directory", "exists"]).toContain(refused(await logs.create(sessionDraft("one"))));
    expect(refused(await logs.list())).toBe("not-directory");
  });

  it("a file that may not be read or written is an error of permission, never an absent one", async () => {
    const disk = createVirtualDisk();
    const { logs } = createVirtualStore({ disk });
    must(await must(await logs.create(sessionDraft("one"))).close());
    disk.setMode(logPath("one"), 0o000);
    expect(refused(await logs.open("one", nothing))).toBe("permission");
    expect(refused(await logs.scan("one", nothing))).toBe("permission");
    disk.setMode(logPath("one"), 0o400);
    expect(refused(await logs.open("one", nothing))).toBe("permission");
    must(await logs.scan("one", nothing));
  });

  it("an I/O error in the middle of reading is an error, not the end of the log", async () => {
    const disk = createVirtualDisk();
    const { logs } = createVirtualStore({ disk });
    const writer = must(await logs.create(sessionDraft("one")));
    must(await writer.append([messageDraft("x")]));
    must(await writer.close());
    const before = disk.readWhole(logPath("one"));
    disk.failWhen(({ name }) => name === "read", "io");
    expect(refused(await logs.scan("one", nothing))).toBe("io");
    expect(refused(await logs.open("one", nothing))).toBe("io");
    expect(disk.readWhole(logPath("one"))).toEqual(before);
  });

  it("a full disk refuses an append, keeps what was acknowledged, and takes more once there is room", async () => {
    const disk = createVirtualDisk({ capacityBytes: 3000 });
    const { logs } = createVirtualStore({ disk });
    const writer = must(await logs.create(sessionDraft("one")));
    const kept: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const appended = await writer.append([messageDraft("x".repeat(300))]);
      if (appended.ok) kept.push(...appended.value.map(({ entry }) => entry.id));
      else expect(appended.error.code).toBe("disk-full");
    }
    expect(kept.length).toBeGreaterThan(2);
    disk.setCapacity(1e6);
    kept.push(...must(await writer.append([messageDraft("room again")])).map(({ entry }) => entry.id));
    must(await writer.close());
    const found: string[] = [];
    const report = must(await logs.scan("one", ({ id, kind }) => kind === "message" && found.push(id)));
    expect(found).toEqual(kept);
    expect(report.corruptLines + report.tornBytes).toBe(0);
  });

  it("a line of 100 MB is read if it is an entry, and passed over if it is not", async () => {
    const { logs, path } = await realStore();
    const file = await open(path, "w", 0o600);
    await file.write(encodeEntry(messageEntry(1)));
    await file.write(encodeEntry(messageEntry(2, "x".repeat(100_000_000))));
    await file.write(Buffer.alloc(100_000_000, "y"));
    await file.write("\n");
    await file.write(encodeEntry(messageEntry(3)));
    await file.close();
    const seqs: number[] = [];
    const report = must(await logs.scan("one", ({ seq }) => seqs.push(seq)));
    expect(seqs).toEqual([1, 2, 3]);
    expect(report).toMatchObject({ corruptLines: 1, corruptBytes: 100_000_000 });
  });

  it("a line longer than any string may be is passed over and counted", async () => {
    const { logs, path } = await realStore();
    const file = await open(path, "w", 0o600);
    const first = encodeEntry(messageEntry(1));
    await file.write(first);
    const holeBytes = maxLineBytes * 2 + 5;
    await file.write("\n", first.length + holeBytes);
    await file.write(encodeEntry(messageEntry(2)), 0, undefined, first.length + holeBytes + 1);
    await file.close();
    const seqs: number[] = [];
    const report = must(await logs.scan("one", ({ seq }) => seqs.push(seq)));
    expect(seqs).toEqual([1, 2]);
    expect(report).toMatchObject({ corruptLines: 1, corruptBytes: holeBytes });
  });

  it("files and folders are private", async () => {
    const { logs, path, sessions } = await realStore();
    await chmod(sessions, 0o700);
    must(await must(await logs.create(sessionDraft("one"))).close());
    const folder = await mkdtemp(join(tmpdir(), "palimpsest-umask-"));
    const store = must(await openFileStore({ home: join(folder, "fresh"), project: "test-00000000" }));
    must(await must(await store.logs.create(sessionDraft("one"))).close());
    const modes = [];
    for (const at of ["", "/projects", "/projects/test-00000000", "/projects/test-00000000/sessions"]) {
      modes.push(must(await store.disk.stat(`${folder}/fresh${at}`)).mode);
    }
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700]);
    expect(must(await store.disk.stat(path)).mode).toBe(0o600);
    await rm(folder, { recursive: true });
  });
});
