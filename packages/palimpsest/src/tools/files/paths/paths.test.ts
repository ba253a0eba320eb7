import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beginFileTools } from "../../../../../../test/support/file-tools.ts";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { ok } from "../../../../../core/src/spec/index.ts";
import { type FileSystem, type HeldFolder, nodeFileSystem, resolveSubjects } from "../index.ts";
import { showPath } from "./show-path.ts";

async function realTarget(path: string, cwd: string): Promise<string | undefined> {
  const [subject] = await resolveSubjects([{ kind: "path", value: path, access: "read" }], cwd);
  return subject?.value;
}

describe("what calls touch", () => {
  it("is named by the input alone, as it is written there", async () => {
    const { tool } = await beginFileTools();
    const subjectsOf = (name: string, input: unknown) => tool(name).subjectsOf?.(input);
    expect(subjectsOf("Read", { file_path: "a" })).toEqual([{ kind: "path", value: "a", access: "read" }]);
    expect(subjectsOf("Write", { file_path: "/a" })).toEqual([
      { kind: "path", value: "/a", access: "write" },
    ]);
    expect(subjectsOf("Edit", { file_path: "a" })).toEqual([{ kind: "path", value: "a", access: "write" }]);
    expect(subjectsOf("MultiEdit", { file_path: "a" })).toEqual([
      { kind: "path", value: "a", access: "write" },
    ]);
    expect(subjectsOf("NotebookEdit", { notebook_path: "n" })).toEqual([
      { kind: "path", value: "n", access: "write" },
    ]);
    expect(subjectsOf("Grep", { pattern: "x" })).toEqual([{ kind: "path", value: ".", access: "read" }]);
    expect(subjectsOf("Glob", { pattern: "*", path: "b" })).toEqual([
      { kind: "path", value: "b", access: "read" },
    ]);
    expect(subjectsOf("Glob", { pattern: "/etc/*.conf" })).toEqual([
      { kind: "path", value: "/etc", access: "read" },
    ]);
  });

  it("is nothing, and no failure, where the input is wrong", async () => {
    const { tools } = await beginFileTools();
    for (const input of [undefined, null, 7, "x", [], {}, { file_path: 7, pattern: [], path: {} }]) {
      for (const { subjectsOf } of tools) expect(() => subjectsOf?.(input)).not.toThrow();
    }
  });

  it("knows which tools change nothing, and that Read pages itself", async () => {
    const { tools } = await beginFileTools();
    expect(tools.map(({ name, isReadOnly, maxResultChars }) => [name, isReadOnly, maxResultChars])).toEqual([
      ["Read", true, Number.POSITIVE_INFINITY],
      ["Write", undefined, undefined],
      ["Edit", undefined, undefined],
      ["MultiEdit", undefined, undefined],
      ["NotebookEdit", undefined, undefined],
      ["Grep", true, undefined],
      ["Glob", true, undefined],
    ]);
  });
});

describe("resolveSubjects", () => {
  it("takes relative paths from the working folder, and dots away", async () => {
    const { folder } = await beginFileTools();
    expect(await realTarget("a/./b/../c.txt", folder)).toBe(join(folder, "a/c.txt"));
    expect(await realTarget("../../../../../../../../etc", folder)).toBe("/etc");
  });

  it("follows links: of the file, of a parent, and to what is missing", async () => {
    const { folder, put } = await beginFileTools();
    const outside = await beginFileTools();
    const target = await outside.put("deep/file.txt", "x");
    await put("inside.txt", "x");
    await symlink(target, join(folder, "file-link"));
    await symlink(outside.folder, join(folder, "folder-link"));
    await symlink(join(outside.folder, "missing.txt"), join(folder, "dangling"));
    await symlink("dangling", join(folder, "twice"));
    expect(await realTarget("inside.txt", folder)).toBe(join(folder, "inside.txt"));
    expect(await realTarget("file-link", folder)).toBe(target);
    expect(await realTarget("folder-link/new/x.txt", folder)).toBe(join(outside.folder, "new/x.txt"));
    expect(await realTarget("dangling", folder)).toBe(join(outside.folder, "missing.txt"));
    expect(await realTarget("twice", folder)).toBe(join(outside.folder, "missing.txt"));
  });

  it("leaves a path that cannot be resolved absolute, and other subjects as they are", async () => {
    const { folder } = await beginFileTools();
    await symlink("loop", join(folder, "loop"));
    expect(await realTarget("loop", folder)).toBe(join(folder, "loop"));
    const command = { kind: "command", value: "ls", access: "execute" } as const;
    expect(await resolveSubjects([command], folder)).toEqual([command]);
  });
});

describe("paths that cannot be meant", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["", /The path is empty/],
    ["  ", /The path is empty/],
    ["a\0b", /a\\x00b holds a NUL character/],
    ["\ud800", /not well-formed/],
    ["a/".repeat(3_000), /too long/],
    [`x/${"ä".repeat(128)}`, /too long/],
    ["~/notes.txt", /begins with a tilde, which is not expanded/],
  ];

  it.each(cases)("are refused with what to do: %j", async (path, message) => {
    const { textOf } = await beginFileTools();
    for (const [name, input] of [
      ["Read", { file_path: path }],
      ["Write", { file_path: path, content: "" }],
      ["Edit", { file_path: path, old_string: "a", new_string: "b" }],
      ["Grep", { pattern: "x", path }],
      ["Glob", { pattern: "*", path }],
    ] as const) {
      const text = await textOf(name, input);
      expect(text).toMatch(/^ERROR: /);
      expect(text).toMatch(message);
    }
  });
});

