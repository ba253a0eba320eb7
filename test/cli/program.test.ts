import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../packages/palimpsest/src/surfaces/cli/command-table.ts";
import { cliEnvironment, cliHome, mainPath, runCli, runCliProcess, userSays } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const commands = ["list", "show", "export", "repair", "redact", "delete", "prune"];

describe("palimpsest", () => {
  it("says its version and its help on stdout, and what it can do when called alone", async () => {
    const { version } = JSON.parse(
      await readFile(new URL("../../packages/palimpsest/package.json", import.meta.url), "utf8"),
    );
    const [versioned, helped, alone] = await Promise.all(
      [["--version"], ["--help"], []].map((args) => runCliProcess(args)),
    );
    expect(versioned).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(helped).toMatchObject({ code: 0, stderr: "" });
    expect(helped?.stdout).toMatch(/Usage: palimpsest[\s\S]*sessions[\s\S]*Examples:/);
    expect(alone).toEqual(helped);
  });

  it("shows what a command takes in its usage, and <command> only where there are commands below it", async () => {
    const helps = await Promise.all(commandTable.map(({ name }) => runCli(["help", name])));
    const wrong = helps
      .filter(({ stdout }) => /^Usage: .*<command>/.test(stdout) !== /^Commands:$/m.test(stdout))
      .map(({ stdout }) => stdout.split("\n")[0]);
    expect(wrong).toEqual(["Usage: palimpsest config [show|flags|set-flag|trust] [options]"]);
    expect((await runCli(["help", "context"])).stdout).toMatch(
      /^Usage: palimpsest context <file\|id> \[options\]\n/,
    );
  });

  it("loads next to nothing for help and version, and no store for the help of a command", async () => {
    const folder = await temporaryFolder();
    const trace = join(folder, "trace.mjs");
    const hook = `export async function load(url, context, next) { if (url.includes("/dist/")) (await import("node:fs")).appendFileSync(${JSON.stringify(join(folder, "loaded"))}, url + "\\n"); return next(url, context); }`;
    await writeFile(
      trace,
      `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`,
    );
    const loaded = async (args: readonly string[]) => {
      await rm(join(folder, "loaded"), { force: true });
      await runCliProcess(args, { nodeOptions: ["--import", trace] });
      return (await readFile(join(folder, "loaded"), "utf8"))
        .trim()
        .split("\n")
        .map((url) => url.replace(/.*\/dist\//, ""));
    };
    const small = /^(?:cli|spec|internal-start|(?:terminal|spec|data-root|version)-[\w-]+)\.js$/;
    expect((await loaded(["--version"])).filter((path) => !small.test(path))).toEqual([]);
    expect((await loaded(["--help"])).filter((path) => !small.test(path))).toEqual([]);
    const help = await loaded(["sessions", "show", "--help"]);
    expect(help.filter((path) => !small.test(path))).toEqual([
      expect.stringMatching(/^sessions-[\w-]+\.js$/),
    ]);
  });

  it("has help with examples that fit into 80 columns for every command", async () => {
    const helps = await Promise.all(commands.map((name) => runCli(["help", "sessions", name])));
    for (const [index, { code, stdout, stderr }] of helps.entries()) {
      expect({ code, stderr }, commands[index]).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`Usage: palimpsest sessions ${commands[index]}`);
      expect(stdout).toMatch(/Examples:\n +(# .*\n +)?(\w.*\| )?palimpsest sessions/);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it("answers wrong usage with one line that has the right form, and 2", async () => {
    const wrong = [
      [
        ["sesions"],
        /unknown command 'sesions' \(did you mean sessions\?\); use: palimpsest chat\|config\|context\|demo\|doctor\|dream\|emulator\|gateway\|inspect\|mcp\|memory\|migrate-store\|replay\|run\|sessions\|worker/,
      ],
      [["sessions"], /a command is missing after “sessions”; use: palimpsest sessions list\|show/],
      [["help", "sesions"], /unknown command 'sesions'/],
      [["sessions", "lst"], /unknown command 'lst' \(did you mean list\?\)/],
      [
        ["sessions", "list", "--jsn"],
        /unknown option '--jsn' \(did you mean --json\?\); use: palimpsest sessions list/,
      ],
      [["sessions", "list", "extra"], /too many arguments/],
      [["sessions", "list", "--limit", "many"], /'many' is invalid\. It must be a whole number over 0; use:/],
      [["sessions", "list", "--limit"], /argument missing/],
      [
        ["sessions", "show"],
        /missing required argument 'file\|id'; use: palimpsest sessions show \[options\] <file\|id>/,
      ],
      [["sessions", "export", "x", "--format", "xml"], /Allowed choices are jsonl, messages/],
      [["sessions", "delete"], /missing required argument 'id'/],
      [["sessions", "prune"], /say what may go: --older-than or --max-size; use:/],
      [["sessions", "prune", "--older-than", "soon"], /such as 30d/],
      [["sessions", "prune", "--max-size", "big"], /such as 5GB/],
      [["sessions", "list", "--all", "--project", "x"], /exclude each other; use:/],
      [["--home", "", "sessions", "list"], /It must name a folder/],
      [
        ["sessions", "redact", "x", "--secret", "hunter2"],
        /unknown option '--secret' \(did you mean --store\?\); use: palimpsest sessions redact <id> \[--secret-file FILE\|-\]/,
      ],
    ] as const;
    const home = await temporaryFolder();
    const ends = await Promise.all(wrong.map(([args]) => runCli(args, { home })));
    expect(await runCliProcess(wrong[0][0], { home })).toEqual(ends[0]);
    for (const [index, { code, stdout, stderr }] of ends.entries()) {
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: [^\n]*\n$/);
      expect(stderr).toMatch(wrong[index]?.[1] ?? "");
    }
  });

  it("never says what a mistaken option would have carried", async () => {
    const { stderr } = await runCli(["sessions", "redact", "x", "--secret=hunter2-hunter2"]);
    expect(stderr).not.toContain("hunter2-hunter2");
  });

  it("takes the data root from --home, from PALIMPSEST_HOME, from XDG_DATA_HOME, in this order", async () => {
    const [one, two] = [await temporaryFolder(), await temporaryFolder()];
    const looked = async (args: readonly string[], environment: Record<string, string>) =>
      /looked in:\s+(\S+)\/projects/.exec(
        (await runCli(["sessions", "list", ...args], { cwd: one, environment })).stdout,
      )?.[1];
    expect(await looked(["--home", two], { PALIMPSEST_HOME: one })).toBe(two);
    expect(await looked(["--home", "below"], {})).toBe(`${one}/below`);
    expect(await looked([], { PALIMPSEST_HOME: two, XDG_DATA_HOME: one })).toBe(two);
    expect(await looked([], { XDG_DATA_HOME: two })).toBe(`${two}/palimpsest`);
    expect(await looked([], { HOME: two })).toBe(`${two}/.palimpsest`);
  });

  it("colours only where it is wanted", async () => {
    const { run, add } = await cliHome();
    await add("one", [userSays("hello")]);
    const coloured = async (args: readonly string[], environment: Record<string, string>) =>
      (await run(["sessions", "list", ...args], { environment })).stdout.includes("\u001b[");
    expect(await coloured([], {})).toBe(false);
    expect(await coloured([], { FORCE_COLOR: "1" })).toBe(true);
    expect(await coloured([], { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(await coloured(["--no-color"], { FORCE_COLOR: "1" })).toBe(false);
  });

  it("ends quietly with 0 when nobody reads on", async () => {
    const { home, add } = await cliHome();
    await add(
      "long",
      Array.from({ length: 300 }, (_, index) => userSays(`${index} ${"words ".repeat(400)}`)),
    );
    for (const args of [
      ["export", "long"],
      ["show", "long", "--entries"],
    ]) {
      const child = spawn(process.execPath, [mainPath, "sessions", ...args], {
        cwd: home,
        env: cliEnvironment({ home }),
      });
      let stderr = "";
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      child.stdout.once("data", () => child.stdout.destroy());
      const [code] = await once(child, "close");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }
  });

  it("ends with 130 when it is interrupted", async () => {
    const home = await temporaryFolder();
    const child = spawn(process.execPath, [mainPath, "sessions", "show", "-"], {
      cwd: home,
      env: cliEnvironment({ home }),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    // More than a pipe holds: once it is written, the program is reading.
    await new Promise((resolve) => child.stdin.write("x".repeat(1_000_000), resolve));
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(output).toBe("");
  });

  it("fails with words when the folder it is called in is gone", async () => {
    const home = await temporaryFolder();
    const gone = join(home, "gone");
    await mkdir(gone);
    const script = `cd ${gone} && rmdir ${gone} && ${process.execPath} ${mainPath} sessions list`;
    const child = spawn("/bin/sh", ["-c", script], { env: cliEnvironment({ home }) });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(stderr).toContain("error: ");
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
