import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { callTool, fault, type RecordedRequest, type Reply, say } from "../../packages/testing/src/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { lastMessage } from "../compaction/compacting-agent.ts";
import { answers } from "../loop/agent-memory-support.ts";
import { collect, modelAt } from "../support/agent.ts";
import { ctrl, down, enter, openChat, ready } from "./open-chat.ts";

const begin = callTool("Agent", {
  description: "look around",
  prompt: "Look around here.",
  name: "scout",
  background: true,
});

/** What a request is for: the agent's, the one that begins it, the one behind that, and all others. */
function scripted(ofAgent: (request: RecordedRequest) => Reply | Promise<Reply>) {
  return (request: RecordedRequest): Reply | Promise<Reply> => {
    const { messages = [] } = (request.whole ?? {}) as { readonly messages?: readonly unknown[] };
    if (
      JSON.stringify(messages).includes("Look around here.") &&
      !JSON.stringify(messages).includes("begin it")
    )
      return ofAgent(request);
    const last = lastMessage(request);
    if (last.includes("begin it")) return begin;
    return last.includes("tool_result") ? say("It is begun.") : say("Well.");
  };
}

describe("agents in the background", () => {
  it("stand above the prompt and in the footer; /tasks says what they took, and stops one", async () => {
    let hasAsked: () => void = () => {};
    const asking = new Promise<void>((resolve) => {
      hasAsked = resolve;
    });
    const {
      terminal,
      say: line,
      chat,
    } = await openChat({
      script: scripted(() => {
        hasAsked();
        return fault.stall();
      }),
      columns: 200,
      rows: 40,
    });
    await line("begin it", /\* Agent scout: look around[\s\S]*> .*\n.* · 1 agent$/);
    await asking;
    terminal.type(`/tasks${enter}`);
    const shown = await terminal.until(/Stop one of them\?/);
    expect(shown).toMatch(
      /… scout \(general\): look around\n +at work\n +0 requests, 0 tool calls, 0 tokens, \$0\.0000\n/,
    );
    const [, log = ""] = /^ +(\/.*\/sessions\/ses_.*\.agents\/agent_.*\.jsonl)$/m.exec(shown) ?? [];
    expect(existsSync(log)).toBe(true);
    expect(shown).toContain("❯ 1  agent scout  look around");
    terminal.type(enter);
    const stopped = await terminal.until(/Agent scout \(look around\) was stopped/);
    expect(stopped).not.toContain("* Agent scout:");
    expect(chat.state.background.agents.map(({ state }) => state)).toEqual(["stopped"]);
  });

  it("are told of when they end, though nobody asks; the model is told with the next prompt", async () => {
    let finish: (reply: Reply) => void = () => {};
    const finished = new Promise<Reply>((resolve) => {
      finish = resolve;
    });
    const { terminal, say: line, emulator } = await openChat({ script: scripted(() => finished) });
    await line("begin it", /\* Agent scout/);
    finish(say("There are three doors."));
    await terminal.until(/Agent scout \(look around\) is done\. The model is told with your next\n? *prompt/);
    const { length } = [...emulator.requests];
    await line("and now?", /Well\./);
    expect([...emulator.requests].slice(length)).toHaveLength(1);
    expect(lastMessage(emulator.requests.last as RecordedRequest)).toContain("There are three doors.");
  });

  it("ask the person for what no rule allows, by their name, also when the session is idle", async () => {
    const script = scripted((request) =>
      lastMessage(request).includes("tool_result")
        ? say("It is there.")
        : callTool("Bash", { command: "touch door" }),
    );
    const { terminal, say: line, chat, project } = await openChat({ script });
    await line("begin it", /asked by the agent scout/);
    await expect.poll(() => chat.state.run).toBe(null);
    expect(await terminal.until(/Yes, this once/)).toContain("touch door");
    terminal.type("y");
    await terminal.until(/Agent scout \(look around\) is done/);
    expect(existsSync(join(project, "door"))).toBe(true);
  });

  it("are asked nothing more once they are stopped", async () => {
    const script = scripted(() => callTool("Bash", { command: "touch door" }));
    const { terminal, chat, project } = await openChat({ script });
    terminal.type(`begin it${enter}`);
    await terminal.until(/asked by the agent scout/);
    await expect.poll(() => chat.state.run).toBe(null);
    await chat.close();
    expect([chat.state.dialogs, existsSync(join(project, "door"))]).toEqual([[], false]);
  });

  it("say in a few words what they do", async () => {
    const clock = createVirtualClock();
    let hasRead: () => void = () => {};
    const reading = new Promise<void>((resolve) => {
      hasRead = resolve;
    });
    const {
      terminal,
      say: line,
      project,
    } = await openChat({
      script: scripted((request) => {
        if (!lastMessage(request).includes("tool_result")) return callTool("Read", { file_path: "door.txt" });
        hasRead();
        return fault.stall();
      }),
      agent: { clock },
    });
    await writeFile(join(project, "door.txt"), "It is open.");
    await line("begin it", /\* Agent scout/);
    await reading;
    await clock.advance(30_000);
    await terminal.until(/\* Agent scout: Reading door\.txt/);
  });

  it("write to the session, and the person sees that they did", async () => {
    let session = "";
    const {
      terminal,
      say: line,
      chat,
      emulator,
    } = await openChat({
      script: scripted((request) =>
        lastMessage(request).includes("tool_result")
          ? say("Told.")
          : callTool("SendMessage", { to: session, message: "The door is open.", summary: "a door" }),
      ),
    });
    session = chat.state.session?.id ?? "";
    await line("begin it", /is done/);
    expect(await terminal.all()).toMatch(/Mail from scout \(“a door”\)\. The model is told/);
    await line("and now?", /Well\./);
    expect(lastMessage(emulator.requests.last as RecordedRequest)).toContain("The door is open.");
  });
});

