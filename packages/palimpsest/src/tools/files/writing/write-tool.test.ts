import { chmod, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beginFileTools } from "../../../../../../test/support/file-tools.ts";
import { ok } from "../../../../../core/src/spec/index.ts";
import { type FileSystem, nodeFileSystem } from "../index.ts";

const isRoot = process.getuid?.() === 0;

describe("Write", () => {
  it("makes a new file with its folders, and stamps it", async () => {
    const bench = await beginFileTools();
    const outcome = await bench.call("Write", { file_path: "a/b/c.txt", content: "Grüße\n" });
    expect(outcome.content).toBe("Created a/b/c.txt: 8 bytes.");
    expect(String(await bench.bytesOf("a/b/c.txt"))).toBe("Grüße\n");
    expect(await bench.textOf("Edit", { file_path: "a/b/c.txt", old_string: "G", new_string: "g" })).toMatch(
      /^Edited/,
    );
  });

  it("replaces a file only when it was read and is unchanged", async () => {
    const bench = await beginFileTools();
    const path = await bench.put("a.txt", "one\n");
    const write = () => bench.textOf("Write", { file_path: "a.txt", content: "mine\n" });
    expect(await write()).toBe(
      "ERROR: a.txt exists and was not read, or is no longer in view. Nothing was written. Read it first.",
    );
    await bench.call("Read", { file_path: "a.txt" });
    await writeFile(path, "two\n");
    expect(await write()).toBe(
      "ERROR: a.txt has changed since it was read. Nothing was written. Read it again, then decide what to change.",
    );
    expect(String(await bench.bytesOf("a.txt"))).toBe("two\n");
    await bench.call("Read", { file_path: "a.txt" });
    expect(await write()).toBe("Replaced a.txt: 5 bytes.");
    expect(await write()).toBe("Replaced a.txt: 5 bytes.");
    expect(String(await bench.bytesOf("a.txt"))).toBe("mine\n");
  });

  it("takes stamps by the path of the call too", async () => {
    const bench = await beginFileTools();
    const path = await bench.put("real.txt", "one\n");
    await symlink(path, join(bench.folder, "link.txt"));
    await bench.call("Read", { file_path: "link.txt" });
    const stamp = bench.stamps.get(path);
    const fileStamp = (asked: string) => (asked === join(bench.folder, "link.txt") ? stamp : undefined);
    expect(await bench.textOf("Write", { file_path: "link.txt", content: "two" }, { fileStamp })).toBe(
      "Replaced link.txt: 3 bytes.",
    );
  });

  it("keeps the mode of the file, and leaves no other file behind", async () => {
    const bench = await beginFileTools();
    const path = await bench.put("run.sh", "#!/bin/sh\n");
    await chmod(path, 0o751);
    await bench.call("Read", { file_path: "run.sh" });
    await bench.call("Write", { file_path: "run.sh", content: "#!/bin/sh\necho\n" });
    expect((await stat(path)).mode & 0o777).toBe(0o751);
    expect(await readdir(bench.folder)).toEqual(["run.sh"]);
  });

  it.skipIf(isRoot)(
    "refuses a file that is read-only (root may write everything: run as another user)",
    async () => {
      const bench = await beginFileTools();
      await chmod(await bench.put("a.txt", "one"), 0o444);
      await bench.call("Read", { file_path: "a.txt" });
      expect(await bench.textOf("Write", { file_path: "a.txt", content: "two" })).toMatch(
        /the system denies access/,
      );
      expect(String(await bench.bytesOf("a.txt"))).toBe("one");
    },
  );

  it("refuses folders and devices", async () => {
    const bench = await beginFileTools();
    await mkdir(join(bench.folder, "sub"));
    expect(await bench.textOf("Write", { file_path: "sub", content: "x" })).toMatch(
      /is a folder, not a file/,
    );
    expect(await bench.textOf("Write", { file_path: "/dev/null", content: "x" })).toMatch(/is a device/);
    await bench.put("file", "x");
    expect(await bench.textOf("Write", { file_path: "file/x", content: "x" })).toMatch(/is not a folder/);
  });

  it("refuses to replace a file that is too large to be stamped", async () => {
    const bench = await beginFileTools({ limits: { editBytes: 10 } });
    await bench.put("a.txt", "0123456789!");
    await bench.call("Read", { file_path: "a.txt" });
    expect(await bench.textOf("Write", { file_path: "a.txt", content: "x" })).toMatch(
      /has 11 bytes, over the 10 this takes\. Change it with a program in Bash/,
    );
  });

  /** Somebody else writes between the last look at a file and its replacement. */
  function meddling(meddle: () => Promise<unknown>): FileSystem {
    return {
      ...nodeFileSystem,
      holdFolder: async (path, how) => {
        const held = await nodeFileSystem.holdFolder(path, how);
        await meddle();
        return held;
      },
    };
  }

  it("does not overwrite what somebody else writes meanwhile", async () => {
    let path = "";
    const bench = await beginFileTools({ fileSystem: meddling(() => writeFile(path, "theirs, longer")) });
    path = join(bench.folder, "a.txt");
    const refused = /was changed by somebody else just now\. Nothing was written/;
    expect(await bench.textOf("Write", { file_path: "a.txt", content: "mine" })).toMatch(refused);
    expect(await readdir(bench.folder)).toEqual(["a.txt"]);
    expect(String(await bench.bytesOf("a.txt"))).toBe("theirs, longer");
  });

  it("leaves the file as it was when the disk refuses", async () => {
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      holdFolder: async (path, how) => {
        const held = await nodeFileSystem.holdFolder(path, how);
        if (!held.ok) return held;
        return ok({ ...held.value, rename: () => held.value.rename("nothing", "b") });
      },
    };
    const bench = await beginFileTools({ fileSystem });
    await bench.put("a.txt", "before");
    await bench.call("Read", { file_path: "a.txt" });
    expect(await bench.textOf("Write", { file_path: "a.txt", content: "behind" })).toMatch(
      /^ERROR: Could not write/,
    );
    expect(String(await bench.bytesOf("a.txt"))).toBe("before");
    expect(await readdir(bench.folder)).toEqual(["a.txt"]);
  });
});