describe("permission and use", () => {
  it("refuses a path that leads elsewhere than permission was given for", async () => {
    const { folder, put, textOf } = await beginFileTools();
    const allowed = await put("ok.txt", "fine\n");
    const secret = await put("outside/secret.txt", "secret\n");
    await symlink(allowed, join(folder, "link"));
    const context = { allowedPaths: [allowed] };
    expect(await textOf("Read", { file_path: "link" }, context)).toBe("1\tfine");
    await symlink(secret, join(folder, "link2"));
    expect(await textOf("Read", { file_path: "link2" }, context)).toBe(
      `ERROR: link2 leads to ${secret}, which permission was not given for. Call again, so that permission is asked for where it leads now.`,
    );
    for (const [name, input] of [
      ["Write", { file_path: "link2", content: "x" }],
      ["Edit", { file_path: "link2", old_string: "secret", new_string: "x" }],
      ["Grep", { pattern: "secret", path: "outside" }],
      ["Glob", { pattern: "*", path: "outside" }],
    ] as const) {
      expect(await textOf(name, input, context)).toMatch(/permission was not given/);
    }
  });

  it("writes through a link where its target is what was allowed", async () => {
    const { folder, textOf, bytesOf } = await beginFileTools();
    await symlink("real.txt", join(folder, "link.txt"));
    const context = { allowedPaths: [join(folder, "real.txt")] };
    expect(await textOf("Write", { file_path: "link.txt", content: "new" }, context)).toBe(
      "Created link.txt: 3 bytes.",
    );
    expect(String(await bytesOf("real.txt"))).toBe("new");
    expect((await nodeFileSystem.stat(join(folder, "link.txt"))).ok).toBe(true);
  });

  /** Swaps a folder for a link to another one at a chosen call. */
  async function swapping(at: "open" | "hold" | "create" | "rename") {
    const elsewhere = await temporaryFolder();
    let inside = "";
    let isSwapped = false;
    const swap = async () => {
      if (isSwapped) return;
      isSwapped = true;
      await rename(inside, `${inside}-moved`);
      await symlink(elsewhere, inside);
    };
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      open: async (path) => {
        if (at === "open" && path.startsWith(inside)) await swap();
        return nodeFileSystem.open(path);
      },
      holdFolder: async (path, how) => {
        if (at === "hold") await swap();
        const held = await nodeFileSystem.holdFolder(path, how);
        if (at === "create") await swap();
        if (!held.ok) return held;
        const create: HeldFolder["create"] = async (name, bytes, like) => {
          const created = await held.value.create(name, bytes, like);
          if (at === "rename") await swap();
          return created;
        };
        return ok({ ...held.value, create });
      },
    };
    const bench = await beginFileTools({ fileSystem });
    inside = join(bench.folder, "inside");
    await mkdir(inside);
    const other = async (name: string) => nodeFileSystem.stat(join(elsewhere, name));
    return { ...bench, elsewhere, other };
  }

  it("notices a folder that becomes a link while a file is opened", async () => {
    const { put, textOf, elsewhere } = await swapping("open");
    await put("inside/a.txt", "mine\n");
    await writeFile(join(elsewhere, "a.txt"), "theirs\n");
    expect(await textOf("Read", { file_path: "inside/a.txt" })).toMatch(
      /^ERROR: .* was replaced while it was opened\. Call again\.$/,
    );
  });

  it.each(["hold", "create", "rename"] as const)(
    "writes nothing elsewhere when a folder becomes a link before %s",
    async (at) => {
      const { textOf, other } = await swapping(at);
      expect(await textOf("Write", { file_path: "inside/a.txt", content: "x" })).toMatch(/^ERROR: /);
      expect(await other("a.txt")).toMatchObject({ ok: false, error: { code: "not-found" } });
      expect(await other(".palimpsest-write_000001.tmp")).toMatchObject({ ok: false });
    },
  );

  it("refuses a last part that becomes a link between looking and opening", async () => {
    const { folder, put } = await beginFileTools();
    const secret = await put("secret.txt", "x");
    await symlink(secret, join(folder, "link"));
    expect(await nodeFileSystem.open(join(folder, "link"))).toMatchObject({
      ok: false,
      error: { code: "invalid-path" },
    });
    await symlink(folder, join(folder, "folder-link"));
    expect(await nodeFileSystem.list(join(folder, "folder-link"))).toMatchObject({ ok: false });
  });
});

describe("showPath", () => {
  it("keeps ordinary names, and escapes what would move, forge or hide", () => {
    expect(showPath("/a/Ünïcödé 文件🙂\\.txt")).toBe("/a/Ünïcödé 文件🙂\\.txt");
    expect(showPath("a\r\n\t\u001b]0;x\u0007\u2028\u200b\ud800\\")).toBe(
      "a\\x0d\\x0a\\x09\\x1b]0;x\\x07\\u2028\\u200b\\ud800\\\\",
    );
    expect(showPath("\u{e0001}")).toBe("\\u{e0001}");
  });
});
