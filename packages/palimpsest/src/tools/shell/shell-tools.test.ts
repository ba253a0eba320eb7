import { mkdir, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { untilGone } from "../../../../../test/support/processes.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { systemShell } from "../../../../core/src/runtime-shell.ts";
import type { Shell, Tool, ToolContext, ToolOutcome } from "../../../../core/src/spec/index.ts";
import { createNodeDisk } from "../../../../core/src/stores/files/disk/node-disk.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { maxTimeoutMs } from "./bash-tool.ts";
import type { CommandEnvironmentOptions } from "./command-environment.ts";
import { createShellTasks, createShellTools } from "./index.ts";
import { maxRunningTasks } from "./shell-tasks.ts";

interface SceneOptions {
  readonly shell?: Shell;
  readonly commandEnvironment?: CommandEnvironmentOptions;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

async function createScene(options: SceneOptions = {}) {
  const root = await realpath(await temporaryFolder());
  const cwd = join(root, "work");
  await mkdir(join(cwd, "sub"), { recursive: true });
  const scratchFolder = join(root, "it's scratch");
  const clock = createVirtualClock();
  const ids = createVirtualIds();
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  /** The machine's shell, listened to. */
  const shell: Shell = {
    start: (program, args, shellOptions) =>
      (options.shell ?? systemShell).start(program, args, {
        ...shellOptions,
        onOutput(bytes, stream) {
          shellOptions.onOutput?.(bytes, stream);
          heard.push(Buffer.from(bytes).toString());
          for (const wake of waiting) wake();
        },
      }),
  };
  const tasks = createShellTasks({ shell, ids });
  onTestFinished(() => tasks.close());
  const tools = createShellTools({
    shell,
    disk: createNodeDisk(),
    ids,
    environment: options.environment ?? process.env,
    commandEnvironment: options.commandEnvironment,
    tasks,
    scratchFolder,
  });
  const context = (changes: Partial<ToolContext> = {}) =>
    ({
      session: { id: "s1" },
      cwd,
      signal: new AbortController().signal,
      clock,
      ids,
      progress: () => {},
      ...changes,
    }) as unknown as ToolContext;
  const toolNamed = (name: string) => tools.find((tool) => tool.name === name) as Required<Tool>;
  return {
    cwd,
    scratchFolder,
    clock,
    tasks,
    context,
    toolNamed,
    bash: (command: string, more: object = {}, changes?: Partial<ToolContext>): Promise<ToolOutcome> =>
      toolNamed("Bash").run({ command, ...more }, context(changes)),
    said: (words: string) =>
      new Promise<void>((resolve) => {
        const look = () => heard.join("").includes(words) && resolve();
        waiting.add(look);
        look();
      }),
  };
}

const textOf = ({ content }: ToolOutcome) => String(content);

describe("the Bash tool", () => {
  it("gives output as it comes, of both streams", async () => {
    const { bash } = await createScene();
    expect(await bash("echo one; echo two >&2")).toEqual({
      content: expect.stringMatching(/^(one\ntwo|two\none)$/),
    });
    expect(await bash("true")).toEqual({ content: "[The command has no output.]" });
  });

  it("says the exit code and the signal of what failed", async () => {
    const { bash } = await createScene();
    expect(await bash("echo bad; exit 3")).toEqual({ content: "bad\n[Exit code 3]", isError: true });
    expect(await bash("false")).toEqual({ content: "[Exit code 1]", isError: true });
    expect(await bash("kill -9 $$")).toEqual({ content: "[Ended by SIGKILL]", isError: true });
    expect(textOf(await bash("echo 'open"))).toMatch(/unexpected EOF|unterminated/i);
  });

  it("runs a command that begins like an option", async () => {
    const { bash } = await createScene();
    expect(textOf(await bash("-x"))).toMatch(/-x: command not found[\s\S]*\[Exit code 127\]/);
  });

  it("keeps the working folder from one command to the next, for each session its own", async () => {
    const { bash, cwd, context } = await createScene();
    await bash("cd sub");
    expect(await bash("pwd")).toEqual({ content: join(cwd, "sub") });
    const other = { session: { id: "s2" } } as unknown as ToolContext;
    expect(await bash("pwd", {}, { ...context(), ...other })).toEqual({ content: cwd });
    await bash("cd ..; exit 4");
    expect(await bash("pwd")).toEqual({ content: cwd });
  });

  it("does so without a trace in output, exit code and files", async () => {
    const { bash, scratchFolder } = await createScene();
    expect(await bash("set -eu; set -C; exec >out; echo hi; cd sub; pwd() { echo no; }; exit 7")).toEqual({
      content: "[Exit code 7]",
      isError: true,
    });
    expect(await bash("cat ../out")).toEqual({ content: "hi" });
    expect(await readdir(scratchFolder)).toEqual([]);
  });

  it("goes back when a command ends outside the workspace, through a link too, and says so", async () => {
    const { bash, cwd } = await createScene();
    await symlink("/", join(cwd, "way-out"));
    for (const command of ["cd /", "cd way-out", "cd .."]) {
      expect(textOf(await bash(command))).toMatch(
        `[The working folder is ${cwd} again: ${command === "cd .." ? join(cwd, "..") : "/"} is outside the workspace.]`,
      );
      expect(await bash("pwd")).toEqual({ content: cwd });
    }
  });

  it("goes back when the working folder is gone", async () => {
    const { bash, cwd } = await createScene();
    await bash("cd sub");
    await rm(join(cwd, "sub"), { recursive: true });
    expect(await bash("pwd")).toEqual({
      content: `[The working folder is ${cwd} again: ${join(cwd, "sub")} is gone.]\n${cwd}`,
    });
    expect(await bash("pwd")).toEqual({ content: cwd });
  });

  it("ends a command whose time is over and keeps what it had put out", async () => {
    const { bash, said, clock } = await createScene();
    const running = bash("echo begun; sleep 1000", { timeout: 5_000 });
    await said("begun");
    await clock.advance(5_000);
    expect(await running).toEqual({
      content: `begun\n[The command was ended after 5000 ms. What it had put out until then is above. Give a longer timeout, up to ${maxTimeoutMs}, or run_in_background.]`,
      isError: true,
    });
    expect(clock.sleeping).toBe(0);
  });

  it("ends with the signal, and takes children along", async () => {
    const { bash, said, cwd } = await createScene();
    const abort = new AbortController();
    const running = bash("sh -c 'echo $$ >pid; echo begun; sleep 1000' & wait", {}, { signal: abort.signal });
    await said("begun");
    abort.abort();
    expect(await running).toEqual({
      content: "begun\n[The command was interrupted and ended. What it had put out until then is above.]",
      isError: true,
    });
    await untilGone(Number(await readFile(join(cwd, "pid"), "utf8")));
    expect(await bash("touch never", {}, { signal: abort.signal })).toEqual({
      content: "The command was not run: interrupted.",
      isError: true,
    });
    expect(await readdir(cwd)).not.toContain("never");
  });

  it("keeps the beginning and the end of a flood and counts what is missing", async () => {
    const { bash } = await createScene();
    const text = textOf(await bash("echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last"));
    expect(text).toMatch(/^first\nx+\n\[… 49800012 characters left out here …\]\nx+\nlast$/);
    expect(text.length).toBeLessThan(200_100);
  });

  it("gives well-formed text of bytes that are none", async () => {
    const { bash } = await createScene();
    const text = textOf(await bash("printf '\\xff\\xfe'; head -c 100000 /dev/urandom"));
    expect(text.isWellFormed()).toBe(true);
    expect(text.startsWith("\ufffd\ufffd")).toBe(true);
  });

  it("has no input, no editor and no pager", async () => {
    const { bash } = await createScene();
    expect(await bash("cat; read line; echo $?; $EDITOR x && $GIT_PAGER </dev/null; tty")).toEqual({
      content: "1\nnot a tty\n[Exit code 1]",
      isError: true,
    });
  });

  it("hands no keys to commands but those that settings name", async () => {
    const environment = {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: "k1",
      OPENAI_API_KEY: "k2",
      GITHUB_TOKEN: "k3",
      MY_SECRET_THING: "k4",
      XDG_SECRET: "k5",
      NVM_AUTH: "k6",
      STRANGE: "k7",
      LC_ALL: "C",
    };
    const names = async (commandEnvironment?: CommandEnvironmentOptions) => {
      const { bash } = await createScene({ environment, commandEnvironment });
      return textOf(await bash("env | grep -E '=(k[0-9]|set)' | sort"));
    };
    expect(await names()).toBe("[The command has no output.]");
    expect(await names({ pass: ["GITHUB_TOKEN", "MY_*"], set: { EXTRA: "set" } })).toBe(
      "EXTRA=set\nGITHUB_TOKEN=k3\nMY_SECRET_THING=k4",
    );
  });

  it("lets no planted repository run programs when git looks at it", async () => {
    const { bash, cwd } = await createScene();
    const monitor = `touch ${join(cwd, "ran")}; false`;
    await bash(
      `git init -q sub; git -C sub config core.fsmonitor '${monitor}'; cp -r sub/.git plain; cd sub`,
    );
    await bash(`cd ../plain; git config -f config core.worktree .; pwd`);
    for (const folder of ["sub", "plain"]) await bash(`cd ${join(cwd, folder)}; git status`);
    expect(await readdir(cwd)).toEqual(["plain", "sub"]);
    await bash(`cd ${join(cwd, "sub")}; env -u GIT_CONFIG_COUNT git status`);
    expect(await readdir(cwd)).toContain("ran");
  });

  it("uses sh where there is no bash", async () => {
    const programs: string[] = [];
    const shell: Shell = {
      start(program, args, options) {
        programs.push(program);
        return systemShell.start(program === "bash" ? "no-such-bash" : program, args, options);
      },
    };
    const { bash, cwd } = await createScene({ shell });
    await bash("cd sub");
    expect(await bash("pwd; exit 2")).toEqual({
      content: `${join(cwd, "sub")}\n[Exit code 2]`,
      isError: true,
    });
    expect(programs).toEqual(["bash", "sh", "sh"]);
  });

  it("says what to do about a command that cannot be started", async () => {
    const { bash } = await createScene();
    expect(await bash(`echo ${"x".repeat(4_000_000)}`)).toEqual({
      content: expect.stringMatching(/could not be started: .*E2BIG Put the long part into a file/),
      isError: true,
    });
  });

  it("tells whoever watches the newest line, once a second at most", async () => {
    const { bash, clock, said } = await createScene();
    const lines: string[] = [];
    const gate = (name: string) => `while ! test -e ${name}; do sleep 0.01; done`;
    const running = bash(
      `echo one; ${gate("a")}; echo two; ${gate("b")}; echo three`,
      {},
      { progress: (text) => lines.push(text) },
    );
    await said("one");
    await bash("touch a");
    await said("two");
    await clock.advance(1_000);
    await bash("touch b");
    await running;
    expect(lines).toEqual(["one", "three"]);
  });

  it("names its command as what it touches, and nothing for a wrong input", async () => {
    const { toolNamed } = await createScene();
    const { subjectsOf } = toolNamed("Bash");
    expect(subjectsOf({ command: "ls" })).toEqual([{ kind: "command", value: "ls", access: "execute" }]);
    for (const wrong of [null, undefined, 3, {}, { command: 3 }]) expect(subjectsOf(wrong)).toEqual([]);
  });
});

describe("background tasks", () => {
  const moment = { kind: "turn-start", touched: [], signal: new AbortController().signal } as const;

  it("begin at once, give output piece by piece, and are told of once when they end", async () => {
    const { bash, cwd, toolNamed, tasks, context, said } = await createScene();
    await bash("cd sub");
    const started = await bash("pwd; while ! test -e go; do sleep 0.01; done; echo bye; exit 5", {
      run_in_background: true,
      description: "Waits for go",
    });
    expect(started).toEqual({ content: expect.stringMatching(/^Task task_000001 runs in the background\./) });
    await said("sub");
    const output = (input: object) =>
      toolNamed("TaskOutput").run({ task_id: "task_000001", ...input }, context());
    const head = "[Task task_000001 (Waits for go) still runs.]";
    expect(await output({})).toEqual({ content: `${head}\n${join(cwd, "sub")}\n` });
    expect(await output({})).toEqual({ content: `${head}\n[No new output.]` });
    expect(await tasks.take(moment)).toEqual([]);
    await bash("touch go");
    await tasks.tasks()[0]?.ended;
    expect(await tasks.take(moment)).toEqual([
      {
        subtype: "task",
        text: "The background task task_000001 (Waits for go) has ended: exit code 5. TaskOutput gives its output.",
      },
    ]);
    expect(await tasks.take(moment)).toEqual([]);
    expect(await output({})).toEqual({
      content: "[Task task_000001 (Waits for go) has ended: exit code 5.]\nbye\n",
    });
  });

  it("are waited for until they end, time is over, or the signal says so", async () => {
    const { bash, toolNamed, tasks, context, clock } = await createScene();
    await bash("sleep 1000", { run_in_background: true });
    const { run } = toolNamed("TaskOutput");
    const wait = (changes?: Partial<ToolContext>) =>
      run({ task_id: "task_000001", block: true, timeout: 500 }, context(changes));
    const waiting = wait();
    await clock.advance(500);
    expect(textOf(await waiting)).toMatch("still runs");
    const abort = new AbortController();
    const aborted = wait({ signal: abort.signal });
    abort.abort();
    expect(textOf(await aborted)).toMatch("still runs");
    const ending = wait();
    await toolNamed("TaskStop").run({ task_id: "task_000001" }, context());
    expect(textOf(await ending)).toMatch("has ended: ended by SIGTERM");
    expect(await tasks.take(moment)).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });

  it("outlive the call's signal and not the registry", async () => {
    const { bash, tasks } = await createScene();
    const abort = new AbortController();
    await bash("sleep 1000", { run_in_background: true }, { signal: abort.signal });
    abort.abort();
    expect(tasks.tasks()[0]).toMatchObject({ isRunning: true });
    await tasks.close();
    expect(tasks.tasks()[0]).toMatchObject({ isRunning: false, outcome: "ended by SIGTERM" });
    expect(await bash("true", { run_in_background: true })).toEqual({
      content: "No task can be started: the session is ending.",
      isError: true,
    });
  });

  it("are so many at most, and those that ended are forgotten in time", async () => {
    const { bash, tasks } = await createScene();
    for (let count = 0; count < maxRunningTasks; count += 1)
      await bash("sleep 1000", { run_in_background: true });
    expect(await bash("true", { run_in_background: true })).toMatchObject({
      content: expect.stringMatching(/^16 tasks are running already\. Stop one/),
      isError: true,
    });
    await Promise.all(tasks.tasks().map((task) => task.stop()));
    for (let count = 0; count < 40; count += 1) {
      await bash("true", { run_in_background: true });
      await tasks.tasks().at(-1)?.ended;
    }
    expect(tasks.tasks()).toHaveLength(32);
  });

  it("keep little of a flood", async () => {
    const { bash, tasks } = await createScene();
    await bash("head -c 20000000 /dev/zero | tr '\\0' y", { run_in_background: true });
    const [task] = tasks.tasks();
    await task?.ended;
    expect(task?.takeOutput()).toMatch(/^y{20000}\n\[… 19900000 characters left out here …\]\ny{80000}$/);
  });

  it("are listed where an id is not known", async () => {
    const { bash, toolNamed, context } = await createScene();
    const stop = () => toolNamed("TaskStop").run({ task_id: "x" }, context());
    expect(await stop()).toEqual({ content: "There is no task x. There are no tasks.", isError: true });
    await bash("sleep   1000", { run_in_background: true });
    expect(await stop()).toEqual({
      content: "There is no task x. There are: task_000001 (sleep 1000; running).",
      isError: true,
    });
  });
});
