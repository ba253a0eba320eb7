import { describe, expect, test } from "vitest";
import type { Result } from "../../core/src/spec/index.ts";
import { createVirtualClock } from "./virtual-clock.ts";
import { createVirtualDisk } from "./virtual-disk.ts";
import { keepUnsynced } from "./virtual-power-loss.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array) => new TextDecoder().decode(content);

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}

function codeOf(result: Result<unknown>): string {
  return result.ok ? "ok" : result.error.code;
}

describe("files", () => {
  test("an appended file reads back from any position", async () => {
    const disk = createVirtualDisk();
    const file = orThrow(await disk.open("/log", "create"));
    await file.append(bytes("hello "));
    await file.append(bytes("world"));
    const into = new Uint8Array(8);
    expect([await file.read(6, into), await file.read(11, into), await file.read(99, into)]).toEqual([
      { ok: true, value: 5 },
      { ok: true, value: 0 },
      { ok: true, value: 0 },
    ]);
    expect(text(into)).toBe("world\0\0\0");
  });

  test("truncate cuts, and grows with NUL", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "hello");
    const file = orThrow(await disk.open("/log", "append"));
    await file.truncate(2);
    await file.truncate(4);
    await file.append(bytes("!"));
    expect(text(disk.readWhole("/log"))).toBe("he\0\0!");
  });

  test("an open file outlives its name", async () => {
    const disk = createVirtualDisk();
    const file = orThrow(await disk.open("/log", "create"));
    await disk.remove("/log");
    await file.append(bytes("kept"));
    const { links, bytes: size } = orThrow(await file.stat());
    expect([links, size, disk.snapshot()]).toEqual([0, 4, new Map()]);
  });

  test("a closed file answers closed, and one opened for reading is not written", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "a");
    const file = orThrow(await disk.open("/log", "read"));
    expect([codeOf(await file.append(bytes("b"))), codeOf(await file.truncate(0))]).toEqual(["io", "io"]);
    await file.close();
    expect([codeOf(await file.stat()), codeOf(await file.close())]).toEqual(["closed", "closed"]);
  });

  test("the bytes of an append are taken when it happens, not when it is called", async () => {
    const disk = createVirtualDisk();
    const file = orThrow(await disk.open("/log", "create"));
    const buffer = bytes("one");
    const appended = file.append(buffer);
    buffer.set(bytes("two"));
    await appended;
    buffer.set(bytes("six"));
    expect(text(disk.readWhole("/log"))).toBe("two");
    expect(text(disk.afterPowerLoss(keepUnsynced).readWhole("/log"))).toBe("two");
  });

  test("files and folders have private modes and the clock's time", async () => {
    const clock = createVirtualClock({ startMs: 1_000 });
    const disk = createVirtualDisk({ clock });
    await disk.makeDirectory("/a/b");
    await clock.advance(50);
    await disk.open("/a/b/c", "create");
    await disk.link("/a/b/c", "/a/d");
    expect([await disk.stat("/a/b/c"), await disk.stat("/a/b"), await disk.stat("/a")]).toEqual([
      {
        ok: true,
        value: { kind: "file", bytes: 0, modifiedMs: 1_050, links: 2, identity: "virtual:4", mode: 0o600 },
      },
      {
        ok: true,
        value: {
          kind: "directory",
          bytes: 0,
          modifiedMs: 1_050,
          links: 1,
          identity: "virtual:3",
          mode: 0o700,
        },
      },
      {
        ok: true,
        value: {
          kind: "directory",
          bytes: 0,
          modifiedMs: 1_050,
          links: 1,
          identity: "virtual:2",
          mode: 0o700,
        },
      },
    ]);
  });
});

