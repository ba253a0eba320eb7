import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, realpath, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createHastyClock } from "../../../../../test/support/agent.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { systemShell } from "../../../../core/src/runtime-shell.ts";
import type { Shell } from "../../../../core/src/spec/index.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { gitTimeoutMs, maxGitBytes, readGitState } from "./surroundings-notice.ts";

const { PATH = "" } = process.env;

async function repository() {
  const root = await realpath(await temporaryFolder());
  const [cwd, home] = [join(root, "work"), join(root, "home")];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  const environment = { PATH, HOME: home };
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd,
      env: { ...environment, GIT_CONFIG_NOSYSTEM: "1" },
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  const options = { shell: systemShell, clock: createVirtualClock(), cwd, environment };
  return { root, cwd, git, options, look: (more = {}) => readGitState({ ...options, ...more }) };
}

describe("what git says of a folder", () => {
  it("is the branch and what has changed, also before the first commit", async () => {
    const { cwd, git, look } = await repository();
    await writeFile(join(cwd, "a.txt"), "a\n");
    expect(await look()).toEqual({ branch: "No commits yet on main", changed: ["?? a.txt"] });
    git("add", ".");
    git("commit", "-q", "-m", "one");
    expect(await look()).toEqual({ branch: "main", changed: [] });
    await writeFile(join(cwd, "a.txt"), "other\n");
    await writeFile(join(cwd, "two\nlines"), "");
    expect(await look()).toEqual({ branch: "main", changed: [" M a.txt", '?? "two\\nlines"'] });
  });

  it("is nothing where there is no repository, no git, or only a folder that looks like one", async () => {
    const { cwd, git, look, root } = await repository();
    expect(await look({ cwd: root })).toBeNull();
    expect(await look({ environment: { PATH: "" } })).toBeNull();
    git("init", "-q", "--bare", join(cwd, "bare"));
    expect(await look({ cwd: join(cwd, "bare") })).toBeNull();
  });

  it("costs nobody a program that the repository names", async () => {
    const { root, cwd, git, look } = await repository();
    const evil = join(root, "evil.sh");
    await writeFile(evil, `#!/bin/sh\ntouch '${join(root, "pwned")}'\ncat\n`);
    await chmod(evil, 0o755);
    await writeFile(join(cwd, "a.txt"), "a\n");
    await writeFile(join(cwd, ".gitattributes"), "* filter=evil\n*.txt filter=evil=worse\n");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    for (const name of ["evil", "evil=worse", "Evil"]) {
      const section = `[filter ${JSON.stringify(name)}]\n\tclean = ${evil}\n\tprocess = ${evil}\n\trequired = true\n`;
      await writeFile(join(cwd, ".git/config"), section, { flag: "a" });
    }
    git("config", "core.fsmonitor", evil);
    git("config", "core.hooksPath", root);
    git("config", "status.submoduleSummary", "true");
    git("config", "diff.external", evil);
    git("config", "core.pager", evil);
    git("config", "alias.status", `!${evil}`);
    await writeFile(join(root, "post-index-change"), `#!/bin/sh\n${evil}\n`);
    await chmod(join(root, "post-index-change"), 0o755);
    await writeFile(join(cwd, "git"), `#!/bin/sh\n${evil}\n`);
    await chmod(join(cwd, "git"), 0o755);
    for (const name of ["a.txt", ".gitattributes"]) await utimes(join(cwd, name), 1, 1);
    expect(await look({ environment: { PATH: `.::${PATH}`, HOME: join(root, "home") } })).toEqual({
      branch: "main",
      changed: ["?? git"],
    });
    expect(existsSync(join(root, "pwned"))).toBe(false);
    const plainly = "git -c core.fsmonitor=false -c core.hooksPath=/dev/null status || true";
    execFileSync("sh", ["-c", plainly], { cwd, stdio: "pipe" });
    expect(existsSync(join(root, "pwned")), "the trap works for those who step into it").toBe(true);
  });

  it("is waited for no longer than the clock says", async () => {
    const { options } = await repository();
    const sleep: Shell["start"] = (_program, _args, given) => systemShell.start("sleep", ["100000"], given);
    const clock = createHastyClock();
    expect(await readGitState({ ...options, shell: { start: sleep }, clock })).toBeNull();
    const slowly: Shell = {
      start: (program, args, given) =>
        args[0] === "status" ? sleep(program, args, given) : systemShell.start(program, args, given),
    };
    const virtual = createVirtualClock();
    const looking = readGitState({ ...options, shell: slowly, clock: virtual });
    await virtual.advance(gitTimeoutMs);
    expect(await looking).toEqual({ branch: "main", changed: null });
  });

  it("is given up where it does not end", async () => {
    const { options } = await repository();
    const flooding: Shell = { start: (_program, _args, given) => systemShell.start("yes", [], given) };
    expect(maxGitBytes).toBeLessThan(2_000_000);
    expect(await readGitState({ ...options, shell: flooding })).toBeNull();
  });
});
