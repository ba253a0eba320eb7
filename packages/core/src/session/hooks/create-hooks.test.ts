import { chmod, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { untilGone } from "../../../../../test/support/processes.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createRuntime } from "../../runtime.ts";
import { systemShell } from "../../runtime-shell.ts";
import type { HookCommand, HookSettings, Hooks } from "../../spec/index.ts";
import { createHooks, type HooksOptions } from "./create-hooks.ts";
import { defaultHookTimeoutMs, maxHookOutputBytes, maxHookTextChars } from "./run-command.ts";

const path = "/usr/local/bin:/usr/bin:/bin";
const context = { session: "ses_1", cwd: "/work", mode: "default" } as const;
const signal = new AbortController().signal;
const silent = { contexts: [], messages: [], warnings: [] };

/** A folder with a hook script in it, told about one use of a tool. */
async function place(script = "", options: Partial<HooksOptions> = {}) {
  const folder = await realpath(await temporaryFolder());
  const add = async (name: string, text: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  };
  await add("hook", script);
  const hooksOf = (settings: HookSettings, more: Partial<HooksOptions> = {}): Hooks =>
    createHooks({
      settings,
      shell: systemShell,
      clock: createRuntime().clock,
      environment: { PATH: path },
      cwd: folder,
      ...options,
      ...more,
    });
  const commands = (...hooks: readonly HookCommand[]) => hooksOf({ PreToolUse: [{ hooks }] });
  const use = (hooks: Hooks, input: unknown = {}, tool = "Bash") =>
    hooks.run("PreToolUse", { toolUseId: "toolu_1", tool, input, ...context }, signal);
  return { folder, add, hooksOf, commands, use, verdict: () => use(commands({ command: ["./hook"] })) };
}

describe("a hook that is a program", () => {
  it("is told everything as JSON on its input", async () => {
    const { folder, commands, use } = await place('cat > "$1"');
    await use(commands({ command: ["./hook", "got file"] }), { command: "ls" });
    expect(JSON.parse(await readFile(join(folder, "got file"), "utf8"))).toEqual({
      hook: "PreToolUse",
      toolUseId: "toolu_1",
      tool: "Bash",
      input: { command: "ls" },
      ...context,
    });
  });

  it.each([
    ["", silent],
    ["echo", silent],
    ["echo '  some text '", { ...silent, contexts: ["some text"] }],
    ["echo '[1]'", { ...silent, contexts: ["[1]"] }],
    [
      `echo '{"context": "c", "message": "m", "permission": "deny", "reason": "r", "stop": "s", "block": "b"}'`,
      { ...silent, contexts: ["c"], messages: ["m"], permission: "deny", reason: "r", stop: "s", block: "b" },
    ],
    [`echo '{"input": {"command": "ls -l"}}'`, { ...silent, input: { command: "ls -l" } }],
    [`echo '{"input": null}'`, { ...silent, input: null }],
    ["echo no >&2; echo ignored; exit 2", { ...silent, block: "no" }],
    ["exit 2", { ...silent, block: "PreToolUse hook ./hook gave no reason." }],
    [`echo '{"block": ""}'`, { ...silent, block: "PreToolUse hook ./hook gave no reason." }],
    ["exit 1", { ...silent, warnings: ["PreToolUse hook ./hook: ended with 1"] }],
    [
      'echo why >&2; echo \'{"block": "no"}\'; exit 3',
      { ...silent, warnings: ["PreToolUse hook ./hook: ended with 3: why"] },
    ],
    ["kill -9 $$", { ...silent, warnings: ["PreToolUse hook ./hook: was ended by SIGKILL"] }],
    [
      `echo '{"block": true, "colour": 1, "permission": "maybe", "__proto__": {"stop": "x"}}'`,
      {
        ...silent,
        warnings: [
          "PreToolUse hook ./hook: block is no text; it was ignored",
          "PreToolUse hook ./hook: colour is nothing that a hook can answer; it was ignored",
          "PreToolUse hook ./hook: permission is not allow, ask or deny; it was ignored",
          "PreToolUse hook ./hook: __proto__ is nothing that a hook can answer; it was ignored",
        ],
      },
    ],
    [
      `echo '{"block": "no"'`,
      {
        ...silent,
        warnings: [
          "PreToolUse hook ./hook: printed something that begins like JSON and is not; it was ignored",
        ],
      },
    ],
    [`printf 'a\\377b\\033[2J\\007'`, { ...silent, contexts: ["a\ufffdb\u001b[2J\u0007"] }],
  ])("that does %j", async (script, verdict) => {
    const { verdict: heard } = await place(script);
    expect(await heard()).toEqual(verdict);
  });

  it("is a warning where it cannot be started", async () => {
    const { folder, commands, use } = await place();
    await chmod(join(folder, "hook"), 0o644);
    await mkdir(join(folder, "directory"));
    const { warnings } = await use(
      commands({ command: ["./missing"] }, { command: ["./hook"] }, { command: ["./directory"] }),
    );
    expect(warnings).toEqual([
      "PreToolUse hook ./missing: could not be started: there is no such program; write its whole path, or one from the project on",
      "PreToolUse hook ./hook: could not be started: it is not executable; make it so with chmod +x",
      "PreToolUse hook ./directory: could not be started: it is not executable; make it so with chmod +x",
    ]);
  });

  it("need not read its input, however long it is", async () => {
    const { commands, use } = await place("exit 0");
    expect(await use(commands({ command: ["./hook"] }), "x".repeat(1_000_000))).toEqual(silent);
  });

  it("sees the usual variables, whose project it is, and what its settings name", async () => {
    const { folder, commands, use } = await place("env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=", {
      environment: {
        PATH: path,
        HOME: "/home/me",
        ANTHROPIC_API_KEY: "secret",
        OPENAI_API_KEY: "secret",
        LD_PRELOAD: "evil.so",
        MY_TOKEN: "mine",
        LANG: undefined,
      },
    });
    const { contexts } = await use(commands({ command: ["./hook"], environment: ["MY_TOKEN", "ABSENT"] }));
    expect(contexts.join("\n").split("\n").toSorted()).toEqual([
      "HOME=/home/me",
      "MY_TOKEN=mine",
      `PALIMPSEST_PROJECT=${folder}`,
      "PALIMPSEST_SESSION=ses_1",
      `PATH=${path}`,
    ]);
  });

  it("keeps what comes first of output without end, and says so", async () => {
    const { use, commands } = await place("head -c 100000000 /dev/zero | tr '\\0' x");
    const { contexts, warnings } = await use(commands({ command: ["./hook"] }));
    expect(contexts.map((text) => text.length)).toEqual([maxHookTextChars]);
    expect(warnings).toEqual([
      `PreToolUse hook ./hook: printed more than ${maxHookOutputBytes} bytes; the rest was thrown away`,
      `PreToolUse hook ./hook: context has more than ${maxHookTextChars} characters; the rest was left out`,
    ]);
  });

  it("is ended with all its children once its time is over", async () => {
    const { folder, hooksOf, use } = await place(
      `trap '' TERM; sleep 1000 & echo $! > child; echo $$ > self; wait; sleep 1000`,
    );
    const clock = createVirtualClock();
    const hooks = hooksOf({ PreToolUse: [{ hooks: [{ command: ["./hook"], timeoutMs: 7 }] }] }, { clock });
    const run = use(hooks);
    await untilThere(join(folder, "self"));
    await clock.advance(7);
    expect(await run).toEqual({
      ...silent,
      warnings: ["PreToolUse hook ./hook: took more than 7 ms and was ended"],
    });
    for (const name of ["child", "self"]) {
      await untilGone(Number(await readFile(join(folder, name), "utf8")));
    }
    expect(clock.sleeping).toBe(0);
  });

  it("is ended by the abort, and says nothing then", async () => {
    const { folder, commands } = await place("echo $$ > self; echo out; exec sleep 1000");
    const abort = new AbortController();
    const input = { toolUseId: "t", tool: "Bash", input: {}, ...context };
    const run = commands({ command: ["./hook"] }).run("PreToolUse", input, abort.signal);
    await untilThere(join(folder, "self"));
    abort.abort();
    expect(await run).toEqual(silent);
    await untilGone(Number(await readFile(join(folder, "self"), "utf8")));
    expect(await commands({ command: ["./hook"] }).run("PreToolUse", input, abort.signal)).toEqual(silent);
  });

  it("is told nothing that is no JSON", async () => {
    const { commands, use } = await place("cat");
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect((await use(commands({ command: ["./hook"] }), cyclic)).warnings).toEqual([
      "PreToolUse hook ./hook: its input is no JSON",
    ]);
  });
});

describe("what a hook is told", () => {
  const payloads = [
    "$(touch RAN)",
    "`touch RAN`",
    "; touch RAN",
    "| touch RAN",
    "&& touch RAN",
    "a\ntouch RAN",
    "a\r\ntouch RAN",
    "'; touch RAN; '",
    '"; touch RAN; "',
    "\\'; touch RAN",
    "--help",
    "-rf",
    "-e touch RAN",
    "> RAN",
    "<(touch RAN)",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's, not ours.
    "${IFS}touch${IFS}RAN",
    "{{input}}",
    "%s%n",
    "a\0touch RAN",
    "\u001b]0;touch RAN\u0007",
    "\u202etouch RAN",
    "\u2028touch RAN",
    "日本語 😀 e\u0301",
    "\ud800 lone",
    "",
    " ",
    "x".repeat(200_000),
  ];

  it("arrives byte for byte and runs nowhere (museum 30)", async () => {
    const { folder, hooksOf } = await place('cat > got; printf "%s" "$#" > count');
    const hooks = hooksOf({
      PreToolUse: [{ hooks: [{ command: ["./hook"] }] }],
      UserPromptSubmit: [{ hooks: [{ command: ["./hook"] }] }],
    });
    for (const payload of payloads) {
      const input = { file_path: payload, [payload]: [payload] };
      const session = /^[^\0]{0,1000}$/s.test(payload) ? payload : "ses_1";
      const use = {
        toolUseId: payload,
        tool: payload,
        input,
        session,
        cwd: payload,
        mode: "default",
      } as const;
      const { warnings } = await hooks.run("PreToolUse", use, signal);
      expect(warnings).toEqual([]);
      expect(await readFile(join(folder, "got"), "utf8")).toBe(
        `${JSON.stringify({ hook: "PreToolUse", ...use })}\n`,
      );
      const prompt = { prompt: payload, ...context };
      expect(await hooks.run("UserPromptSubmit", prompt, signal)).toEqual(silent);
      expect(await readFile(join(folder, "got"), "utf8")).toBe(
        `${JSON.stringify({ hook: "UserPromptSubmit", ...prompt })}\n`,
      );
      expect(await readFile(join(folder, "count"), "utf8")).toBe("0");
    }
    expect((await readdir(folder)).toSorted()).toEqual(["count", "got", "hook"]);
  }, 60_000);

  it("is no shell's line, nor are the words of the settings", async () => {
    const { folder, commands, use } = await place(`for word; do printf '%s\\n' "$word"; done`);
    const words = payloads.filter((payload) => !payload.includes("\0") && !payload.includes("\ud800"));
    const short = words.filter((payload) => payload.length < 1000);
    const { contexts } = await use(commands({ command: ["./hook", ...short, "end"] }));
    expect(contexts).toEqual([`${short.join("\n")}\nend`]);
    expect(await readdir(folder)).toEqual(["hook"]);
  });
});

describe("hooks of one name", () => {
  it("run side by side, and their answers are in the settings' order", async () => {
    const { add, hooksOf, use } = await place();
    await add("first", "until [ -e second-ran ]; do sleep 0.01; done; echo first");
    await add("second", "touch second-ran; echo second");
    const hooks = hooksOf(
      { PreToolUse: [{ hooks: [{ command: ["./first"] }] }, { hooks: [{ command: ["./second"] }] }] },
      { functions: { PreToolUse: [async () => ({ context: "function" }), () => undefined] } },
    );
    expect((await use(hooks)).contexts).toEqual(["function", "first", "second"]);
  });

  it("deny before they ask, ask before they allow, and keep every reason to block", async () => {
    const { hooksOf, use } = await place();
    const said = [
      { permission: "allow", reason: "fine", input: { a: 1 } },
      { block: "one" },
      { permission: "ask", reason: "hm" },
      { permission: "deny", reason: "no", input: { a: 2 }, stop: "enough" },
      { block: "two", stop: "later" },
      { block: "one" },
    ] as const;
    const verdict = async (answers: readonly (typeof said)[number][]) =>
      use(hooksOf({}, { functions: { PreToolUse: answers.map((answer) => () => answer) } }));
    expect(await verdict(said)).toEqual({
      block: "one\ntwo",
      stop: "enough",
      permission: "deny",
      reason: "no",
      input: { a: 1 },
      contexts: [],
      messages: [],
      warnings: [
        "PreToolUse hook of the program: another hook has changed the input already; this one's was ignored",
      ],
    });
    expect(await verdict(said.slice(0, 3))).toMatchObject({ permission: "ask", reason: "hm" });
    expect(await verdict(said.slice(0, 2))).toMatchObject({ permission: "allow", reason: "fine" });
  });

  it.each([
    [undefined, "Bash", true],
    ["Bash", "Bash", true],
    ["Bash", "BashOutput", false],
    ["Edit|Write", "Write", true],
    ["Edit|Write", "MultiEdit", false],
    ["mcp__*", "mcp__files__read", true],
    ["mcp__*", "Bash", false],
    ["mcp__*__read", "mcp__files__read", true],
    ["mcp__*__read", "mcp__read", false],
    ["*", "Bash", true],
    ["*a*b*", "xxaxxb", true],
    ["aa*aa", "aaa", false],
  ])("with the matcher %s listen to %s: %s", async (matcher, tool, isHeard) => {
    const { hooksOf, use } = await place("echo heard");
    const hooks = hooksOf({
      PreToolUse: [{ ...(matcher !== undefined && { matcher }), hooks: [{ command: ["./hook"] }] }],
    });
    expect((await use(hooks, {}, tool)).contexts).toEqual(isHeard ? ["heard"] : []);
  });

  it("are matched by the source of a start, and by nothing where there is nothing to match", async () => {
    const { hooksOf } = await place("echo heard");
    const hooks: readonly HookCommand[] = [{ command: ["./hook"] }];
    const made = hooksOf({ SessionStart: [{ matcher: "resume|compact", hooks }], Stop: [{ hooks }] });
    const start = async (source: "startup" | "compact") =>
      (await made.run("SessionStart", { source, ...context }, signal)).contexts;
    expect(await start("startup")).toEqual([]);
    expect(await start("compact")).toEqual(["heard"]);
    const stop = await made.run("Stop", { text: "", isAgain: false, ...context }, signal);
    expect(stop.contexts).toEqual(["heard"]);
  });

  it("say whether anybody listens", async () => {
    const { hooksOf } = await place();
    const hooks = hooksOf(
      { Stop: [{ hooks: [{ command: ["a"] }] }], SessionEnd: [], PreCompact: [{ hooks: [] }] },
      { functions: { PreToolUse: [() => undefined], PostToolUse: [] } },
    );
    const names = ["Stop", "SessionEnd", "PreCompact", "PreToolUse", "PostToolUse", "SessionStart"] as const;
    expect(names.filter((name) => hooks.has(name))).toEqual(["Stop", "PreToolUse"]);
  });

  it("are refused in a wrong form", async () => {
    const { hooksOf } = await place();
    const settings = { Stop: [{ hooks: [{ command: "./notify.sh done" }] }] } as unknown as HookSettings;
    expect(() => hooksOf(settings)).toThrow(
      'hooks.Stop[0].hooks[0].command: expected the program and its arguments as a list, got "./notify.sh done"; write ["./notify.sh","done"]; no shell reads it',
    );
  });
});

describe("a hook that is a function", () => {
  it("is a warning where it throws, answers nonsense or takes too long", async () => {
    const { hooksOf, use } = await place();
    const clock = createVirtualClock();
    let aborted = false;
    const functions = {
      PreToolUse: [
        function broken() {
          throw new Error("oh");
        },
        async function thrower() {
          throw "text";
        },
        function talker() {
          return "yes" as never;
        },
        function sleeper(_input: unknown, stop: AbortSignal) {
          stop.addEventListener("abort", () => {
            aborted = true;
          });
          return new Promise<undefined>(() => {});
        },
        function good() {
          return { context: "fine" };
        },
      ],
    };
    const run = use(hooksOf({}, { functions, clock }));
    await clock.advance(defaultHookTimeoutMs);
    expect(await run).toEqual({
      ...silent,
      contexts: ["fine"],
      warnings: [
        "PreToolUse hook broken: failed: oh",
        "PreToolUse hook thrower: failed: it threw what is no error",
        "PreToolUse hook talker: its answer is not an object; it was ignored",
        `PreToolUse hook sleeper: took more than ${defaultHookTimeoutMs} ms and was left alone`,
      ],
    });
    expect({ aborted, sleeping: clock.sleeping }).toEqual({ aborted: true, sleeping: 0 });
  });

  it("may not answer what has no effect", async () => {
    const { hooksOf } = await place();
    const functions = { Stop: [() => ({ permission: "deny", input: 1, context: "c" }) as const] };
    expect(
      await hooksOf({}, { functions }).run("Stop", { text: "", isAgain: false, ...context }, signal),
    ).toEqual({
      ...silent,
      contexts: ["c"],
      warnings: [
        "Stop hook of the program: permission has no effect on Stop; it was ignored",
        "Stop hook of the program: input has no effect on Stop; it was ignored",
      ],
    });
  });
});

async function untilThere(file: string): Promise<void> {
  while ((await readFile(file, "utf8").catch(() => "")) === "") await new Promise(setImmediate);
}
