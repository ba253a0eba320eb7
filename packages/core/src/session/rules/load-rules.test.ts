import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createNodeDisk } from "../../stores/files/disk/node-disk.ts";
import { findProjectRoot, loadRules, type RulesLocations } from "./load-rules.ts";
import { type LoadedRules, maxRulesFileBytes } from "./rules-file.ts";

const disk = createNodeDisk();

/** Folders on a real disk: `home` (the data root), `me` (the home folder), `app` with the working folder in it. */
async function place(files: Readonly<Record<string, string | Uint8Array>>, cwd = "app") {
  const root = await realpath(await temporaryFolder());
  const write = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const folder of ["home", "me", "app", cwd]) await mkdir(join(root, folder), { recursive: true });
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const at = (path: string) => join(root, path);
  async function load(more: Partial<RulesLocations> = {}): Promise<LoadedRules> {
    const locations = {
      disk,
      home: at("home"),
      homeFolder: at("me"),
      projectRoot: at("app"),
      cwd: at(cwd),
      ...more,
    };
    const loaded = await loadRules(locations);
    if (!loaded.ok) throw loaded.error;
    return loaded.value;
  }
  const shown = async (more?: Partial<RulesLocations>) => {
    const { files: found, notes } = await load(more);
    const short = (text: string) => text.replaceAll(`${root}/`, "");
    return {
      files: found.map(({ path }) => short(path)),
      notes: [...notes, ...found.flatMap((file) => file.notes)].map(short),
    };
  };
  return { root, at, load, shown, write };
}

