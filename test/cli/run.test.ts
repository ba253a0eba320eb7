import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, atRequest, callTool, fault, say } from "../../packages/testing/src/index.ts";
import { runCli } from "../support/cli.ts";
import { agentLocation, lastResult, testKey } from "../support/run-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const models = { anthropic: "claude-opus-4-5", openai: "openai:gpt-5.6" } as const;
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

describe.each(["anthropic", "openai"] as const)("palimpsest run with %s", (provider) => {
  const model = ["--model", models[provider]];

  it("prints the last answer and nothing else", async () => {
    const { run, project } = await agentLocation({
      script: [[say("I read it."), callTool("Read", { file_path: "a.txt" })], say("It says hello.")],
    });
    await writeFile(join(project, "a.txt"), "hello\n");
    expect(await run([...model, "-p", "What does a.txt say?"])).toEqual({
      code: 0,
      stdout: "It says hello.\n",
      stderr: "",
    });
  });

  it("prints one document with --output json", async () => {
    const { run } = await agentLocation({ script: [say("Hello.")] });
    const { code, stdout, stderr } = await run([...model, "-p", "Hi.", "--output", "json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { session, usage, dollars, durationMs, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ end: "done", text: "Hello.", requests: 1 });
    expect(session).toMatch(/^ses_\w{26}$/);
    expect(Object.keys(usage)).toEqual(Object.keys(noUsage));
    expect(dollars).toBeGreaterThan(0);
    expect(Number.isInteger(durationMs)).toBe(true);
  });

  it("prints every event on a line with --output stream-json, the session first, the end last", async () => {
    const { run, project } = await agentLocation({
      script: [callTool("Glob", { pattern: "*" }), say("There is nothing.")],
    });
    const { code, stdout } = await run([...model, "-p", "Look.", "--output", "stream-json"]);
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { id, tools, ...head } = events[0];
    expect(head).toEqual({
      type: "session",
      model: models[provider].replace("openai:", ""),
      cwd: project,
      version: expect.stringMatching(/^\d/),
    });
    expect(tools).toEqual(expect.arrayContaining(["Read", "Bash", "Recall"]));
    expect(events.map(({ type }) => type).filter((type) => !type.startsWith("block"))).toEqual([
      "session",
      "notice-add",
      "run-start",
      "model-start",
      "response-start",
      "response-end",
      "tool-start",
      "tool-end",
      "model-start",
      "response-start",
      "response-end",
      "run-end",
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "done", text: "There is nothing.", requests: 2 });
    expect(events[2].session).toBe(id);
  });

  it("goes on with a session by the beginning of its id, and with the newest one", async () => {
    const { run, emulator } = await agentLocation({ script: [say("One."), say("Two."), say("Three.")] });
    const first = JSON.parse((await run([...model, "-p", "First.", "--output", "json"])).stdout);
    const resumed = await run(["--resume", first.session.slice(0, 20), "-p", "Second.", "--output", "json"]);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ session: first.session, text: "Two." });
    const newest = await run(["--continue", "-p", "Third.", "--output", "json"]);
    expect(JSON.parse(newest.stdout)).toMatchObject({ session: first.session, text: "Three." });
    const said = JSON.stringify(emulator.requests.last?.body);
    for (const words of ["First.", "One.", "Second.", "Two.", "Third."]) expect(said).toContain(words);
  });
});

