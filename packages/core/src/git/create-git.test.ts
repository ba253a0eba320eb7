import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { systemShell } from "../runtime-shell.ts";
import type { Shell } from "../spec/index.ts";
import { createGit, maxRepositories, maxSettings } from "./create-git.ts";

const limits = { timeoutMs: 1_000 };

async function repository() {
  const root = realpathSync(await temporaryFolder());
  const [cwd, home] = [join(root, "work"), join(root, "home")];
  mkdirSync(cwd);
  mkdirSync(home);
  const environment = { PATH: process.env.PATH ?? "", HOME: home, GIT_DIR: "/nonexistent" };
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd,
      env: { PATH: environment.PATH, HOME: home },
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  const clock = createVirtualClock();
  const open = (shell: Shell = systemShell) => createGit({ shell, clock, environment });
  return { cwd, git, clock, open };
}

describe("git", () => {
  it("answers with what it puts out and how it ends", async () => {
    const { cwd, open } = await repository();
    expect(await open().run(cwd, ["branch", "--show-current"], limits)).toEqual({
      ok: true,
      value: { exitCode: 0, output: "main\n", isText: true, words: "" },
    });
    expect(await open().run(cwd, ["rev-parse", "--verify", "HEAD"], limits)).toMatchObject({
      ok: true,
      value: { exitCode: 128, output: "", words: expect.stringContaining("fatal") },
    });
  });

  it("is stopped once its time is over, also while it reads its configuration", async () => {
    const { cwd, clock, open } = await repository();
    execFileSync("mkfifo", [join(cwd, ".git/pipe")]);
    appendFileSync(join(cwd, ".git/config"), "[include]\n\tpath = pipe\n");
    const asked = open().run(cwd, ["status"], limits);
    await clock.advance(limits.timeoutMs);
    expect(await asked).toMatchObject({ ok: false, error: { code: "timeout" } });
  });

  it("is stopped once it has put out more than is wanted", async () => {
    const { cwd, open } = await repository();
    const endless: Shell = {
      start: (program, args, given) =>
        args[0] === "config" ? systemShell.start(program, args, given) : systemShell.start("yes", [], given),
    };
    expect(await open(endless).run(cwd, ["log"], { ...limits, maxBytes: 1_000 })).toMatchObject({
      ok: false,
      error: { code: "too-large" },
    });
  });

  it("does not run where the configuration cannot be read, or names too many programs", async () => {
    const { cwd, open } = await repository();
    const many = Array.from({ length: maxSettings }, (_, index) => `[filter "f${index}"]\n\tclean = x\n`);
    appendFileSync(join(cwd, ".git/config"), many.join(""));
    expect(await open().run(cwd, ["status"], limits)).toMatchObject({
      ok: false,
      error: { code: "too-large" },
    });
    writeFileSync(join(cwd, ".git/config"), "[broken\n");
    expect(await open().run(cwd, ["status"], limits)).toMatchObject({
      ok: false,
      error: { code: "invalid-input", message: expect.stringContaining("bad config") },
    });
  });

  it.each([
    ["a byte of no text", "\\377"],
    ["Latin-1", "caf\\351"],
    ["half of a pair", "\\355\\240\\200"],
  ])(
    "does not run where the configuration has a name with %s, which no variable can have",
    async (_, name) => {
      const { cwd, open } = await repository();
      execFileSync("sh", ["-c", `printf '[filter "${name}"]\n\tclean = x\n' >> .git/config`], { cwd });
      const refused = {
        ok: false,
        error: { code: "invalid-input", message: expect.stringContaining("a name that is not UTF-8") },
      };
      expect(await open().run(cwd, ["status"], limits)).toMatchObject(refused);
      expect(await open().readRepositories(cwd, limits)).toMatchObject(refused);
    },
  );

  it("runs where the configuration has values that are no text, and names with the mark for such", async () => {
    const { cwd, open } = await repository();
    const script = `printf '[x "\\357\\277\\275\\357\\273\\277"]\n\ty = \\377\n' >> .git/config`;
    execFileSync("sh", ["-c", script], { cwd });
    expect(await open().run(cwd, ["status"], limits)).toMatchObject({ ok: true, value: { exitCode: 0 } });
  });

  it("is not there where no folder of the search path has it", async () => {
    const { cwd } = await repository();
    writeFileSync(join(cwd, "git"), `#!/bin/sh\n: > '${cwd}/ran'\n`, { mode: 0o755 });
    const git = createGit({
      shell: systemShell,
      clock: createVirtualClock(),
      environment: { PATH: `:.:${cwd}` },
    });
    expect(await git.run(cwd, ["status"], limits)).toMatchObject({ ok: false, error: { code: "not-found" } });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });
});

