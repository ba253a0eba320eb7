import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { lastResult } from "../support/run-agent.ts";
import { down, enter, escapeKey, openChat, ready } from "./open-chat.ts";

const touch = (name: string) => callTool("Bash", { command: `touch ${name}` });

describe("the dialog for permission", () => {
  it("allows once, and asks again", async () => {
    const { terminal, project } = await openChat({ script: [touch("a"), touch("a"), say("Done.")] });
    terminal.type(`go${enter}`);
    const asked = await terminal.until(/Yes, this once/);
    expect(asked).toContain("touch a");
    expect(asked).toContain("why: The command may change something.");
    terminal.type("y");
    await terminal.until(/no output[\s\S]*Yes, this once/);
    terminal.type(enter);
    await terminal.until(/Done\.[\s\S]*Ask or tell/);
    expect(existsSync(join(project, "a"))).toBe(true);
  });

  it("allows always, by a rule that is shown", async () => {
    const { terminal } = await openChat({ script: [touch("a"), touch("a"), say("Done.")] });
    terminal.type(`go${enter}`);
    expect(await terminal.until(/always in this session/)).toContain("Bash(touch a)");
    terminal.type(`${down}${enter}`);
    await terminal.until(/Done\.[\s\S]*Ask or tell/);
  });

  it("denies with a reason that the model is told", async () => {
    const { terminal, emulator, project } = await openChat({ script: [touch("a"), say("Well.")] });
    terminal.type(`go${enter}`);
    await terminal.until(/No, and say why not/);
    terminal.type("n");
    await terminal.until(/why not; Enter alone/);
    terminal.type(`use mktemp${enter}`);
    await terminal.until(/Well\.[\s\S]*Ask or tell/);
    expect(lastResult(emulator)).toContain("The user says: use mktemp");
    expect(existsSync(join(project, "a"))).toBe(false);
  });

  it("denies by Esc, and goes on with the next question", async () => {
    const { terminal, project } = await openChat({ script: [[touch("a"), touch("b")], say("Well.")] });
    terminal.type(`go${enter}`);
    await terminal.until(/touch a[\s\S]*Yes, this once/);
    terminal.type(escapeKey);
    await terminal.until(/runs\n +touch b[\s\S]*Yes, this once/);
    terminal.type("1");
    await terminal.until(/Well\.[\s\S]*Ask or tell/);
    expect([existsSync(join(project, "a")), existsSync(join(project, "b"))]).toEqual([false, true]);
  });

  it("shows a long command whole, page by page, in 24 lines", async () => {
    const command = Array.from({ length: 60 }, (_, at) => `echo line-${at}`).join("\n");
    const { terminal } = await openChat({ script: [callTool("Bash", { command }), say("Well.")] });
    terminal.type(`go${enter}`);
    expect(await terminal.until(/lines 1–/)).toContain("echo line-0");
    for (let page = 0; page < 12; page += 1) terminal.type("\u001b[6~");
    expect(await terminal.until(/echo line-59/)).toContain("Yes, this once");
    terminal.type(escapeKey);
    await terminal.until(ready);
  });

  it("is gone when the run is interrupted", async () => {
    const { terminal, emulator } = await openChat({ script: [touch("a"), say("Never.")] });
    terminal.type(`go${enter}`);
    await terminal.until(/Yes, this once/);
    terminal.type("\u0003");
    expect(await terminal.until(/Interrupted/)).not.toContain("Yes, this once");
    expect([...emulator.requests]).toHaveLength(1);
  });
});

describe("the dialog for a plan", () => {
  const plan = callTool("ExitPlanMode", { plan: "# The plan\n\n1. **Read** it\n2. Change it" });

  it("shows the plan and lets it be carried out", async () => {
    const { terminal, emulator } = await openChat({ script: [plan, say("On it.")], agent: { mode: "plan" } });
    terminal.type(`go${enter}`);
    expect(await terminal.until(/Yes, carry it out/)).toContain("1. Read it");
    terminal.type(enter);
    await terminal.until(/On it\.[\s\S]*Ask or tell/);
    expect(lastResult(emulator)).toContain("The plan is approved");
  });

  it("sends it back with what should change", async () => {
    const { terminal, emulator } = await openChat({ script: [plan, say("Again.")], agent: { mode: "plan" } });
    terminal.type(`go${enter}`);
    await terminal.until(/Not yet/);
    terminal.type(`n`);
    await terminal.until(/what should change/);
    terminal.type(`tests first${enter}`);
    await terminal.until(/Again\.[\s\S]*Ask or tell/);
    expect(lastResult(emulator)).toContain("tests first");
  });
});

describe("the dialog for questions", () => {
  const options = [{ label: "Red", description: "like a rose" }, { label: "Blue" }];
  const ask = (...questions: readonly object[]) => callTool("AskUserQuestion", { questions });

  it("takes one answer, by a number or by the keys", async () => {
    const question = { question: "Which colour?", options };
    const { terminal, emulator } = await openChat({ script: [ask(question, question), say("Fine.")] });
    terminal.type(`go${enter}`);
    expect(await terminal.until(/Which colour\? \(1 of 2\)/)).toContain("Red — like a rose");
    terminal.type("1");
    await terminal.until(/\(2 of 2\)/);
    terminal.type(`${down}${enter}`);
    await terminal.until(/Fine\.[\s\S]*Ask or tell/);
    expect(lastResult(emulator)).toContain("→ Red");
  });

  it("takes several answers", async () => {
    const question = { question: "Which?", options, multiSelect: true };
    const { terminal, emulator } = await openChat({ script: [ask(question), say("Fine.")] });
    terminal.type(`go${enter}`);
    await terminal.until(/\[ \] Red/);
    terminal.type(` ${down} `);
    await terminal.until(/\[x\] Red[\s\S]*\[x\] Blue/);
    terminal.type(enter);
    await terminal.until(/Fine\.[\s\S]*Ask or tell/);
    expect(lastResult(emulator)).toContain("→ Red; Blue");
  });

  it("takes the person's own words, and none", async () => {
    const question = { question: "Which?", options };
    const script = [ask(question), ask(question), say("Fine.")];
    const { terminal, emulator } = await openChat({ script });
    terminal.type(`go${enter}`);
    await terminal.until(/in your own words/);
    terminal.type("3");
    terminal.type(`green, please${enter}`);
    await terminal.until(/→ green, please[\s\S]*in your own words/);
    terminal.type(escapeKey);
    await terminal.until(/Fine\.[\s\S]*Ask or tell/);
    expect(lastResult(emulator)).toContain("does not want to answer");
  });
});
