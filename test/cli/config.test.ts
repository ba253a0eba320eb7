import { createHash } from "node:crypto";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { flagTable } from "../../packages/core/src/session/flags/index.ts";
import { createUnconfirmedRules } from "../../packages/core/src/session/rules/index.ts";
import { createNodeDisk } from "../../packages/core/src/stores/files/index.ts";
import { settingNames } from "../../packages/palimpsest/src/surfaces/cli/config/setting-rows.ts";
import { type CliOptions, runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Level = "user" | "project" | "local";

/** A data root and a project beside each other, with settings files as given. */
async function place(settings: Partial<Record<Level, unknown>> = {}) {
  const root = await temporaryFolder();
  const [home, project] = [join(root, "home"), join(root, "shop")];
  const paths: Record<Level, string> = {
    user: join(home, "settings.json"),
    project: join(project, ".palimpsest/settings.json"),
    local: join(project, ".palimpsest/settings.local.json"),
  };
  await mkdir(home);
  await mkdir(join(project, ".palimpsest"), { recursive: true });
  const write = (level: Level, value: unknown) =>
    writeFile(paths[level], typeof value === "string" ? value : JSON.stringify(value));
  for (const [level, value] of Object.entries(settings)) await write(level as Level, value);
  const run = (args: readonly string[], options: CliOptions = {}) =>
    runCli(["config", ...args], { home, cwd: project, ...options });
  return {
    root,
    home,
    project,
    paths,
    write,
    run,
    /** The JSON document of a command that ends well. */
    async read(args: readonly string[] = [], environment: Record<string, string> = {}) {
      const { code, stdout, stderr } = await run([...args, "--json"], { environment });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout);
    },
    trusted: () => readdir(join(home, "trust")).catch(() => []),
  };
}

