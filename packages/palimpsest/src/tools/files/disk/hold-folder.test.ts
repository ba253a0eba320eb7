import { mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import type { HeldFolder } from "./file-system.ts";
import { holdFolder, linuxDescriptors } from "./hold-folder.ts";

async function begin() {
  const folder = await realpath(await temporaryFolder());
  const outside = await realpath(await temporaryFolder());
  const inside = join(folder, "inside");
  await mkdir(inside);
  return {
    inside,
    outside,
    async swap() {
      await rename(inside, `${inside}-moved`);
      await symlink(outside, inside);
    },
  };
}

const some = Buffer.from("some");

async function hold(path: string, how: "make" | "existing", descriptors?: string): Promise<HeldFolder> {
  const held = await holdFolder(path, how, descriptors);
  if (!held.ok) throw held.error;
  return held.value;
}

describe.each([
  ["by its descriptor", linuxDescriptors],
  ["by its path, where descriptors have none", "/nowhere"],
])("a folder that is held %s", (_how, descriptors) => {
  it("is made with what is missing, and takes files by their names", async () => {
    const { inside } = await begin();
    const held = await hold(join(inside, "a", "b"), "make", descriptors);
    const created = await held.create("one", some, { mode: 0o640, owner: { user: -1, group: -1 } });
    expect(created).toMatchObject({ ok: true, value: { kind: "file", bytes: 4, mode: 0o640 } });
    expect(await held.create("one", some)).toMatchObject({ ok: false, error: { code: "exists" } });
    expect(await held.rename("one", "two")).toEqual({ ok: true });
    expect(await held.stat("one")).toMatchObject({ ok: false, error: { code: "not-found" } });
    expect(await held.stat("two")).toEqual(created);
    expect(await held.remove("two")).toMatchObject({ ok: true });
    expect(await held.check()).toMatchObject({ ok: true });
    await held.close();
    expect(await readdir(join(inside, "a", "b"))).toEqual([]);
  });

  it("is not one where a part of the path is a link, a file, or not there", async () => {
    const { inside, outside } = await begin();
    await symlink(outside, join(inside, "link"));
    await writeFile(join(inside, "file"), "x");
    const failures = [
      ["link", "conflict"],
      ["link/below", "conflict"],
      ["file", "not-directory"],
      ["nothing", "not-found"],
    ] as const;
    for (const [name, code] of failures)
      expect(await holdFolder(join(inside, name), "existing", descriptors)).toMatchObject({
        ok: false,
        error: { code },
      });
    expect(await holdFolder(join(inside, "link", "new"), "make", descriptors)).toMatchObject({
      error: { code: "conflict" },
    });
    expect(await readdir(outside)).toEqual([]);
  });

  it("says that its path leads elsewhere, and replaces a link instead of following it", async () => {
    const { inside, outside, swap } = await begin();
    await writeFile(join(outside, "victim"), "theirs");
    const held = await hold(inside, "existing", descriptors);
    await symlink(join(outside, "victim"), join(inside, "link"));
    expect((await held.create("new", some)).ok).toBe(true);
    expect((await held.rename("new", "link")).ok).toBe(true);
    expect(await readFile(join(outside, "victim"), "utf8")).toBe("theirs");
    await swap();
    expect(await held.check()).toMatchObject({ ok: false, error: { code: "conflict" } });
    await held.close();
  });
});

describe("a folder that is held by its descriptor", () => {
  it.skipIf(process.platform !== "linux")(
    "takes files where it is, though its path leads elsewhere",
    async () => {
      const { inside, outside, swap } = await begin();
      const held = await hold(inside, "existing");
      await swap();
      expect((await held.create("new", some)).ok).toBe(true);
      expect((await held.rename("new", "kept")).ok).toBe(true);
      await held.close();
      expect([await readdir(outside), await readdir(`${inside}-moved`)]).toEqual([[], ["kept"]]);
    },
  );
});

describe("a folder that is held by its path", () => {
  it("puts no content into one that has taken its place", async () => {
    const { inside, outside, swap } = await begin();
    const held = await hold(inside, "existing", "/nowhere");
    await swap();
    expect((await held.create("new", some)).ok).toBe(false);
    expect(await held.rename("new", "kept")).toMatchObject({ ok: false, error: { code: "conflict" } });
    await held.close();
    expect(
      await Promise.all((await readdir(outside)).map((name) => readFile(join(outside, name), "utf8"))),
    ).toEqual([""]);
  });
});
