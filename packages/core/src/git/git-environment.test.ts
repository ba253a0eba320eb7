import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixedSettings, settingsAgainst, toGitEnvironment } from "./git-environment.ts";

const inWork = (environment: Readonly<Record<string, string | undefined>>, folders = ["/home/me/work"]) =>
  toGitEnvironment({ environment, folders, settings: [] });

describe("the environment of git", () => {
  it("has none of the variables of git that were set before, and keeps the others", () => {
    const before = { HOME: "/home/me", LANG: "C", GIT_DIR: "/x", GIT_EXEC_PATH: "/x", GIT_CONFIG_COUNT: "9" };
    const made = inWork({ ...before, GIT_CONFIG_KEY_8: "core.fsmonitor", GIT_CONFIG_VALUE_8: "evil" });
    expect(made).toMatchObject({ HOME: "/home/me", LANG: "C", GIT_ALLOW_PROTOCOL: "!" });
    expect(Object.keys(made).filter((name) => name === "GIT_DIR" || name === "GIT_EXEC_PATH")).toEqual([]);
    expect(made.GIT_CONFIG_COUNT).toBe(String(fixedSettings.length));
    expect(made.GIT_CONFIG_KEY_8).toBe(fixedSettings[8]?.[0]);
  });

  it("finds no programs of the working folder, by whatever way its name is written", () => {
    const PATH =
      ".::bin:/home/me/work:/home/me/work/bin:/home/me/work/../work/bin:/home/me/workshop:/usr/bin";
    expect(inWork({ PATH }).PATH).toBe("/home/me/workshop:/usr/bin");
    expect(inWork({ PATH: "" }).PATH).toBe("/nonexistent");
    expect(inWork({}).PATH).toBe("/nonexistent");
  });

  it("finds the user's own programs where the user works in the home folder or above it", () => {
    const environment = { PATH: "/home/me/bin:/usr/bin", HOME: "/home/me" };
    for (const folder of ["/home/me", "/home", "/"])
      expect(inWork(environment, [folder]).PATH).toBe("/home/me/bin:/usr/bin");
  });
});

describe("what is set against the programs of a configuration", () => {
  it("turns off all of a filter, whatever of it was named", () => {
    expect(settingsAgainst(["filter.lfs.required", "filter.a.b=c.clean"])).toEqual([
      ["filter.lfs.clean", ""],
      ["filter.lfs.smudge", ""],
      ["filter.lfs.process", ""],
      ["filter.lfs.required", "false"],
      ["filter.a.b=c.clean", ""],
      ["filter.a.b=c.smudge", ""],
      ["filter.a.b=c.process", ""],
      ["filter.a.b=c.required", "false"],
    ]);
  });

  it("leaves alone what names no program", () => {
    const names = ["core.bare", "user.name", "remote.origin.url", "diff.algorithm", "alias.st", "filter.x"];
    expect(settingsAgainst(names)).toEqual([]);
  });

  it("gives a diff program that shows the change, and a textconv that shows the text", () => {
    const settings = new Map(settingsAgainst(["diff.external", "diff.x.command", "diff.x.textconv"]));
    expect(settings.get("diff.x.textconv")).toBe("cat");
    expect(settings.get("diff.x.command")).toBe(settings.get("diff.external"));
  });

  it("is taken by git as it is, for every name that a driver can have", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 0, maxLength: 20 })
      .filter((text) => !/[\0\n]/.test(text));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const settings = settingsAgainst(names.map((one) => `filter.${one}.clean`));
        const environment = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
        const listed = execFileSync("git", ["config", "--list", "--name-only", "-z"], {
          cwd: "/",
          env: toGitEnvironment({ environment, folders: [], settings }),
          encoding: "utf8",
        });
        const given = new Set(listed.split("\0"));
        expect(settings.filter(([key]) => !given.has(key))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
