import { chmod, mkdir, readdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createRuntime } from "../../runtime.ts";
import { systemShell } from "../../runtime-shell.ts";
import { createNodeDisk } from "../../stores/files/disk/node-disk.ts";
import { loadSettings, trust } from "../settings/index.ts";
import { createHooks } from "./create-hooks.ts";

const { clock, ids } = createRuntime();
const disk = createNodeDisk();

/** A repository whose settings want a script of its own to run, and a user with a hook of theirs. */
async function repository() {
  const root = await realpath(await temporaryFolder());
  const [home, project] = [join(root, "home"), join(root, "project")];
  await mkdir(home);
  await mkdir(join(project, ".palimpsest"), { recursive: true });
  const settings = (program: string) =>
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ command: [program] }] }] } });
  const script = async (file: string, name: string) => {
    await writeFile(file, `#!/bin/sh\ntouch '${join(root, name)}'\n`);
    await chmod(file, 0o755);
  };
  await script(join(project, "theirs.sh"), "theirs-ran");
  await script(join(home, "mine.sh"), "mine-ran");
  await writeFile(join(home, "settings.json"), settings(join(home, "mine.sh")));
  const file = join(project, ".palimpsest/settings.json");
  await writeFile(file, settings("./theirs.sh"));

  async function load() {
    const loaded = await loadSettings({ disk, home, project });
    if (!loaded.ok) throw loaded.error;
    return loaded.value;
  }
  return {
    change: () => writeFile(file, `${settings("./theirs.sh")}\n`),
    async open() {
      const environment = { PATH: "/usr/bin:/bin" };
      const { hooks } = (await load()).settings;
      const made = createHooks({ settings: hooks, shell: systemShell, clock, environment, cwd: project });
      const context = { session: "s", cwd: project, mode: "default" } as const;
      const verdict = await made.run(
        "SessionStart",
        { source: "startup", ...context },
        new AbortController().signal,
      );
      expect(verdict.warnings).toEqual([]);
      return (await readdir(root)).filter((name) => name.endsWith("-ran"));
    },
    async agree() {
      for (const { content } of (await load()).untrusted) await trust({ disk, home, clock, ids }, content);
    },
  };
}

describe("a repository's hooks (museum 31)", () => {
  it("do nothing before trust, beside the user's own", async () => {
    const { open, agree } = await repository();
    expect(await open()).toEqual(["mine-ran"]);
    await agree();
    expect(await open()).toEqual(["mine-ran", "theirs-ran"]);
  });

  it("do nothing after a change, until it is trusted", async () => {
    const { open, agree, change } = await repository();
    await agree();
    await change();
    expect(await open()).toEqual(["mine-ran"]);
  });
});