/** The same, with the project's files trusted as they are. */
async function trustedPlace(settings: Partial<Record<Level, unknown>>) {
  const made = await place(settings);
  expect(await made.run(["trust", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  return made;
}

interface Row {
  readonly setting: string;
  readonly value: unknown;
  readonly isHidden: boolean;
  readonly source: { readonly kind: string };
}

const rowOf = ({ settings }: { settings: readonly Row[] }, name: string) =>
  settings.find(({ setting }) => setting === name);

const stop = (...command: readonly string[]) => ({ Stop: [{ hooks: [{ command }] }] });
const restricted = { hooks: stop("./notify.sh"), mcp: { files: { command: "serve" } } };

describe("palimpsest config", () => {
  it("says that nothing is set, how to set something, and what there is, within 80 columns", async () => {
    const { run, paths } = await place();
    const { code, stdout, stderr } = await run([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("\nNothing is set: every setting has its default.");
    expect(stdout).toContain('such as {"cacheTtl": "1h"}, or try it with --set NAME=VALUE.\n');
    expect(stdout).toMatch(/^Compaction +economy=faithful, compactEnabled=true,$/m);
    expect(stdout).toMatch(/^Storage +durability=process$/m);
    expect(stdout).toContain("\nconfig --all shows every setting");
    expect(stdout).not.toContain(" default\n");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(paths.user).toContain("settings.json");
  });

  it("shows first what is set, with its place, and takes --set", async () => {
    const { run, read } = await place({ user: '{\n  "blockingLimit": 7\n}' });
    const environment = { PALIMPSEST_DREAM_MAX_TURNS: "3" };
    const { stdout } = await run(["--set", "cacheTtl=1h", "--set", "compactEnabled=no"], { environment });
    const [, set = ""] = /\n(SET [\s\S]*?)\n\n/.exec(stdout) ?? [];
    expect(set.split("\n").map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "SET VALUE FROM",
      "compactEnabled false --set",
      "autoCompactEnabled false --set",
      "blockingLimit 7 user file, line 2",
      "notesCompactionEnabled false --set",
      "dream.maxTurns 3 PALIMPSEST_DREAM_MAX_TURNS",
      "cacheTtl 1h --set",
    ]);
    const document = await read(["--set", "cacheTtl=1h"]);
    expect(rowOf(document, "cacheTtl")).toMatchObject({ value: "1h", source: { kind: "option" } });
    expect(document.files[0].lines).toEqual({ blockingLimit: 2 });
    for (const [assigned, message] of [
      ["blockingLimit=many", '--set: blockingLimit: expected a whole number ≥ 1, got "many"; write a number'],
      [
        "blokingLimit=1",
        "--set: blokingLimit: is not a setting and has no effect; did you mean blockingLimit?",
      ],
      ["blockingLimit", "--set blockingLimit: expected NAME=VALUE"],
    ] as const)
      expect(await run(["--set", assigned])).toEqual({ code: 2, stdout: "", stderr: `error: ${message}\n` });
  });

  it("shows the mode that a flag of 0.1.0 asks for, and says so", async () => {
    const { run, read } = await place({ user: '{\n  "flags": { "read-references": true }\n}' });
    const { stdout } = await run([]);
    expect(stdout).toMatch(/\neconomy +thrifty +user file\n/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      '/settings.json:2:14: flags.read-references is read as economy "thrifty" now; set that instead',
    );
    const document = await read(["--set", "economy=faithful", "--set", "flags.compact-early=true"]);
    expect(rowOf(document, "economy")).toMatchObject({ value: "faithful", source: { kind: "option" } });
    expect(document.warnings).toContainEqual(
      '--set: flags.compact-early has no effect: it is part of economy "thrifty" now; remove it',
    );
  });

  it("explains one setting", async () => {
    const { run, read } = await place({ user: { compaction: { budgetPercent: 50 } } });
    const { stdout } = await run(["compaction.budgetPercent"]);
    expect(stdout).toBe(
      [
        "compaction.budgetPercent",
        "  size after a compaction (summary, appendix, restored files and kept messages)",
        "  in percent of the threshold minus system and tools",
        "",
        "  value         50",
        "  set by        user file, line 1",
        "  default       60",
        "  allowed       a whole number ≥ 0 and ≤ 100",
        "  variable      PALIMPSEST_COMPACTION_BUDGET_PERCENT",
        "  try it        --set compaction.budgetPercent=60",
        "",
      ].join("\n"),
    );
    expect(await read(["show", "compactEnabled"])).toMatchObject({
      setting: "compactEnabled",
      default: true,
      disabledBy: "DISABLE_COMPACT",
      flag: "compact",
    });
    expect(await run(["compaction.bugetPercent"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "unknown setting 'compaction.bugetPercent' (did you mean compaction.budgetPercent?)",
      ),
    });
  });

  it("shows every setting with its default, in groups, with --all, within 80 columns", async () => {
    const { run, read, home, project, paths } = await place();
    const [alone, shown] = [await run(["--all"]), await run(["show", "--all"])];
    expect(alone).toEqual(shown);
    expect(alone).toMatchObject({ code: 0, stderr: "" });
    const lines = alone.stdout.split("\n");
    for (const name of settingNames()) {
      expect(lines.filter((line) => line.startsWith(`${name} `) && line.endsWith(" default"))).toHaveLength(
        1,
      );
    }
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const document = await read();
    expect(document).toMatchObject({ home, project, warnings: [] });
    expect(document.files).toEqual(
      (["user", "project", "local"] as const).map((level) => ({
        level,
        path: paths[level],
        state: "absent",
        restricted: [],
        problem: null,
        lines: {},
      })),
    );
    expect(document.settings.map(({ setting }: Row) => setting)).toEqual(settingNames());
    expect(rowOf(document, "durability")).toEqual({
      setting: "durability",
      value: "process",
      isHidden: false,
      source: { kind: "default" },
    });
  });

  it("says who set what: kill switch, environment, flag, local, project, user", async () => {
    const { read, paths } = await trustedPlace({
      user: { blockingLimit: 1, autoCompactPercent: 10, autoCompactWindow: 5, sessionNotesEnabled: true },
      project: { blockingLimit: 2, autoCompactPercent: 20, flags: { fold: true } },
      local: { autoCompactPercent: 30, sessionNotesEnabled: false, microcompactEnabled: true },
    });
    const document = await read([], {
      PALIMPSEST_FLAG_KILL_SWITCHES: "clear",
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: "50000",
      PALIMPSEST_CONTEXT_WINDOW: "60000",
      DISABLE_AUTO_COMPACT: "1",
      PALIMPSEST_FLAG_COMPACT: "on",
    });
    const file = (...levels: readonly Level[]) => levels.map((level) => ({ level, path: paths[level] }));
    const variable = (name: string) => ({ kind: "environment", variable: name });
    const expected: readonly (readonly [string, unknown, unknown])[] = [
      [
        "microcompactEnabled",
        false,
        { kind: "kill-switch", flag: "clear", variable: "PALIMPSEST_FLAG_KILL_SWITCHES" },
      ],
      ["autoCompactEnabled", false, variable("DISABLE_AUTO_COMPACT")],
      ["autoCompactWindow", 50_000, variable("CLAUDE_CODE_AUTO_COMPACT_WINDOW")],
      ["window.defaultWindowTokens", 60_000, variable("PALIMPSEST_CONTEXT_WINDOW")],
      ["compactEnabled", true, variable("PALIMPSEST_FLAG_COMPACT")],
      ["foldingEnabled", true, { kind: "flag", flag: "fold", files: file("project") }],
      ["sessionNotesEnabled", false, { kind: "file", files: file("local") }],
      ["notesCompactionEnabled", false, { kind: "file", files: file("local") }],
      ["autoCompactPercent", 30, { kind: "file", files: file("local") }],
      ["blockingLimit", 2, { kind: "file", files: file("project") }],
    ];
    for (const [setting, value, source] of expected) {
      expect(rowOf(document, setting)).toEqual({ setting, value, isHidden: false, source });
    }
  });

  it("names both files where each sets a part, and gives what is merged", async () => {
    const { read, paths, run } = await trustedPlace({
      user: { catalog: { prices: { "my-*": { input: 1 } } } },
      local: { catalog: { prices: { "my-*": { output: 2 } } } },
    });
    expect(rowOf(await read(), "catalog.prices")).toMatchObject({
      value: { "my-*": { input: 1, output: 2 } },
      source: { kind: "file", files: [{ path: paths.user }, { path: paths.local }] },
    });
    expect((await run([])).stdout).toMatch(/^catalog\.prices +\{"my-\*".*… +user and local files$/m);
  });

  it("never shows what may hold a key", async () => {
    const { run } = await place({ user: { environment: { KEY: "hunter2" } } });
    for (const args of [[], ["--json"]]) expect((await run(args)).stdout).not.toContain("hunter2");
    expect((await run([])).stdout).toMatch(/^environment +\(not shown\) +user file, line 1$/m);
  });

  it("shows warnings of files and variables, wrapped, with the way to trust", async () => {
    const { run } = await place({ project: { ...restricted, compctEnabled: true } });
    const environment = { PALIMPSEST_BLOCKING_LIMIT: "many", PALIMPSEST_FLAG_KILL_SWITCHES: "nothing" };
    const { code, stdout } = await run([], { environment });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^project +untrusted +\/.*settings\.json$/m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toContain("compctEnabled: is not a setting and has no effect; did you mean compactEnabled?");
    expect(text).toContain("hooks, mcp: ignored until you trust this version");
    expect(text).toContain("run “palimpsest config trust”");
    expect(text).toContain('PALIMPSEST_BLOCKING_LIMIT is ignored: "many" is not');
    expect(text).toContain('there is no flag "nothing" to kill');
  });

  it("shows the rest beside a file in error, says what is wrong, and ends with 1", async () => {
    const { run, paths } = await place({ user: { blockingLimit: 7 }, local: '{"durability": "sync"}' });
    const { code, stdout, stderr } = await run([]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^local +error +/m);
    expect(stdout).toMatch(/^blockingLimit +7 +user file, line 1$/m);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      'durability: expected one of "process", "fsync", "relaxed"',
    );
    expect(stderr).toBe(
      `error: 1 settings file cannot be used: no session opens here, and the values shown are without it.\n  fix: Mend ${paths.local}.\n`,
    );
    const document = JSON.parse((await run(["--json"])).stdout);
    expect(document.files[2]).toMatchObject({
      state: "error",
      problem: expect.stringContaining("durability"),
    });
    expect(await run(["flags"])).toMatchObject({ code: 1, stdout: "" });
  });

  it("looks at another project with --cwd, and says when there is none", async () => {
    const { run, read, root, project, paths } = await trustedPlace({ project: { blockingLimit: 3 } });
    const { stdout } = await run(["--cwd", "shop"], { cwd: root });
    expect(stdout).toMatch(/^blockingLimit +3 +project file, line 1$/m);
    expect(await read(["show", "--cwd", project])).toMatchObject({ project });
    expect(await run(["--cwd", "nowhere"])).toMatchObject({
      code: 1,
      stderr: `error: There is no folder ${project}/nowhere.\n  fix: Name the folder of a project after --cwd.\n`,
    });
    expect((await run(["flags", "--cwd", paths.project])).stderr).toContain("is not a folder");
  });

  it("shows dream.enabled as it is where its flag or a kill switch decides, as other switches", async () => {
    const { read, paths } = await trustedPlace({ project: { flags: { dream: false } } });
    const files = [{ level: "project", path: paths.project }];
    expect(rowOf(await read(), "dream.enabled")).toMatchObject({
      value: false,
      source: { kind: "flag", flag: "dream", files },
    });
    const killed = await read([], { PALIMPSEST_FLAG_KILL_SWITCHES: "dream" });
    expect(rowOf(killed, "dream.enabled")).toMatchObject({ value: false, source: { kind: "kill-switch" } });
    const { read: readOther } = await place();
    const byVariable = await readOther([], { PALIMPSEST_FLAG_DREAM: "off" });
    expect(rowOf(byVariable, "dream.enabled")).toMatchObject({
      value: false,
      source: { kind: "environment", variable: "PALIMPSEST_FLAG_DREAM" },
    });
    const byOption = await readOther(["--set", "flags.dream=off"]);
    expect(rowOf(byOption, "dream.enabled")).toMatchObject({ value: false, source: { kind: "option" } });
  });

  it("names the flags that are set, with their values", async () => {
    const { run } = await place({ user: { flags: { fold: true } } });
    const { stdout } = await run(["--set", "flags.snip=on"], {
      environment: { PALIMPSEST_FLAG_CLEAR: "off" },
    });
    expect(stdout).toMatch(/^flags\.fold +on +user file, line 1$/m);
    expect(stdout).toMatch(/^flags\.snip +on +--set$/m);
    expect(stdout).toMatch(/^flags\.clear +off +PALIMPSEST_FLAG_CLEAR$/m);
  });

  it("opens a group, with what each setting of it changes", async () => {
    const { run, read } = await place();
    for (const named of ["dream", "dream.*"]) {
      const { code, stdout } = await run([named]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^dream\.enabled {2}true {2}\(default\)\n {2}memories are tidied up/);
      expect(stdout).toContain("\ndream.maxTurns  60  (default)\n");
      expect(stdout).not.toContain("compaction.");
    }
    expect((await read(["agents"])).settings[0]).toMatchObject({
      setting: "agents.maxDepth",
      isProtecting: true,
    });
    expect((await read(["--all"])).settings[0]).toMatchObject({ description: expect.any(String) });
  });

  it("explains the setting of a variable, and finds one by the end of its name", async () => {
    const { run } = await place();
    expect((await run(["PALIMPSEST_CACHE_TTL"])).stdout).toMatch(/^cacheTtl\n/);
    for (const [args, message] of [
      [["keptTailPercent"], "(did you mean compaction.keptTailPercent?)"],
      [["compact-ahead"], "'compact-ahead' is a flag; use: palimpsest config flags"],
      [["cacheTtl", "durability"], "one setting, or one group of them, at a time, and got 2"],
    ] as const) {
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });

  it("shows an example of an object or a list", async () => {
    const { run } = await place();
    expect((await run(["hooks"])).stdout).toContain('{ "PreToolUse": [ { "matcher": "Edit|Write",');
    for (const name of ["mcp", "environment", "permissions.deny", "catalog.prices", "additionalFolders"])
      expect((await run([name])).stdout).toMatch(/^ {2}example {7}[[{] ["{]/m);
  });

  it("says of a setting and a flag that an untrusted file sets them, and why a file is broken", async () => {
    const { run } = await place({ project: { cacheTtl: "1h", flags: { fold: true } } });
    const ignored = "set in .palimpsest/settings.json:1, ignored until trusted (palimpsest config trust)";
    expect((await run(["cacheTtl"])).stdout.replace(/\s+/g, " ")).toContain(`ignored ${ignored}`);
    expect((await run(["flags"])).stdout.replace(/\s+/g, " ")).toContain(ignored);
    const broken = await place({ user: { durability: "sync" } });
    const { code, stdout } = await broken.run(["cacheTtl"]);
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, " ")).toContain("settings.json:1:15: durability: expected one of");
  });

  it("names --set beside the file that sets a part of a list too", async () => {
    const { run } = await place({ user: { permissions: { deny: ["WebFetch"] } } });
    const { stdout } = await run(["permissions.deny", "--set", 'permissions.deny=["Bash"]']);
    expect(stdout).toMatch(/^ {2}set by +user file, line 1 and --set$/m);
  });

  it("shows every space of a value", async () => {
    const { run } = await place({ user: { compaction: { prompt: "two  spaces" } } });
    expect((await run(["compaction.prompt"])).stdout).toMatch(/^ {2}value +two {2}spaces$/m);
  });

  it("ends with 1 where a limit's variable cannot be read, and says how to mend it", async () => {
    const { run } = await place();
    const environment = { PALIMPSEST_BUDGET_DOLLARS_PER_DAY: "$5" };
    const { code, stdout, stderr } = await run([], { environment });
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, " ")).toContain('expected a number ≥ 0, got "$5"; write 5, or unset it');
    expect(stderr).toContain("Correct PALIMPSEST_BUDGET_DOLLARS_PER_DAY.");
    const doctor = await runCli(["doctor"], { ...(await place()), environment });
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/^✗ settings /m) });
  });

  it("refuses a project whose .palimpsest is a link to a trusted one", async () => {
    const { run, root } = await trustedPlace({ project: { cacheTtl: "1h" } });
    await mkdir(join(root, "foreign"));
    await symlink("../shop/.palimpsest", join(root, "foreign/.palimpsest"));
    const { code, stdout } = await run(["--cwd", join(root, "foreign")]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^project +error +/m);
    expect(stdout).not.toMatch(/^cacheTtl /m);
    expect((await run(["trust", "--yes", "--cwd", join(root, "foreign")])).code).toBe(1);
  });

  it("colours what is set, and answers wrong usage with 2", async () => {
    const { run } = await place({ user: { blockingLimit: 3 } });
    const { stdout } = await run([], { environment: { FORCE_COLOR: "1" } });
    expect(stdout).toContain("\u001b[36muser file, line 1\u001b[39m");
    const all = await run(["--all"], { environment: { FORCE_COLOR: "1" } });
    expect(all.stdout).toContain("\u001b[2mdefault\u001b[22m");
    for (const [args, message] of [
      [
        ["flgs"],
        /unknown command 'flgs' \(did you mean flags\?\); use: palimpsest config show\|flags\|set-flag\|trust/,
      ],
      [["--jsn"], /unknown option '--jsn' \(did you mean --json\?\)/],
      [["flags", "extra"], /too many arguments/],
      [["trust", "--revoke", "--dry-run"], /exclude each other; use:/],
    ] as const) {
      const { code, stdout: nothing, stderr } = await run(args);
      expect({ code, nothing }, stderr).toEqual({ code: 2, nothing: "" });
      expect(stderr).toMatch(message);
    }
  });

  it("has help with examples that fit into 80 columns", async () => {
    for (const args of [[], ["show"], ["flags"], ["trust"]]) {
      const { code, stdout } = await runCli(["help", "config", ...args]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Usage: palimpsest config[\s\S]*Examples:\n {2}palimpsest config/);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });
});

describe("palimpsest config flags", () => {
  it("shows every flag with value, source and what it does, within 80 columns", async () => {
    const { run } = await place();
    const { code, stdout, stderr } = await run(["flags"], {
      environment: { PALIMPSEST_FLAG_TOOL_RESULT_LIMITS: '{"Bash": 30000}' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const text = stdout.replace(/\s+/g, " ");
    for (const [name, { description }] of Object.entries(flagTable)) {
      expect(stdout).toMatch(new RegExp(`^${name} `, "m"));
      expect(text).toContain(description);
    }
    expect(stdout).toMatch(/^tool-result-limits +\{"Bash":30000\} +PALIMPSEST_FLAG_TOOL_RESULT_LIMITS$/m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("gives programs value, default, source and warnings", async () => {
    const { read, paths } = await trustedPlace({
      project: { flags: { fold: true, dream: false, snip: false } },
    });
    const { flags, warnings } = await read(["flags"], {
      PALIMPSEST_FLAG_DREAM: "on",
      PALIMPSEST_FLAG_SNIP: "perhaps",
      PALIMPSEST_FLAG_KILL_SWITCHES: "compact",
    });
    expect(flags.map(({ flag }: { flag: string }) => flag)).toEqual(Object.keys(flagTable));
    const about = (name: string) => flags.find(({ flag }: { flag: string }) => flag === name);
    const files = [{ level: "project", path: paths.project }];
    expect(about("fold")).toEqual({
      flag: "fold",
      value: true,
      default: false,
      source: { kind: "file", files },
      description: flagTable.fold.description,
    });
    expect(about("dream")).toMatchObject({ value: true, source: { variable: "PALIMPSEST_FLAG_DREAM" } });
    expect(about("snip")).toMatchObject({ value: false, source: { kind: "file" } });
    expect(about("compact")).toMatchObject({ value: false, source: { kind: "kill-switch" } });
    expect(warnings).toEqual([expect.stringContaining("PALIMPSEST_FLAG_SNIP is ignored")]);
  });
});

describe("palimpsest config trust", () => {
  it("does what the engine's warning promises: what is trusted counts, until it changes", async () => {
    const { run, read, write } = await place({ project: restricted });
    expect(rowOf(await read(), "hooks")).toMatchObject({ isHidden: false, source: { kind: "default" } });
    const { code, stdout } = await run(["trust", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}hooks: commands that run[\s\S]*\.\/notify\.sh[\s\S]*mcp: [\s\S]*serve/);
    expect(stdout).toMatch(/\nTrusted, until it changes: \.palimpsest\/settings\.json \(hooks, mcp\)\.\n$/);
    const document = await read();
    expect(rowOf(document, "hooks")).toMatchObject({ isHidden: true, source: { kind: "file" } });
    expect(document).toMatchObject({
      warnings: [],
      files: [{}, { state: "read", restricted: ["hooks", "mcp"] }, {}],
    });
    expect((await run([])).stdout).toMatch(/^project +trusted +/m);
    await write("project", { ...restricted, environment: { A: "1" } });
    expect((await read()).files[1]).toMatchObject({ state: "untrusted" });
  });

  it("wants --yes where nobody can be asked, and only shows with --dry-run", async () => {
    const { run, trusted } = await place({ local: restricted });
    expect(await run(["trust"], { input: "y\n" })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: there is no terminal to ask on, so --yes is needed; use: palimpsest config trust --yes (or --dry-run)\n",
    });
    const { code, stdout } = await run(["trust", "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /notify\.sh[\s\S]*\nNot trusted: \.palimpsest\/settings\.local\.json \(hooks, mcp\)\.\n$/,
    );
    expect(await trusted()).toEqual([]);
  });

  it("says plainly when there is nothing to trust, or when it is trusted already", async () => {
    const { run, write } = await place({ user: restricted, project: { permissions: { deny: ["Bash"] } } });
    const nothing = await run(["trust"]);
    expect(nothing).toMatchObject({ code: 0, stderr: "" });
    expect(nothing.stdout).toMatch(/^Nothing to trust: no settings file of this project sets anything but/);
    await write("local", { hooks: stop("1") });
    await run(["trust", "--yes"]);
    expect(await run(["trust"])).toEqual({
      code: 0,
      stdout: "Trusted already: .palimpsest/settings.local.json (hooks).\n",
      stderr: "",
    });
  });

  it("shows rules that were written while untrusted text was in view, and confirms this version of them", async () => {
    const { run, read, home, project } = await place();
    const path = join(project, "AGENTS.md");
    const disk = createNodeDisk();
    const unconfirmed = createUnconfirmedRules({ disk, home, ...createRuntime() });
    const version = (text: string) => ({
      path,
      sha256: createHash("sha256").update(text).digest("hex"),
    });
    await mkdir(join(project, ".git"));
    await writeFile(path, "Use tabs.\n\u001b[2J\n");
    expect((await run(["trust"])).stdout).toMatch(/^Nothing to trust/);
    await unconfirmed.add(version("Use tabs.\n\u001b[2J\n"));
    await unconfirmed.add(version("Use spaces.\n"));
    expect(await run(["trust", "--yes"])).toEqual({
      code: 0,
      stdout: [
        path,
        "  rules: written while the agent had untrusted text before it",
        "    Use tabs.",
        "    ␛[2J",
        "",
        `Confirmed, from the next session on: ${path}.`,
        "",
      ].join("\n"),
      stderr: "",
    });
    expect((await read(["trust"])).unconfirmedRules).toEqual([]);
    await writeFile(path, "Use spaces.\n");
    expect((await read(["trust", "--dry-run"])).unconfirmedRules).toEqual([path]);
  });

  it("asks nothing about a folder whose files are the user's own", async () => {
    const { root, home } = await place();
    await mkdir(join(root, "me/.palimpsest"), { recursive: true });
    await writeFile(join(root, "me/.palimpsest/settings.local.json"), JSON.stringify(restricted));
    await rm(home, { recursive: true });
    await symlink(join(root, "me/.palimpsest"), home);
    expect(await runCli(["config", "trust"], { home, cwd: join(root, "me") })).toEqual({
      code: 0,
      stdout: "Nothing to trust: the settings files of this folder are your own.\n",
      stderr: "",
    });
  });

  it("tells programs what was trusted, what waits and what is trusted already", async () => {
    const { read, paths } = await place({ project: { hooks: stop("1") } });
    const record = {
      path: paths.project,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      parts: ["hooks"],
      settings: { hooks: stop("1") },
    };
    const agents = { trustedAgents: [], waitingAgents: [] };
    const rules = { confirmedRules: [], unconfirmedRules: [] };
    const none = { trusted: [], waiting: [], already: [], ...agents, ...rules };
    expect(await read(["trust", "--dry-run"])).toEqual({ ...none, waiting: [record] });
    expect(await read(["trust", "--yes"])).toEqual({ ...none, trusted: [record] });
    expect(await read(["trust"])).toEqual({ ...none, already: [record] });
    expect(await read(["trust", "--revoke"])).toEqual({
      paths: [paths.project, paths.local, join(dirname(paths.project), "agents")],
      revoked: 1,
    });
  });

  it("shows agents that name a model, trusts them as they are, and takes it back when they are gone", async () => {
    const { run, read, project, trusted } = await place();
    const path = join(project, ".palimpsest/agents/a.md");
    await mkdir(dirname(path));
    await writeFile(path, "---\ndescription: A.\nmodel: gpt-5.6\n---\nLook.\u001b[2J\n");
    expect((await read(["trust", "--dry-run"])).waitingAgents).toEqual([path]);
    expect(await run(["trust", "--yes"])).toEqual({
      code: 0,
      stdout: [
        path,
        "  model: the model that the agent asks, and so who is sent its work and paid for it",
        "    ---",
        "    description: A.",
        "    model: gpt-5.6",
        "    ---",
        "    Look.␛[2J",
        "",
        `Trusted, until it changes: ${path} (model).`,
        "",
      ].join("\n"),
      stderr: "",
    });
    expect((await run(["trust"])).stdout).toBe(`Trusted already: ${path} (model).\n`);
    await rm(path);
    expect((await run(["trust", "--revoke"])).stdout).toMatch(/^Trust revoked: /);
    expect(await trusted()).toEqual([]);
  });

  it("revokes every version, also of files that are gone or in error", async () => {
    const { run, write, paths, trusted, read } = await place({ project: { hooks: stop("1") } });
    await run(["trust", "--yes"]);
    await write("project", { hooks: stop("2") });
    await run(["trust", "--yes"]);
    expect(await trusted()).toHaveLength(2);
    await write("local", "nonsense");
    await rm(paths.project);
    const { code, stdout } = await run(["trust", "--revoke"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Trust revoked: /) });
    expect(await trusted()).toEqual([]);
    await rm(paths.local);
    await write("project", { hooks: stop("1") });
    expect((await read()).files[1]).toMatchObject({ state: "untrusted" });
    expect((await run(["trust", "--revoke"])).stdout).toMatch(/^Nothing to revoke: /);
  });

  it("trusts nothing beside a project's file that is in error", async () => {
    const { run, trusted } = await place({ project: { hooks: stop("1") }, local: "{" });
    const { code, stderr } = await run(["trust", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: \.palimpsest\/settings\.local\.json:1:2: .*\n {2}fix: Edit /);
    expect(await trusted()).toEqual([]);
  });
});
