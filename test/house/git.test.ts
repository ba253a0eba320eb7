import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

/** The one file that starts git, and those that only judge commands in which it is named. */
const starting = "packages/core/src/git/create-git.ts";
const reading = [
  "packages/palimpsest/src/tools/shell/read-only/",
  "packages/palimpsest/src/tools/permissions/",
  "packages/core/src/permissions/",
];

/** A call that starts a program, with git as the program or as the first word of a script. */
const startsGit =
  /(?:\b(?:start|startCommand|spawn|spawnSync|exec|execSync|execFile|execFileSync|run|fork)\(\s*(?:["'`](?:command |env |\/\S*\/)?git(?:["'`]|\s))|\$`git\s)/;

/** The name of the program by itself, which a variable may carry to such a call. */
const namesGit = /(["'`])(?:\/[\w/.-]*\/)?git(?:\.exe)?\1/;

/** How git is told its configuration by variables. */
const configures = /GIT_CONFIG_|GIT_ALLOW_PROTOCOL|GIT_NO_LAZY_FETCH/;

const files = sourceFiles("packages").filter(({ path }) => !path.endsWith(".test.ts"));
const outside = files.filter(({ path }) => path !== starting && !reading.some((one) => path.startsWith(one)));

describe("git", () => {
  it("is started by one function, and named nowhere else", () => {
    expect(files.find(({ path }) => path === starting)?.text).toMatch(startsGit);
    const wrong = outside.filter(({ text }) => startsGit.test(text) || namesGit.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("is told its configuration by the function for its environment alone", () => {
    const telling = files.filter(({ text }) => configures.test(text));
    expect(telling.map(({ path }) => path)).toEqual(["packages/core/src/git/git-environment.ts"]);
  });

  it.each([
    'shell.start("git", args, options)',
    "spawn('git', args)",
    "execFile(\n  `git`,\n  args,\n)",
    'exec("git status")',
    'startCommand("command git status", options)',
    'execSync("/usr/bin/git log")',
    'const program = "git";',
    "const program = '/usr/bin/git';",
  ])("would be found in %j", (text) => {
    expect(startsGit.test(text) || namesGit.test(text)).toBe(true);
  });
});