describe("what is set against a repository's programs", () => {
  it("has those of submodules inside submodules, and of none that is not checked out", async () => {
    const { cwd, git, open } = await repository();
    const link = (folder: string, name: string) =>
      execFileSync("git", ["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${name}`], {
        cwd: folder,
      });
    link(cwd, "one");
    link(cwd, "not checked out");
    mkdirSync(join(cwd, "one/two"), { recursive: true });
    for (const [folder, name] of [
      ["one", "outer"],
      ["one/two", "inner"],
    ] as const) {
      git("init", "-q", folder);
      appendFileSync(join(cwd, folder, ".git/config"), `[filter "${name}"]\n\tclean = x\n`);
    }
    link(join(cwd, "one"), "two");
    const found = await open().readRepositories(cwd, limits);
    const names = found.ok ? found.value.settings.map(([name]) => name) : [];
    expect(names.filter((name) => name.endsWith(".clean"))).toEqual([
      "filter.outer.clean",
      "filter.inner.clean",
    ]);
  });

  it.each(["s\\377", "d/\\351", "\\355\\240\\200"])(
    "is unknown where a submodule lies at a path that is no text: %s",
    async (path) => {
      const { cwd, open } = await repository();
      const script = `git update-index --add --cacheinfo "160000,${"1".repeat(40)},$(printf '${path}')"`;
      execFileSync("sh", ["-c", script], { cwd });
      expect(await open().readRepositories(cwd, limits)).toMatchObject({
        ok: false,
        error: {
          code: "invalid-input",
          message: expect.stringContaining("a submodule at a path that is not UTF-8"),
        },
      });
    },
  );

  it("is unknown where a submodule belongs to another user, into which git looks all the same", async () => {
    const { cwd, git, open } = await repository();
    git("init", "-q", "theirs");
    git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},theirs`);
    const owned: Shell = {
      start: (program, args, given) => {
        const isTheirs = given.cwd === join(cwd, "theirs");
        const environment = {
          ...given.environment,
          ...(isTheirs && { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" }),
        };
        return systemShell.start(program, args, { ...given, environment });
      },
    };
    expect(await open(owned).readRepositories(cwd, limits)).toMatchObject({
      ok: false,
      error: { code: "invalid-input", message: expect.stringContaining("belongs to another user") },
    });
  });

  it("is not looked for without end", async () => {
    const { cwd, open } = await repository();
    const links = Array.from(
      { length: maxRepositories },
      (_, index) => `160000 ${"1".repeat(40)}\tsub${index}\n`,
    );
    execFileSync("git", ["update-index", "--index-info"], { cwd, input: links.join("") });
    expect(await open().readRepositories(cwd, limits)).toMatchObject({
      ok: false,
      error: { code: "too-large" },
    });
  });

  it("has those of the user's own configuration, outside of a repository too", async () => {
    const folder = realpathSync(await temporaryFolder());
    const { cwd, open } = await repository();
    writeFileSync(join(cwd, "../home/.gitconfig"), '[filter "mine"]\n\tclean = x\n');
    const found = await open().readRepositories(folder, limits);
    const names = found.ok ? found.value.settings.map(([name]) => name) : [];
    expect(names.filter((name) => name.endsWith(".clean"))).toEqual(["filter.mine.clean"]);
  });
});
