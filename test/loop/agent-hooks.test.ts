import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { createHastyClock, endOf, type Provider } from "../support/agent.ts";
import { hostileTexts } from "./agent-hostile-texts.ts";
import { inTurn, noticesOf, resultsOf, run, useProject } from "./agent-project.ts";

const names = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SessionEnd",
] as const;
const always = (command: readonly string[], more = {}) => [{ hooks: [{ command, ...more }] }];
const everywhere = { hooks: Object.fromEntries(names.map((name) => [name, always(["sh", "log.sh"])])) };
const logger = { "log.sh": "cat >> told.jsonl\n" };

const toldIn = async (project: Awaited<ReturnType<typeof useProject>>) =>
  (await project.read("told.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe.each<Provider>(["anthropic", "openai"])("hooks with %s", (provider) => {
  it("are told in order, with what they are about", async () => {
    const input = { file_path: "a.txt" };
    const script = inTurn(callTool("Read", input, "toolu_1"), say("Read."));
    const project = await useProject({
      provider,
      script,
      settings: everywhere,
      files: { ...logger, "a.txt": "a\n" },
    });
    const session = await project.open();
    const [result] = resultsOf(await run(session, "Read it."));
    await session.close();
    const context = { session: "one", cwd: project.cwd, mode: "default" };
    const call = { toolUseId: "toolu_1", tool: "Read", input };
    expect(await toldIn(project)).toEqual([
      { hook: "SessionStart", source: "startup", ...context },
      { hook: "UserPromptSubmit", prompt: "Read it.", ...context },
      { hook: "PreToolUse", ...call, ...context },
      { hook: "PostToolUse", ...call, output: result?.text, isError: false, ...context },
      { hook: "Stop", text: "Read.", isAgain: false, ...context },
      { hook: "SessionEnd", reason: "closed", ...context },
    ]);
  });

  it("keep a call from being made, and the model is told why", async () => {
    const project = await useProject({
      provider,
      script: inTurn(callTool("Write", { file_path: "a.txt", content: "a" }), say("Then not.")),
      files: { "no.sh": "echo 'Nobody writes here.' >&2\nexit 2\n" },
      settings: { hooks: { PreToolUse: [{ matcher: "Write", hooks: [{ command: ["sh", "no.sh"] }] }] } },
    });
    const events = await run(await project.open());
    expect(resultsOf(events)).toEqual([
      { tool: "Write", isError: true, text: "A hook has refused this call: Nobody writes here." },
    ]);
    expect(project.has("a.txt")).toBe(false);
  });

  it("never run anything of what they are told (museum 30)", async () => {
    const calls = hostileTexts.flatMap((text) => [
      callTool("Grep", { pattern: text, path: "." }),
      callTool("Write", { file_path: `out/${text.replaceAll("/", "_")}`, content: text }),
      callTool("TodoWrite", { todos: [{ content: text, status: "pending" }] }),
    ]);
    const project = await useProject({
      provider,
      script: inTurn(calls, ...hostileTexts.map((text) => say(text))),
      files: logger,
      settings: everywhere,
    });
    const session = await project.open();
    for (const text of hostileTexts) await run(session, text);
    await session.close();
    const told = await toldIn(project);
    const prompts = told.filter(({ hook }) => hook === "UserPromptSubmit").map(({ prompt }) => prompt);
    expect(prompts).toEqual(hostileTexts);
    expect(told.filter(({ hook, tool }) => hook === "PreToolUse" && tool === "TodoWrite")).toHaveLength(
      hostileTexts.length,
    );
    expect((await readdir(project.cwd)).toSorted()).toEqual(["log.sh", "out", "told.jsonl"]);
    expect(await readdir(project.home)).not.toContain("pwned");
  });
});

describe("hooks", () => {
  it("put what they say behind the notices, and before the prompt", async () => {
    const project = await useProject({
      script: [say("Yes.")],
      files: { "AGENTS.md": "Tabs.\n" },
      settings: {
        hooks: {
          SessionStart: always(["echo", "from the start"]),
          UserPromptSubmit: always(["echo", "from the prompt"]),
        },
      },
    });
    const events = await run(await project.open());
    expect(noticesOf(events).map(({ subtype, text }) => (subtype === "hook" ? text : subtype))).toEqual([
      "surroundings",
      "rules",
      "from the start",
      "from the prompt",
    ]);
  });

  it("that hang are ended by the clock, and the run goes on", async () => {
    const project = await useProject({
      script: [callTool("Glob", { pattern: "*" }), say("Done.")],
      settings: { hooks: { PreToolUse: always(["sleep", "100000"], { timeoutMs: 5_000 }) } },
    });
    const events = await run(await project.open({ clock: createHastyClock() }));
    expect(endOf(events).reason).toBe("done");
    expect(resultsOf(events)).toMatchObject([{ isError: false }]);
    expect(events).toContainEqual({
      type: "message-show",
      level: "warning",
      text: "PreToolUse hook sleep: took more than 5000 ms and was ended",
    });
  });

  it("that put out 100 MB are survived", async () => {
    const project = await useProject({
      script: [callTool("Glob", { pattern: "*" }), say("Done.")],
      files: { "flood.sh": "head -c 100000000 /dev/zero | tr '\\0' x\n" },
      settings: { hooks: { PreToolUse: always(["sh", "flood.sh"]) } },
    });
    const events = await run(await project.open());
    expect(endOf(events).reason).toBe("done");
    const shown = events.flatMap((event) => (event.type === "message-show" ? [event.text] : []));
    expect(shown).toEqual([
      "PreToolUse hook sh: printed more than 1048576 bytes; the rest was thrown away",
      "PreToolUse hook sh: context has more than 20000 characters; the rest was left out",
    ]);
    expect(project.emulator.requests.last?.status).toBe(200);
  });
});
