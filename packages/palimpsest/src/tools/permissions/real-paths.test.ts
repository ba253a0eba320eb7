import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createNodeDisk } from "../../../../core/src/stores/files/disk/node-disk.ts";
import { openWorkspace, withRealPaths } from "./read-filter.ts";

const nodeDisk = createNodeDisk();

async function place() {
  const root = await realpath(await temporaryFolder());
  await mkdir(join(root, "app/src"), { recursive: true });
  await mkdir(join(root, "other"));
  await writeFile(join(root, "app/src/a"), "");
  await symlink("../other", join(root, "app/out"));
  await symlink("src", join(root, "app/in"));
  await symlink("/nowhere/at/all", join(root, "app/dangling"));
  await symlink("loop", join(root, "app/loop"));
  const leadsTo = async (value: string) => {
    const subject = { kind: "path", value, access: "write" } as const;
    const [found] = await withRealPaths(nodeDisk, [subject]);
    return found?.realPath?.replace(root, "ROOT");
  };
  return { root, leadsTo };
}

describe("withRealPaths", () => {
  it("says where paths lead, there or not yet there", async () => {
    const { root, leadsTo } = await place();
    expect(await leadsTo(`${root}/app/src/a`)).toBe("ROOT/app/src/a");
    expect(await leadsTo(`${root}/app/in/a`)).toBe("ROOT/app/src/a");
    expect(await leadsTo(`${root}/app/new/deep/b`)).toBe("ROOT/app/new/deep/b");
    expect(await leadsTo(`${root}/app/out/new`)).toBe("ROOT/other/new");
    expect(await leadsTo(`${root}/app/out/`)).toBe("ROOT/other");
    expect(await leadsTo("/")).toBe("/");
    expect(await leadsTo("/palimpsest-nothing")).toBe("/palimpsest-nothing");
  });

  it("says null where that cannot be told", async () => {
    const { root, leadsTo } = await place();
    for (const path of ["dangling", "dangling/x", "loop", "src/a/below", "src/../x"])
      expect(await leadsTo(`${root}/app/${path}`), path).toBeUndefined();
    expect(await leadsTo("relative")).toBeUndefined();
  });

  it("leaves commands and addresses as they are", async () => {
    const subjects = [{ kind: "command", value: "ls", access: "execute" }] as const;
    expect(await withRealPaths(nodeDisk, subjects)).toEqual(subjects);
  });
});

describe("openWorkspace", () => {
  it("is the working folder and the folders besides, where they really are, each once", async () => {
    const { root } = await place();
    const workspace = await openWorkspace({
      disk: nodeDisk,
      cwd: `${root}/app`,
      homeFolder: root,
      additionalFolders: ["out", "~/other", `${root}/app/in`, "missing"],
    });
    expect(workspace).toEqual({
      roots: [`${root}/app`, `${root}/other`, `${root}/app/src`],
      warnings: [expect.stringMatching(/^additionalFolders: missing cannot be used\. /)],
    });
  });
});
