import { mkdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import type { ToolContext } from "../../../../core/src/spec/index.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import {
  createDreamShell,
  createDreamShellTool,
  type DreamShellOptions,
  loadJustBash,
} from "./dream-shell.ts";

/** A memory folder and transcripts, and beside them what nobody may see. */
async function createWorld(options: Partial<DreamShellOptions> = {}) {
  const root = await temporaryFolder();
  const [memory, transcripts, outside] = ["memory", "sessions", "outside"].map((name) =>
    join(root, name),
  ) as [string, string, string];
  for (const folder of [memory, transcripts, outside]) await mkdir(folder);
  await mkdir(join(memory, "logs"));
  await writeFile(join(memory, "a.md"), "alpha\nbeta\n");
  await writeFile(join(memory, "logs", "day.md"), "beta again\n");
  await writeFile(join(transcripts, "one.jsonl"), '{"text":"gamma"}\n'.repeat(3));
  await writeFile(join(outside, "secret"), "the secret\n");
  await symlink(join(outside, "secret"), join(memory, "link.md"));
  await symlink(outside, join(memory, "linked"));
  const mounts = { memory, transcripts };
  const shell = createDreamShell({ mounts, ...options });
  return { root, memory, outside, mounts, shell };
}

describe("dream shell", () => {
  it.each([
    ["ls", "a.md\nlink.md\nlinked\nlogs\n"],
    ["cat a.md", "alpha\nbeta\n"],
    ["cat /memory/logs/day.md", "beta again\n"],
    ["grep -rn beta /memory/a.md logs", "/memory/a.md:2:beta\nlogs/day.md:1:beta again\n"],
    ["grep -c gamma /transcripts/*.jsonl", "3\n"],
    ["find . -name '*.md' -type f | wc -l", "2\n"],
    ["head -n 1 a.md && tail -n 1 a.md", "alpha\nbeta\n"],
    ["cat {a,b}.md 2>/dev/null; wc -l a.md", "alpha\nbeta\n2 a.md\n"],
    ["cat missing 2>&1 | grep -c missing", "1\n"],
    ["stat -c %s a.md", "11\n"],
  ])("reads: %s", async (command, stdout) => {
    const { shell } = await createWorld();
    expect(must(await shell.run(command)).stdout).toBe(stdout);
  });

  it.each([
    "echo x > a.md",
    "cat a.md > b.md",
    "cat a.md >> a.md",
    "cat a.md >| a.md",
    "cat a.md &> b.md",
    "cat a.md 2> b.md",
    "cat <> a.md",
    "cat < a.md",
    "cat <<< x",
    "cat <<E\nx\nE",
    "cat a.md {fd}> b.md",
    "cat a.md | tee b.md",
    "cat a.md | sh",
    "cat a.md | xargs cat",
    "rm a.md",
    "/bin/cat a.md",
    "curl https://example.org",
    "find . -exec cat {} +",
    "find . -execdir cat {} \\;",
    "find . -ok cat {} \\;",
    "find . -delete",
    "find . '-delete'",
    'find . "-de"lete',
    "find . -de\\lete",
    "find . {-delete,-print}",
    "find . -fprint b.md",
    "find . -fprintf b.md x",
    "env",
    "export A=1",
    "A=1",
    "A=1 cat a.md",
    "cat $HOME",
    `cat $\{PATH}`,
    "cat ~/a.md",
    "cat $(ls)",
    "cat `ls`",
    'cat "$(ls)"',
    "cat <(ls)",
    "cat a.md | cat >(cat)",
    "(ls)",
    "{ ls; }",
    "ls &",
    "while true; do ls; done",
    "for f in *; do cat $f; done",
    "if ls; then ls; fi",
    "f() { ls; }; f",
    "eval ls",
    "source a.md",
    ". a.md",
    "exec ls",
    "cd / && ls",
    "[[ -f a.md ]]",
    "((1))",
    "cat $((1+1))",
    "bash -c ls",
    "$'\\x72m' a.md",
    "l{s,s}",
    "l?",
    "ls |",
    "'",
    "ls\u0000rm",
    "x".repeat(20_000),
  ])("refuses before it runs: %s", async (command) => {
    const { shell, memory } = await createWorld();
    expect(refused(await shell.run(command))).toBe("denied");
    expect(await readFile(join(memory, "a.md"), "utf8")).toBe("alpha\nbeta\n");
    await expect(stat(join(memory, "b.md"))).rejects.toThrow("ENOENT");
  });

  it.each([
    "cat link.md",
    "cat linked/secret",
    "cat /memory/linked/secret",
    "grep -r secret .",
    "grep -rR secret / 2>/dev/null",
    "cat ../outside/secret",
    "cat ../../../../../../etc/passwd",
    "cat /memory/../outside/secret",
    "cat OUTSIDE/secret",
    "head /etc/passwd",
    "find -L . -name secret",
    "find / -name passwd",
    "find / -name secret",
    "ls -R /",
    "stat /etc/passwd",
    "tail /proc/self/environ",
    "cat /proc/self/environ /dev/sda",
  ])("sees nothing outside its folders: %s", async (command) => {
    const { shell, outside } = await createWorld();
    const answer = must(await shell.run(command.replace("OUTSIDE", outside)));
    expect(answer.stdout).not.toMatch(/the secret|root:|PATH=|outside/);
    expect(answer.stdout.split("\n")).not.toContain("./linked/secret");
  });

  it("gives what a program says when it fails", async () => {
    const { shell } = await createWorld();
    expect(must(await shell.run("cat missing"))).toMatchObject({ exitCode: 1, stdout: "" });
    expect(must(await shell.run("grep delta a.md"))).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "",
      cutChars: 0,
    });
  });

  it("cuts long output and says by how much", async () => {
    const { shell } = await createWorld({ maxOutputChars: 8 });
    expect(must(await shell.run("cat a.md"))).toEqual({
      exitCode: 0,
      stdout: "alpha\nbe",
      stderr: "",
      cutChars: 3,
    });
  });

  it("takes files over 10 MB for missing", async () => {
    const { shell, memory } = await createWorld();
    await writeFile(join(memory, "large.md"), "");
    await truncate(join(memory, "large.md"), 11 * 1024 * 1024);
    const answer = must(await shell.run("cat large.md"));
    expect([answer.exitCode > 0, answer.stdout]).toEqual([true, ""]);
  });

  it("stops by its signal", async () => {
    const { shell } = await createWorld();
    expect(refused(await shell.run("ls", AbortSignal.abort()))).toBe("aborted");
    const stopping = new AbortController();
    const running = shell.run("grep -r beta . ; ".repeat(200), stopping.signal);
    stopping.abort();
    expect(refused(await running)).toBe("aborted");
  });

  it("keeps nothing from one command to the next", async () => {
    const { shell } = await createWorld();
    const first = must(await shell.run("ls /"));
    must(await shell.run("cat a.md"));
    expect(must(await shell.run("ls /"))).toEqual(first);
  });

  it("says how to get just-bash where it is not installed, and what else is wrong with it", async () => {
    const absent = async () => {
      throw Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });
    };
    const { shell } = await createWorld({ load: absent });
    expect(await shell.run("ls")).toMatchObject({
      error: {
        code: "not-found",
        message: "The shell of a model that dreams is the package just-bash, which is not installed.",
        fix: "Run “npm install just-bash”, or let the scribe dream.",
      },
    });
    const broken = await loadJustBash(() => Promise.reject(new Error("broken")));
    expect(broken).toMatchObject({
      error: { message: expect.stringContaining("cannot be loaded: Error: broken") },
    });
  });

  it("says which folder cannot be opened", async () => {
    const { root } = await createWorld();
    expect(refused(await createDreamShell({ mounts: { memory: `${root}/nowhere` } }).run("ls"))).toBe(
      "not-found",
    );
    expect(refused(await createDreamShell({ mounts: { "../x": root } }).run("ls"))).toBe("invalid-input");
  });
});

describe("dream shell as a tool", () => {
  const context = { signal: new AbortController().signal } as ToolContext;

  it.each([
    ["cat a.md", { content: "alpha\nbeta\n" }],
    ["grep delta a.md", { content: "(exit code 1)" }],
    ["wc -l /memory/none/ 2>/dev/null; find . -name none", { content: "(no output)" }],
    [
      "rm a.md",
      { isError: true, content: expect.stringContaining("rm is not one of its programs. Use ls, find") },
    ],
  ])("answers %s", async (command, outcome) => {
    const { mounts } = await createWorld();
    const tool = createDreamShellTool({ mounts });
    expect(await tool.run?.({ command }, context)).toEqual(outcome);
    expect([tool.isReadOnly, tool.description?.includes("/memory, /transcripts")]).toEqual([true, true]);
  });
});