describe("palimpsest run", () => {
  it("makes sessions that are listed with their title", async () => {
    const { run, home, project } = await agentLocation({ script: [say("Hello.")] });
    await run(["-p", "Say hello\nto everybody"]);
    const listed = await runCli(["sessions", "list"], { home, cwd: project });
    expect(listed.stdout).toMatch(/ses_\w+ +now .*Say hello to everybody\n/);
  });

  it("keeps the instructions of a session that goes on", async () => {
    const { run, emulator } = await agentLocation({ script: [say("One."), say("Two.")] });
    await run(["-p", "First.", "--instructions", "Speak like a sailor."]);
    const [before] = [...emulator.requests].map(({ body }) => JSON.stringify(body?.system));
    await run(["--continue", "-p", "Second."]);
    expect(before).toContain("Speak like a sailor.");
    expect(JSON.stringify(emulator.requests.last?.body?.system)).toContain("Speak like a sailor.");
  });

  it("takes the prompt from standard input, or adds it below the prompt", async () => {
    const { run, emulator } = await agentLocation({ script: [say("One."), say("Two."), say("Three.")] });
    const prompt = () => JSON.stringify(emulator.requests.last?.body);
    await run([], { input: "Only this." });
    expect(prompt()).toContain('"Only this."');
    await run(["-p", "Look at this:"], { input: "the text\n" });
    expect(prompt()).toContain('"Look at this:\\n\\nthe text\\n"');
    const broken = Buffer.from([0x62, 0xff, 0x80, 0x00, 0x62]);
    expect(await run(["-p", "And this:"], { input: broken })).toMatchObject({ code: 0, stdout: "Three.\n" });
  });

  it("stops at its limits with 1, says why and how to go on", async () => {
    for (const [limit, end, why] of [
      [["--max-turns", "1"], "max-turns", /1 requests were made/],
      [["--budget", "0.000001"], "dollar-budget", /\$0.000001 are spent/],
      [["--budget-tokens", "1"], "token-budget", /of 1 tokens/],
      [["--budget-time", "0.001s"], "time-budget", /of 1 ms/],
    ] as const) {
      const { run } = await agentLocation({ script: [callTool("Glob", { pattern: "*" }), say("Done.")] });
      const { code, stdout, stderr } = await run([...limit, "-p", "Look.", "--output", "json"]);
      const document = JSON.parse(stdout);
      expect({ code, end: document.end }).toEqual({ code: 1, end });
      expect(stderr).toMatch(/^error: .*\n {2}continue: palimpsest run --resume ses_\w+ -p "…"\n$/);
      expect([stderr, document.message]).toEqual([expect.stringMatching(why), expect.stringMatching(why)]);
    }
  });

  it("ends with 1 when the model refuses, is cut or cannot be reached, with 3 when the window is full", async () => {
    const refused = { status: 403, type: "permission_error", message: `no: ${testKey}` };
    for (const [script, code, end] of [
      [[answer([say("No.")], { stopReason: "refusal" })], 1, "refusal"],
      [[answer([say("Half an")], { stopReason: "max_tokens" })], 1, "max-output"],
      [[fault.error(refused)], 1, "error"],
      [[fault.tooLong(), fault.tooLong()], 3, "blocked"],
    ] as const) {
      const { run } = await agentLocation({ script: [...script] });
      const ended = await run(["-p", "Go.", "--output", "json"]);
      expect({ code: ended.code, end: JSON.parse(ended.stdout).end }).toEqual({ code, end });
      expect(ended.stderr).toMatch(/^error: .*$/m);
      expect(ended.stdout + ended.stderr).not.toContain(testKey);
      expect(ended.stdout + ended.stderr).not.toMatch(/\n\s+at /);
    }
  });

  it("says a failure to programs as code, message and fix", async () => {
    const { run } = await agentLocation({
      script: [fault.error({ status: 401, type: "authentication_error", message: "invalid x-api-key" })],
    });
    const { stdout } = await run(["-p", "Go.", "--output", "stream-json"]);
    const { error } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(error).toEqual({
      code: "unauthenticated",
      message: expect.stringContaining("does not accept the key"),
      fix: "Check the key: it may be mistyped, revoked or for another server.",
    });
  });

  it("goes on with the fallback model", async () => {
    const overloaded = fault.error({
      status: 429,
      type: "rate_limit_error",
      message: "busy",
      headers: { "retry-after": "9999" },
    });
    const { run, emulator } = await agentLocation({ script: [overloaded, say("I am the other one.")] });
    const args = ["--fallback-model", "claude-haiku-4-5", "-p", "Go."];
    expect(await run(args)).toEqual({ code: 0, stdout: "I am the other one.\n", stderr: "" });
    expect(emulator.requests.last?.model).toMatch(/haiku/);
  });

  it("denies what is not allowed where nobody can be asked, and the model is told", async () => {
    const { run, emulator, project } = await agentLocation({
      script: [callTool("Bash", { command: "touch made" }), say("I may not.")],
    });
    expect(await run(["-p", "Make it."])).toEqual({ code: 0, stdout: "I may not.\n", stderr: "" });
    expect(lastResult(emulator)).toMatch(/^Bash was not allowed to run: .* There is nobody to ask/);
    expect(await readdir(project)).toEqual([]);
  });

  it("allows what a rule allows, and denies what a rule denies", async () => {
    const { run, emulator, project } = await agentLocation({
      script: [
        callTool("Bash", { command: "touch made" }),
        callTool("Read", { file_path: "secret.txt" }),
        say("Done."),
      ],
    });
    await writeFile(join(project, "secret.txt"), "hunter2");
    const rules = ["--allow", "Bash(touch made)", "--allow", "Read", "--deny", "Read(secret.txt)"];
    expect(await run([...rules, "-p", "Go."])).toMatchObject({ code: 0 });
    expect(lastResult(emulator)).toContain("The rule Read(secret.txt) denies it.");
    expect((await readdir(project)).sort()).toEqual(["made", "secret.txt"]);
  });

  it("changes nothing in plan mode, everything in bypass mode, and works in further folders", async () => {
    const other = await temporaryFolder();
    const write = callTool("Write", { file_path: join(other, "new.txt"), content: "new" });
    const attempt = async (args: readonly string[]) => {
      const { run } = await agentLocation({ script: [write, say("Done.")] });
      await run([...args, "-p", "Go."]);
      return readdir(other);
    };
    expect(await attempt([])).toEqual([]);
    expect(await attempt(["--permission-mode", "plan", "--allow", "Write"])).toEqual([]);
    expect(await attempt(["--add-dir", other])).toEqual(["new.txt"]);
    const elsewhere = callTool("Write", { file_path: join(other, "more.txt"), content: "more" });
    const { run } = await agentLocation({ script: [elsewhere, say("Done.")] });
    await run(["--permission-mode", "bypass", "-p", "Go."]);
    expect((await readdir(other)).sort()).toEqual(["more.txt", "new.txt"]);
  });

  it("works in the folder that --cwd names, with its rules files unless told not to", async () => {
    const { run, project, emulator } = await agentLocation({ script: [say("One."), say("Two.")] });
    await mkdir(join(project, "shop"));
    await writeFile(join(project, "shop", "AGENTS.md"), "Always use tabs.\n");
    await run(["--cwd", "shop", "-p", "Go."]);
    expect(JSON.stringify(emulator.requests.last?.body)).toContain("Always use tabs.");
    await run(["--cwd", "shop", "--no-rules", "-p", "Go."]);
    expect(JSON.stringify(emulator.requests.last?.body)).not.toContain("Always use tabs.");
  });

  it("ignores a project's hooks until they are trusted, and says so on one line", async () => {
    const { run, project } = await agentLocation({ script: [say("Hello.")] });
    await mkdir(join(project, ".palimpsest"));
    const hooks = { UserPromptSubmit: [{ hooks: [{ command: ["touch", "ran"] }] }] };
    await writeFile(join(project, ".palimpsest", "settings.json"), JSON.stringify({ hooks }));
    const { code, stdout, stderr } = await run(["-p", "Hi."]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
    expect(stderr).toMatch(
      /^warning: [^\n]*settings\.json: hooks: ignored[^\n]*palimpsest config trust[^\n]*\n$/,
    );
    expect(await readdir(project)).toEqual([".palimpsest"]);
  });

  it("ends with 1 and the reason when a hook refuses the prompt", async () => {
    const { run, home } = await agentLocation();
    const command = ["sh", "-c", "echo not today >&2; exit 2"];
    const hooks = { UserPromptSubmit: [{ hooks: [{ command }] }] };
    await writeFile(join(home, "settings.json"), JSON.stringify({ hooks }));
    const { code, stdout, stderr } = await run(["-p", "Hi."]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("error: not today");
  });

  it("prints no control characters, whatever the model says", async () => {
    const hostile = "\u001b[31mred\u001b[0m\u0007\rover\r\nnext \u009b2J \ud83d\ude00 end \ud800.";
    const { run } = await agentLocation({ script: [say(hostile), say(hostile)] });
    const text = await run(["-p", "Go."]);
    expect(text.stdout).toBe("␛[31mred␛[0m␇␍over\nnext \\x9b2J 😀 end \ufffd.\n");
    const json = await run(["-p", "Go.", "--output", "json"]);
    expect(json.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(JSON.parse(json.stdout).text).toBe(hostile);
  });

  it("says what works without a key, and begins nothing", async () => {
    const [home, project] = [await temporaryFolder(), await temporaryFolder()];
    const { code, stdout, stderr } = await runCli(["run", "-p", "Hi."], { home, cwd: project });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    for (const words of [
      "There is no key for Anthropic",
      "ANTHROPIC_API_KEY",
      "OPENAI_BASE_URL",
      "palimpsest demo",
      "palimpsest emulator",
    ])
      expect(stderr).toContain(words);
    expect(stderr.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(await readdir(home)).toEqual([]);
    const strange = await runCli(["run", "--model", "llama", "-p", "Hi."], { home, cwd: project });
    expect(strange).toMatchObject({ code: 1, stderr: expect.stringContaining("openai:NAME") });
  });

  it("answers wrong usage with one line that has the right form, and 2", async () => {
    const { run, home } = await agentLocation();
    const wrong = [
      [[], /there is nothing to do: standard input is empty; use: palimpsest run -p/],
      [["-p", "  "], /there is nothing to do/],
      [["do it"], /too many arguments.*; use: palimpsest run -p <text> \[options\]/],
      [["-p"], /argument missing/],
      [["-p", "x", "--output", "xml"], /Allowed choices are text, json, stream-json/],
      [["-p", "x", "--max-turns", "0"], /It must be a whole number over 0/],
      [["-p", "x", "--budget", "much"], /It must be dollars over 0, such as 0.50/],
      [["-p", "x", "--budget-time", "5"], /such as 30d/],
      [["-p", "x", "--permission-mode", "yolo"], /Allowed choices are default, ask, plan, bypass/],
      [["-p", "x", "--allow", "Bash("], /--allow "Bash\(" is not a permission rule: .*; use: --allow "/],
      [["-p", "x", "--deny", "mcp__files"], /--deny .* a server is no tool; use: --deny "mcp__files__\*"/],
      [["-p", "x", "--resume", "a", "--continue"], /cannot be used with option '--continue'; use:/],
      [["-p", "x", "--modle", "y"], /unknown option '--modle' \(did you mean --model\?\)/],
    ] as const;
    const ends = await Promise.all(wrong.map(([args]) => run([...args])));
    for (const [index, { code, stdout, stderr }] of ends.entries()) {
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: [^\n]*\n$/);
      expect(stderr).toMatch(wrong[index]?.[1] ?? "");
    }
    expect(await readdir(home)).toEqual([]);
  });

  it("says what is wrong with folders and sessions that are not there", async () => {
    const { run, home, project, environment } = await agentLocation({ script: [say("Hello.")] });
    for (const [args, words] of [
      [["--continue"], /This project has no session to continue/],
      [["--resume", "ses_none"], /ses_none/],
      [["--cwd", "gone"], /There is no folder .*gone/],
      [["--add-dir", "gone"], /There is no folder .*gone.*\n {2}fix: Name a folder after --add-dir/],
    ] as const) {
      const { code, stdout, stderr } = await run([...args, "-p", "Go."]);
      expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(words);
    }
    await run(["-p", "Hi."]);
    const [listed] = JSON.parse(
      (await runCli(["sessions", "list", "--json"], { home, cwd: project })).stdout,
    );
    const elsewhere = await temporaryFolder();
    const moved = await runCli(["run", "--resume", listed.id, "-p", "Go."], {
      home,
      cwd: elsewhere,
      environment,
    });
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining(`Add --cwd ${project}`) });
  });

  it("tries again after a failure that passes", async () => {
    const { run, emulator } = await agentLocation({
      script: [atRequest(1, fault.overloaded({ retryAfterMs: 1 })), say("Hello.")],
    });
    expect(await run(["-p", "Hi."])).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
    expect([...emulator.requests].map(({ status }) => status)).toEqual([529, 200]);
  });

  it("has help with examples that fits into 80 columns", async () => {
    const { code, stdout } = await runCli(["help", "run"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Usage: palimpsest run -p <text> \[options\]/);
    expect(stdout).toMatch(/Ends with 0[\s\S]*130[\s\S]*Examples:\n[\s\S]*palimpsest run -p/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
