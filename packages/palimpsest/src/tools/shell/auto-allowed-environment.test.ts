import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { systemShell } from "../../../../core/src/runtime-shell.ts";
import { createNodeDisk } from "../../../../core/src/stores/files/index.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createAutoAllowedEnvironment } from "./auto-allowed-environment.ts";

async function repository() {
  const root = realpathSync(await temporaryFolder());
  const folder = join(root, "work");
  mkdirSync(folder);
  const environment = { PATH: process.env.PATH ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder,
      env: environment,
    });
  git("init", "-q");
  writeFileSync(join(folder, "a.txt"), "a\n");
  writeFileSync(join(folder, ".gitattributes"), "* filter=evil\n");
  git("add", ".");
  git("commit", "-q", "-m", "one");
  const ran = join(root, "ran");
  appendFileSync(join(folder, ".git/config"), `[filter "evil"]\n\tclean = touch '${ran}'; cat\n`);
  utimesSync(join(folder, "a.txt"), 1, 1);
  const environmentFor = createAutoAllowedEnvironment({
    shell: systemShell,
    disk: createNodeDisk(),
    environment,
  });
  return {
    folder,
    environment,
    get: (command: string) => environmentFor(command, { folder, cwd: folder, clock: createVirtualClock() }),
    hasRun: () => existsSync(ran),
    runIn: (given: Readonly<Record<string, string>>, command: string) =>
      execFileSync("sh", ["-c", command], { cwd: folder, env: given, encoding: "utf8" }),
  };
}

describe("the environment of a command", () => {
  it.each(["git status --short", "'g'it status --short", "echo x | cat ; g\\it status --short"])(
    "keeps git from running programs of the repository where nobody is asked: %s",
    async (command) => {
      const { get, runIn, hasRun } = await repository();
      const environment = await get(command);
      expect(environment.ok && runIn(environment.value, command).replace("x\n", "")).toBe("");
      expect(hasRun()).toBe(false);
    },
  );

  it("is the person's own where a rule or a person has allowed the command", async () => {
    const { get, environment, runIn, hasRun } = await repository();
    expect(await get("git add a.txt")).toEqual({ ok: true, value: environment });
    runIn(environment, "git add a.txt");
    expect(hasRun(), "the trap works for those who step into it").toBe(true);
  });

  it("is the person's own where git has no part in it", async () => {
    const { get, environment } = await repository();
    expect(await get("ls -l")).toEqual({ ok: true, value: environment });
  });

  it("is refused where it cannot be told what git would run", async () => {
    const { get, folder } = await repository();
    writeFileSync(join(folder, ".git/config"), "[broken\n");
    expect(await get("git status")).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/^The command was not run: git cannot read its configuration: /),
      },
    });
  });

  it("lets a command say by itself that there is no git", async () => {
    const { environment, folder } = await repository();
    const without = createAutoAllowedEnvironment({
      shell: systemShell,
      disk: createNodeDisk(),
      environment: { ...environment, PATH: "." },
    });
    const given = await without("git status", { folder, cwd: folder, clock: createVirtualClock() });
    expect(given).toMatchObject({ ok: true, value: { PATH: "/nonexistent" } });
  });
});