describe("loadRules", () => {
  it("reads the user's rules, then those from the root down to the working folder", async () => {
    const { shown } = await place(
      {
        "app/a/b/CLAUDE.md": "6",
        "app/a/PALIMPSEST.local.md": "5",
        "app/AGENTS.local.md": "4",
        "app/PALIMPSEST.md": "3",
        "app/CLAUDE.md": "2",
        "app/AGENTS.md": "1",
        "home/AGENTS.md": "0",
        "app/other/AGENTS.md": "no",
        "app/a/b/c/AGENTS.md": "no",
        "AGENTS.md": "no",
      },
      "app/a/b",
    );
    expect(await shown()).toEqual({
      files: [
        "home/AGENTS.md",
        "app/AGENTS.md",
        "app/CLAUDE.md",
        "app/PALIMPSEST.md",
        "app/AGENTS.local.md",
        "app/a/PALIMPSEST.local.md",
        "app/a/b/CLAUDE.md",
      ],
      notes: [],
    });
  });

  it("keeps the text as it is, and names it by its bytes", async () => {
    const text = "\ufeff# Rules\r\n\n\ttabs  \n$(x) `y` \u001b[1m\u202e";
    const { load, at } = await place({ "app/AGENTS.md": text });
    expect(await load()).toEqual({
      files: [
        {
          path: at("app/AGENTS.md"),
          level: "project",
          text,
          sha256: createHash("sha256").update(text).digest("hex"),
          notes: [],
        },
      ],
      notes: [],
    });
  });

  it("reads one file under two names once", async () => {
    const { shown, at } = await place({ "app/AGENTS.md": "same", "app/PALIMPSEST.md": "same" });
    await symlink("AGENTS.md", at("app/CLAUDE.md"));
    expect(await shown()).toEqual({ files: ["app/AGENTS.md"], notes: [] });
  });

  it("follows includes, each once, behind the file that includes them", async () => {
    const { load, shown } = await place({
      "app/AGENTS.md": "@docs/a.md @docs/b.md",
      "app/docs/a.md": "@b.md and @../c.txt",
      "app/docs/b.md": "",
      "app/c.txt": "@scope/package @team",
    });
    expect(await shown()).toEqual({
      files: ["app/AGENTS.md", "app/docs/a.md", "app/docs/b.md", "app/c.txt"],
      notes: [],
    });
    expect((await load()).files[2]?.includedBy).toMatch(/docs\/a\.md$/);
  });

  it("cuts cycles and depth, and says so", async () => {
    const { shown } = await place({
      "app/AGENTS.md": "@1.md @AGENTS.md",
      "app/1.md": "@2.md",
      "app/2.md": "@3.md @1.md",
      "app/3.md": "@4.md",
      "app/4.md": "@5.md",
      "app/5.md": "@6.md",
      "app/6.md": "too deep",
    });
    expect(await shown()).toEqual({
      files: ["app/AGENTS.md", "app/1.md", "app/2.md", "app/3.md", "app/4.md", "app/5.md"],
      notes: [
        "@AGENTS.md was left out: it includes itself in the end.",
        "@1.md was left out: it includes itself in the end.",
        "@6.md was left out: files include each other over 5 deep.",
      ],
    });
  });

  it("notes what is missing, binary, too large or no file, and loads the rest", async () => {
    const { shown, at } = await place({
      "app/AGENTS.md": "@missing.md @binary.md @latin.md @large.md @docs.d/ @pipe.md @fine.md",
      "app/binary.md": "a\0b",
      "app/latin.md": Buffer.from("é", "latin1"),
      "app/large.md": "x".repeat(maxRulesFileBytes + 1),
      "app/docs.d/x": "",
      "app/fine.md": "x".repeat(maxRulesFileBytes),
      "app/CLAUDE.md": "\0",
      "home/AGENTS.md/x": "",
    });
    execFileSync("mkfifo", [at("app/pipe.md")]);
    expect(await shown()).toEqual({
      files: ["app/AGENTS.md", "app/fine.md"],
      notes: [
        "home/AGENTS.md was left out: it is no file.",
        "app/CLAUDE.md was left out: it is no text.",
        "@missing.md was left out: it is not there.",
        "@binary.md was left out: it is no text.",
        "@latin.md was left out: it is no text.",
        `@large.md was left out: it has more than ${maxRulesFileBytes} bytes.`,
        "@docs.d/ was left out: it is no file.",
        "@pipe.md was left out: it is no file.",
      ],
    });
  });

  it("stops before all rules together are too large", async () => {
    const large = (name: string) => name.repeat(maxRulesFileBytes);
    const { shown } = await place({
      "app/AGENTS.md": "@a.md @b.md @c.md @d.md @e.md",
      ...Object.fromEntries([..."abcde"].map((name) => [`app/${name}.md`, large(name)])),
    });
    expect(await shown()).toEqual({
      files: ["app/AGENTS.md", "app/a.md", "app/b.md", "app/c.md"],
      notes: ["d", "e"].map(
        (name) => `@${name}.md was left out: all rules together have more than 409600 bytes.`,
      ),
    });
  });

  it("lets a project's file reach nothing outside the project, by path or by link", async () => {
    const { shown, at } = await place({
      "app/AGENTS.md": "@../secret.md @~/.ssh/id_rsa.pub @link.md @folder/secret.md @/etc/hostname @in.md",
      "secret.md": "secret",
      "me/.ssh/id_rsa.pub": "secret",
      "app/real.md": "fine",
    });
    await symlink("../secret.md", at("app/link.md"));
    await symlink("..", at("app/folder"));
    await symlink("real.md", at("app/in.md"));
    await symlink("../secret.md", at("app/CLAUDE.md"));
    expect(await shown()).toEqual({
      files: ["app/AGENTS.md", "app/in.md"],
      notes: [
        "app/CLAUDE.md was left out: it leads out of the project.",
        "@../secret.md was left out: it is outside the project.",
        "@~/.ssh/id_rsa.pub was left out: it is outside the project.",
        "@link.md was left out: it leads out of the project.",
        "@folder/secret.md was left out: it leads out of the project.",
        "@/etc/hostname was left out: it is outside the project.",
      ],
    });
    const allowed = await shown({ mayInclude: async (path) => path === at("secret.md") });
    expect(allowed.files).toEqual(["app/AGENTS.md", "secret.md", "app/in.md"]);
  });

  it("lets the user's own file include what it likes, and be a link", async () => {
    const { shown, at } = await place({ "me/dotfiles/AGENTS.md": "@~/notes.md", "me/notes.md": "" });
    await symlink("../me/dotfiles/AGENTS.md", at("home/AGENTS.md"));
    expect(await shown({ mayRead: () => false })).toEqual({
      files: ["home/AGENTS.md", "me/notes.md"],
      notes: [],
    });
  });

  it("asks first, and takes silence and failure for no", async () => {
    const { shown, at } = await place({ "app/AGENTS.md": "@a.md @b.md", "app/a.md": "", "app/b.md": "b" });
    const mayRead = async (path: string) => {
      if (path === at("app/b.md")) throw new Error("no");
      return path !== at("app/a.md");
    };
    expect(await shown({ mayRead })).toEqual({
      files: ["app/AGENTS.md"],
      notes: ["@a.md was left out: it may not be read.", "@b.md was left out: it may not be read."],
    });
  });

  it("takes the working folder for the root where it is not below it, and fails where there is none", async () => {
    const { shown, at } = await place({ "app/AGENTS.md": "no", "other/AGENTS.md": "yes" });
    expect((await shown({ cwd: at("other") })).files).toEqual(["other/AGENTS.md"]);
    await expect(shown({ cwd: at("nowhere") })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("findProjectRoot", () => {
  it("is the nearest folder with .git, folder or file, else the folder itself", async () => {
    const { at, root } = await place({
      "app/.git/HEAD": "",
      "app/tree/.git": "gitdir: x",
      "app/tree/a/b/c": "",
    });
    expect(await findProjectRoot(disk, at("app/tree/a/b"))).toBe(at("app/tree"));
    expect(await findProjectRoot(disk, at("app"))).toBe(at("app"));
    expect(await findProjectRoot(disk, at("me"))).toBe(join(root, "me"));
  });
});
