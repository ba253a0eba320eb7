import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { dataRoot } from "./data-root.ts";
import { createNodeDisk } from "./disk/node-disk.ts";
import { projectSlug } from "./project-slug.ts";

const disk = createNodeDisk();
const slugOf = async (folder: string) => must(await projectSlug(disk, folder));

function git(folder: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  execFileSync("git", [...identity, ...args], { cwd: folder, stdio: "ignore" });
}

describe("project slug", () => {
  it("is the base name and eight hex digits of the real path outside a repository", async () => {
    const folder = `${await temporaryFolder()}/my app!`;
    await mkdir(folder);
    await symlink(folder, `${folder}-link`);
    expect(await slugOf(folder)).toMatch(/^my-app--[0-9a-f]{8}$/);
    expect(await slugOf(`${folder}-link`)).toBe(await slugOf(folder));
  });

  it("is the same in every folder and worktree of a repository, and differs between repositories", async () => {
    const folder = await temporaryFolder();
    await mkdir(`${folder}/one/deep/er`, { recursive: true });
    await mkdir(`${folder}/two`);
    for (const name of ["one", "two"]) {
      git(`${folder}/${name}`, "init", "-q");
      git(`${folder}/${name}`, "commit", "-q", "--allow-empty", "-m", "begin");
    }
    git(`${folder}/one`, "worktree", "add", "-q", "../tree");
    const slug = await slugOf(`${folder}/one`);
    expect(slug).toMatch(/^one-[0-9a-f]{8}$/);
    expect(await slugOf(`${folder}/one/deep/er`)).toBe(slug);
    expect(await slugOf(`${folder}/tree`)).toBe(slug);
    expect(await slugOf(`${folder}/two`)).not.toBe(slug);
  });

  it("says so when the folder is not there", async () => {
    expect(refused(await projectSlug(disk, "/nowhere/at/all"))).toBe("not-found");
  });
});

describe("data root", () => {
  it.each([
    [{ PALIMPSEST_HOME: "/data", XDG_DATA_HOME: "/xdg" }, "/data"],
    [{ XDG_DATA_HOME: "/xdg" }, "/xdg/palimpsest"],
    [{ XDG_DATA_HOME: "relative" }, "/home/me/.palimpsest"],
    [{ PALIMPSEST_HOME: "" }, "/home/me/.palimpsest"],
    [{}, "/home/me/.palimpsest"],
  ])("of %j is %s", (environment, expected) => {
    expect(dataRoot(environment, "/home/me")).toBe(expected);
  });
});