describe("mail of another session", () => {
  it("is told of while nobody does anything, and read by the model with the next prompt", async () => {
    let to = "";
    const {
      terminal,
      say: line,
      chat,
      emulator,
      home,
      project,
    } = await openChat({
      script: (request) =>
        lastMessage(request).includes("write to the other one")
          ? callTool("SendMessage", { to, message: "All tests pass.", summary: "tests" })
          : say("Well."),
    });
    to = `session:${chat.state.session?.id}`;
    const other = await openAgent({ home, cwd: project, model: modelAt(emulator) });
    onTestFinished(() => other.close());
    await collect(other.run("write to the other one"));
    await terminal.until(new RegExp(`Mail from ${other.id} \\(“tests”\\)\\.`));
    await line("and now?", /Well\./);
    expect(lastMessage(emulator.requests.last as RecordedRequest)).toContain("All tests pass.");
  });
});

describe("commands in the background", () => {
  it("count in the footer, stand in /tasks, and can be stopped there", async () => {
    const run = (command: string) => callTool("Bash", { command, run_in_background: true });
    const { terminal, say: line } = await openChat({
      script: [[run("sleep 600"), run("sleep 700")], say("Both run.")],
      agent: { mode: "bypass" },
      rows: 40,
    });
    await line("go", /Both run\.[\s\S]* · 2 tasks$/);
    terminal.type(`/tasks${enter}`);
    const shown = await terminal.until(/Stop one of them\?/);
    expect(shown).toMatch(/… command sleep 600: running\n +… command sleep 700: running/);
    terminal.type(`${down}${enter}`);
    await terminal.until(/The command sleep 700 has ended: [\s\S]* · 1 task$/);
    terminal.type(`/tasks${enter}`);
    await terminal.until(/✓ command sleep 700: [\s\S]*Stop one of them\?\n\n❯ 1 {2}command {2}sleep 600/);
    terminal.type(ctrl("c"));
    await terminal.until(/once more quits/);
    terminal.type("x");
    await terminal.until((screen) => !ready.test(screen) && /> x/.test(screen));
  });
});

describe("an extraction beside the conversation", () => {
  it("is among the tasks, and can be stopped; the next turn's end begins one again", async () => {
    const {
      terminal,
      say: line,
      chat,
      emulator,
    } = await openChat({
      script: answers([say("Fine."), say("Well.")], [fault.stall(), say("nothing")]),
      agent: { settings: { flags: { "memory-extraction": true } } },
      columns: 100,
    });
    const states = () => chat.state.tasks.flatMap(({ layer, state }) => (layer === "memory" ? [state] : []));
    await line("Use pnpm here, please.", /Fine\./);
    await expect.poll(() => [...emulator.requests].length).toBe(2);
    terminal.type(`/tasks${enter}`);
    expect(await terminal.until(/Stop one of them\?/)).toMatch(/❯ 1 {2}layer memory {2}\S/);
    terminal.type(enter);
    await expect.poll(states).toEqual(["stopped"]);
    await line("And yarn there.", /Well\./);
    await expect.poll(states).toEqual(["done"]);
    expect([...emulator.requests]).toHaveLength(4);
  });
});
