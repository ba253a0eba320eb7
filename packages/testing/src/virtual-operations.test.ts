import { describe, expect, test } from "vitest";
import type { DiskFile, Result } from "../../core/src/spec/index.ts";
import { createVirtualDisk, type VirtualDisk } from "./virtual-disk.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function codeOf(result: Result<unknown>): string {
  return result.ok ? "ok" : result.error.code;
}

async function create(disk: VirtualDisk, path: string): Promise<DiskFile> {
  const opened = await disk.open(path, "create");
  if (!opened.ok) throw opened.error;
  return opened.value;
}

function contents(disk: VirtualDisk): Record<string, string> {
  return Object.fromEntries(
    [...disk.snapshot()].map(([path, content]) => [path, new TextDecoder().decode(content)]),
  );
}

test("every call is recorded in order, with what came of it", async () => {
  const disk = createVirtualDisk();
  await disk.makeDirectory("/a");
  const file = await create(disk, "/a/log");
  await Promise.all([file.append(bytes("hello")), file.sync(), file.stat()]);
  await file.read(0, new Uint8Array(3));
  await file.truncate(1);
  await file.close();
  await disk.rename("/a/log", "/a/old");
  await disk.link("/a/log", "/a/new");
  await disk.syncDirectory("/a");
  expect(disk.operations).toEqual([
    { index: 0, name: "makeDirectory", path: "/a", outcome: "ok" },
    { index: 1, name: "open", path: "/a/log", how: "create", outcome: "ok" },
    { index: 2, name: "append", path: "/a/log", bytes: 5, outcome: "ok" },
    { index: 3, name: "sync", path: "/a/log", outcome: "ok" },
    { index: 4, name: "file-stat", path: "/a/log", outcome: "ok" },
    { index: 5, name: "read", path: "/a/log", bytes: 3, outcome: "ok" },
    { index: 6, name: "truncate", path: "/a/log", bytes: 1, outcome: "ok" },
    { index: 7, name: "close", path: "/a/log", outcome: "ok" },
    { index: 8, name: "rename", path: "/a/log", to: "/a/old", outcome: "ok" },
    { index: 9, name: "link", path: "/a/log", to: "/a/new", outcome: "not-found" },
    { index: 10, name: "syncDirectory", path: "/a", outcome: "ok" },
  ]);
});

describe("planned failures", () => {
  test("operation n fails once, and the message says call, path and code", async () => {
    const disk = createVirtualDisk();
    disk.failAt(1, "io");
    const file = await create(disk, "/log");
    const failed = await file.append(bytes("a"));
    expect(failed.ok ? "" : failed.error.message).toBe("append /log: fails with io, as the test planned");
    await file.append(bytes("b"));
    expect(contents(disk)).toEqual({ "/log": "b" });
  });

  test("an append may write a beginning before it fails", async () => {
    const disk = createVirtualDisk();
    disk.failAt(1, "io", { partial: 2 });
    const file = await create(disk, "/log");
    expect(codeOf(await file.append(bytes("hello")))).toBe("io");
    expect(contents(disk)).toEqual({ "/log": "he" });
  });

  test("an operation may happen wholly and be reported as failed", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/a", "x");
    disk.failAt(0, "io", { partial: Number.POSITIVE_INFINITY });
    expect(codeOf(await disk.rename("/a", "/b"))).toBe("io");
    expect(contents(disk)).toEqual({ "/b": "x" });
  });

  test("what matches fails until the fault is lifted", async () => {
    const disk = createVirtualDisk();
    const lift = disk.failWhen(({ name, path }) => name === "open" && path.endsWith(".lease"), "permission");
    const codes = [
      codeOf(await disk.open("/a.lease", "create")),
      codeOf(await disk.open("/a.log", "create")),
    ];
    lift();
    codes.push(codeOf(await disk.open("/a.lease", "create")));
    expect(codes).toEqual(["permission", "ok", "ok"]);
  });

  test("an operation that has run cannot be made to fail", async () => {
    const disk = createVirtualDisk();
    await disk.list("/");
    expect(() => disk.crashAt(0)).toThrow("Operation 0 cannot fail: 1 have run.");
  });
});

describe("a full disk", () => {
  test("an append writes what fits and fails, until there is room again", async () => {
    const disk = createVirtualDisk({ capacityBytes: 8 });
    disk.writeWhole("/old", "12345");
    await disk.link("/old", "/again");
    const file = await create(disk, "/log");
    expect(codeOf(await file.append(bytes("abcdef")))).toBe("disk-full");
    expect(codeOf(await file.append(bytes("g")))).toBe("disk-full");
    expect(contents(disk)).toEqual({ "/again": "12345", "/log": "abc", "/old": "12345" });
    await disk.remove("/old");
    expect(codeOf(await file.append(bytes("d")))).toBe("disk-full");
    await disk.remove("/again");
    expect(codeOf(await file.append(bytes("def")))).toBe("ok");
    disk.setCapacity(7);
    expect(codeOf(await file.append(bytes("gh")))).toBe("disk-full");
    expect(contents(disk)).toEqual({ "/log": "abcdefg" });
  });

  test("a removed file gives its room back when it is closed", async () => {
    const disk = createVirtualDisk({ capacityBytes: 4 });
    const [old, next] = [await create(disk, "/old"), await create(disk, "/next")];
    await old.append(bytes("1234"));
    await disk.remove("/old");
    expect(codeOf(await next.append(bytes("a")))).toBe("disk-full");
    await old.close();
    expect(codeOf(await next.append(bytes("a")))).toBe("ok");
  });
});

describe("a crash", () => {
  test.each([
    ["not at all", undefined, ""],
    ["partly", 3, "hel"],
    ["wholly", Number.POSITIVE_INFINITY, "hello"],
  ])("the operation happens %s, and everything after it fails", async (_, partial, left) => {
    const disk = createVirtualDisk();
    disk.crashAt(1, partial === undefined ? {} : { partial });
    const file = await create(disk, "/log");
    const codes = [await file.append(bytes("hello")), await file.close(), await disk.stat("/log")].map(
      codeOf,
    );
    expect([codes, disk.crashed, disk.operations.length]).toEqual([
      ["crashed", "crashed", "crashed"],
      true,
      2,
    ]);
    const next = disk.afterProcessCrash();
    expect([contents(next), next.crashed, next.operations]).toEqual([{ "/log": left }, false, []]);
  });

  test("folders are made and removed step by step", async () => {
    const making = createVirtualDisk();
    making.crashAt(0, { partial: 2 });
    await making.makeDirectory("/a/b/c");
    const made = making.afterProcessCrash();
    expect([codeOf(await made.list("/a/b")), codeOf(await made.list("/a/b/c"))]).toEqual(["ok", "not-found"]);

    const removing = createVirtualDisk();
    for (const name of ["one", "three", "two"]) removing.writeWhole(`/a/${name}`, name);
    removing.crashAt(0, { partial: 2 });
    await removing.removeTree("/a");
    expect(contents(removing.afterProcessCrash())).toEqual({ "/a/two": "two" });
  });

  test("what follows on the copy leaves the crashed disk as it was", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/a", "a");
    disk.crash();
    const next = disk.afterProcessCrash();
    await next.remove("/a");
    expect([contents(disk), contents(next)]).toEqual([{ "/a": "a" }, {}]);
  });
});