describe("refusals", () => {
  async function createFurnished() {
    const disk = createVirtualDisk();
    disk.writeWhole("/folder/file", "x");
    disk.plantLink("/link", "folder/file");
    disk.plantLink("/folder-link", "folder");
    return disk;
  }

  test.each([
    ["a missing file", "not-found", "open /folder/none", "/folder/none"],
    ["a missing parent", "not-found", "open /none/file", "/none/file"],
    ["a file in place of a directory", "not-directory", "open /folder/file/x", "/folder/file/x"],
    ["a directory", "is-directory", "open /folder", "/folder"],
    ["a symbolic link", "invalid-path", "open /link", "/link"],
    ["a relative path", "invalid-path", "open folder/file", "folder/file"],
    ["a name over 255 bytes", "invalid-path", `open /${"n".repeat(256)}`, `/${"n".repeat(256)}`],
  ])("opening %s fails with %s and names the call and the path", async (_, code, says, path) => {
    const opened = await (await createFurnished()).open(path, "append");
    expect(opened).toMatchObject({ ok: false, error: { code, path } });
    expect(opened.ok ? "" : opened.error.message).toContain(`${says}: `);
  });

  test("nothing follows a link in the last part but realPath", async () => {
    const disk = await createFurnished();
    expect({
      create: codeOf(await disk.open("/link", "create")),
      list: codeOf(await disk.list("/folder-link")),
      makeDirectory: codeOf(await disk.makeDirectory("/folder-link")),
      syncDirectory: codeOf(await disk.syncDirectory("/folder-link")),
      stat: orThrow(await disk.stat("/link")).kind,
      throughFolder: codeOf(await disk.open("/folder-link/file", "read")),
      realPath: orThrow(await disk.realPath("/folder-link/../link")),
    }).toEqual({
      create: "exists",
      list: "invalid-path",
      makeDirectory: "invalid-path",
      syncDirectory: "invalid-path",
      stat: "link",
      throughFolder: "ok",
      realPath: "/folder/file",
    });
  });

  test("renaming onto a link replaces the link, removing it leaves what it points to", async () => {
    const disk = await createFurnished();
    disk.writeWhole("/new", "new");
    await disk.rename("/new", "/link");
    await disk.removeTree("/folder-link");
    expect([...disk.snapshot()].map(([path, content]) => [path, text(content)])).toEqual([
      ["/folder/file", "x"],
      ["/link", "new"],
    ]);
  });

  test("a circle of links ends", async () => {
    const disk = createVirtualDisk();
    disk.plantLink("/a", "b");
    disk.plantLink("/b", "a");
    expect([codeOf(await disk.realPath("/a")), codeOf(await disk.open("/a/x", "read"))]).toEqual([
      "invalid-path",
      "invalid-path",
    ]);
  });

  test("link never replaces and rename does", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/one", "1");
    disk.writeWhole("/two", "2");
    expect([codeOf(await disk.link("/one", "/two")), codeOf(await disk.rename("/one", "/two"))]).toEqual([
      "exists",
      "ok",
    ]);
    expect(disk.snapshot()).toEqual(new Map([["/two", bytes("1")]]));
  });

  test("modes deny what their owner's bits deny", async () => {
    const disk = await createFurnished();
    disk.writeWhole("/closed/file", "x");
    disk.writeWhole("/fixed/file", "x");
    disk.setMode("/closed", 0o600);
    disk.setMode("/fixed", 0o500);
    disk.setMode("/folder/file", 0o400);
    expect({
      search: codeOf(await disk.open("/closed/file", "read")),
      create: codeOf(await disk.open("/fixed/other", "create")),
      remove: codeOf(await disk.remove("/fixed/file")),
      rename: codeOf(await disk.rename("/fixed/file", "/file")),
      list: codeOf(await disk.list("/fixed")),
      read: codeOf(await disk.open("/folder/file", "read")),
      append: codeOf(await disk.open("/folder/file", "append")),
    }).toEqual({
      search: "permission",
      create: "permission",
      remove: "permission",
      rename: "permission",
      list: "ok",
      read: "ok",
      append: "permission",
    });
  });
});

describe("planting", () => {
  test("what is planted is seen, durable, and no operation", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/a/file", "hello");
    disk.fillWithNul("/a/file", 1, 3);
    disk.flipByte("/a/file", 4);
    const planted = new Map([["/a/file", Uint8Array.from([0x68, 0, 0, 0x6c, 0x6f ^ 0xff])]]);
    expect([disk.snapshot(), disk.afterPowerLoss(() => 0).snapshot(), disk.operations]).toEqual([
      planted,
      planted,
      [],
    ]);
  });

  test("a file planted over an unsynced removal stays", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/file", "old");
    await disk.remove("/file");
    disk.writeWhole("/file", "new");
    for (const answer of [0, 1]) {
      expect(disk.afterPowerLoss(() => answer).snapshot()).toEqual(new Map([["/file", bytes("new")]]));
    }
  });

  test("mistakes throw", () => {
    const disk = createVirtualDisk();
    expect(() => disk.readWhole("/none")).toThrow("readWhole /none: no such file or directory");
    expect(() => disk.writeWhole("/", "x")).toThrow("writeWhole /");
  });
});

test("two processes on one disk see each other's files, and one may die alone", async () => {
  const one = createVirtualDisk();
  const other = one.attach();
  await one.makeDirectory("/shared");
  one.crash();
  expect([codeOf(await one.list("/shared")), codeOf(await other.list("/shared"))]).toEqual(["crashed", "ok"]);
  expect([one.operations.length, other.operations.length]).toEqual([1, 1]);
});
