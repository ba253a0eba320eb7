import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { systemShell } from "../../runtime-shell.ts";
import { readTrackedFiles } from "./tracked-files.ts";

const environment = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
};
const read = (folder: string) =>
  readTrackedFiles({
    shell: systemShell,
    clock: createVirtualClock(),
    cwd: folder,
    folders: [folder],
    environment,
  });

async function repository(): Promise<string> {
  const folder = realpathSync(await temporaryFolder());
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, env: environment });
  git("init", "-q");
  mkdirSync(`${folder}/src`);
  mkdirSync(`${folder}/node_modules`);
  for (const path of ["src/a b.ts", "größe.md", "ignored.md", ".gitignore", "new.md"]) {
    writeFileSync(`${folder}/${path}`, path === ".gitignore" ? "ignored.md\nnode_modules\n" : "x");
  }
  symlinkSync("/etc/hosts", `${folder}/link.md`);
  git("add", "src", "größe.md", ".gitignore", "link.md");
  return folder;
}

it("knows the files under version control: no links, nothing ignored, nothing new", async () => {
  const folder = await repository();
  const { isTracked } = await read(folder);
  const paths = [
    "src/a b.ts",
    "größe.md",
    ".gitignore",
    "ignored.md",
    "new.md",
    "link.md",
    "src",
    ".git/config",
  ];
  expect(paths.filter((path) => isTracked(`${folder}/${path}`))).toEqual([
    "src/a b.ts",
    "größe.md",
    ".gitignore",
  ]);
});

it("takes no file for a tracked one whose name is only read like its own", async () => {
  const folder = await repository();
  execFileSync("sh", ["-c", "touch \"$(printf 'a\\377')\" && git add ."], { cwd: folder, env: environment });
  writeFileSync(`${folder}/a\u{FFFD}`, "x");
  const { isTracked } = await read(folder);
  expect(isTracked(`${folder}/a\u{FFFD}`)).toBe(false);
});

it("runs no program that the repository names", async () => {
  const folder = await repository();
  const hook = `${folder}/.git/evil`;
  writeFileSync(hook, `#!/bin/sh\ntouch ${folder}/ran\n`, { mode: 0o755 });
  execFileSync("git", ["config", "core.fsmonitor", hook], { cwd: folder, env: environment });
  const { isTracked } = await read(folder);
  expect(isTracked(`${folder}/größe.md`)).toBe(true);
  expect(() => realpathSync(`${folder}/ran`)).toThrow("ENOENT");
});

it("trusts nothing where there is no repository, or no git", async () => {
  const folder = realpathSync(await temporaryFolder());
  writeFileSync(`${folder}/a.md`, "x");
  expect((await read(folder)).isTracked(`${folder}/a.md`)).toBe(false);
  const without = {
    shell: systemShell,
    clock: createVirtualClock(),
    cwd: folder,
    folders: [folder],
    environment: { PATH: "/nonexistent" },
  };
  expect((await readTrackedFiles(without)).isTracked(`${folder}/a.md`)).toBe(false);
});
