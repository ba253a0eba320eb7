import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { modelAt } from "../../../../../../test/support/agent.ts";
import { emulate } from "../../../../../../test/support/emulator.ts";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { callTool, type EmulatorOptions, say } from "../../../../../testing/src/index.ts";
import { openAgent } from "../../../loop/agent/open-agent.ts";
import { createProcessTerminal } from "../process-terminal.ts";
import { chosenOf, followRun, toAnswer } from "./follow-run.ts";

/** A person at a screen of 80 columns, who types an answer to each question. */
async function sitDown(script: EmulatorOptions["script"], answers: readonly string[]) {
  const { emulator } = await emulate({ script });
  const [home, cwd] = [await temporaryFolder(), await temporaryFolder()];
  const session = await openAgent({ home, cwd, model: modelAt(emulator), layers: [] });
  onTestFinished(() => session.close());
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const interrupting = new AbortController();
  const terminal = createProcessTerminal({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: screen as unknown as NodeJS.WriteStream,
    stderr: screen as unknown as NodeJS.WriteStream,
    environment: { NO_COLOR: "1" },
    isColourRefused: true,
    interrupt: interrupting.signal,
  });
  const waiting = [...answers];
  let shown = "";
  screen.on("data", (chunk: Buffer) => {
    shown += chunk;
    if (!/(?:why not|own words): $/.test(shown)) return;
    const typed = waiting.shift();
    if (typed === undefined) interrupting.abort();
    else stdin.write(`${typed}\n`);
  });
  const end = await followRun({
    session,
    prompt: "Go.",
    output: "text",
    limits: {},
    terminal,
    cwd,
    workspace: [cwd],
  });
  const results = JSON.stringify(emulator.requests.last?.body?.messages);
  return { end, cwd, shown: () => shown.replaceAll("\r\u001b[K", ""), results, waiting };
}

const touch = (name: string) => callTool("Bash", { command: `touch ${name}` });

describe("a run that a person watches", () => {
  it("shows text as it comes, a line for each tool, and asks before a command", async () => {
    const { end, cwd, shown } = await sitDown(
      [[say("I make it."), touch("made")], say("It is made.")],
      ["y"],
    );
    expect(end).toMatchObject({ reason: "done", text: "It is made." });
    expect(shown()).toBe(
      [
        "… claude-opus-4-5I make it.",
        "* Bash touch made",
        "",
        "? Bash",
        "  runs",
        "    touch made",
        "  why: The command may change something.",
        "  always, in this run: Bash(touch made)",
        "  [y]es, [a]lways, [n]o, or say why not: … claude-opus-4-5It is made.",
        "",
      ].join("\n"),
    );
    expect(existsSync(join(cwd, "made"))).toBe(true);
  });

  it("asks once where the answer is always, and again for anything else", async () => {
    const { cwd, waiting } = await sitDown([touch("a"), touch("a"), touch("b"), say("Done.")], ["a", "n"]);
    expect([existsSync(join(cwd, "a")), existsSync(join(cwd, "b")), waiting]).toEqual([true, false, []]);
  });

  it("hands the reason of a no to the model", async () => {
    const { results, cwd } = await sitDown([touch("a"), say("Then not.")], ["use mkdir instead"]);
    expect(results).toContain("Bash was not allowed to run: The user says: use mkdir instead");
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });

  it("asks one question after the other where several calls need one", async () => {
    const outside = await temporaryFolder();
    await writeFile(join(outside, "a"), "A!");
    const read = callTool("Read", { file_path: join(outside, "a") });
    const { results, shown, waiting } = await sitDown([[read, read, read], say("Done.")], ["y", "n", "y"]);
    expect(waiting).toEqual([]);
    expect(shown().match(/\? Read\n {2}reads\n/g)).toHaveLength(3);
    expect(results.match(/A!/g)).toHaveLength(2);
  });

  it("takes an interrupt at a question for a no, and every call has its result", async () => {
    const { end, cwd } = await sitDown([touch("a"), say("Never said.")], []);
    expect(end.reason).toBe("aborted");
    expect(existsSync(join(cwd, "a"))).toBe(false);
  });

  it("shows the whole of what is asked, and obeys none of it", async () => {
    const command = `echo \u001b[2J\u202e ${"x".repeat(200)}\n\trm -rf /`;
    const { shown } = await sitDown([callTool("Bash", { command }), say("Done.")], ["n"]);
    const dialog = shown().slice(shown().indexOf("? Bash"), shown().indexOf("  why:"));
    expect(dialog.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(dialog.replace(/\n {4}/g, "")).toContain("x".repeat(200));
    expect(dialog).toContain("\n      rm -rf /");
    expect(dialog).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
  });

  it("asks what the model wants to know", async () => {
    const questions = [
      {
        question: "Which colour?",
        options: [{ label: "Red", description: "like blood" }, { label: "Blue" }],
      },
      {
        question: "What else?",
        multiSelect: true,
        options: [{ label: "A" }, { label: "B" }, { label: "C" }],
      },
    ];
    const { results, shown } = await sitDown(
      [callTool("AskUserQuestion", { questions }), say("Done.")],
      ["2", "1, 3"],
    );
    expect(shown()).toContain(
      "? Which colour?\n  1  Red (like blood)\n  2  Blue\n  a number, or your own words: ",
    );
    expect(results).toContain("Which colour?\\n→ Blue\\nWhat else?\\n→ A; C");
  });
});

describe("what a person types", () => {
  it("is yes, always or no; else it says why not", () => {
    const rules = { allow: ["Bash(ls)"] };
    for (const [typed, answer] of [
      ["y", { behavior: "allow" }],
      ["YES", { behavior: "allow" }],
      ["a", { behavior: "allow", rules }],
      ["n", { behavior: "deny" }],
      ["", { behavior: "deny" }],
      ["no, use npm", { behavior: "deny", reason: "The user says: use npm" }],
      ["nothing there", { behavior: "deny", reason: "The user says: nothing there" }],
      ["yes please", { behavior: "deny", reason: "The user says: yes please" }],
    ] as const)
      expect(toAnswer(typed, rules)).toEqual(answer);
    expect(toAnswer("a", undefined)).toEqual({ behavior: "deny", reason: "The user says: a" });
  });

  it("is a number of an answer, or an answer of its own", () => {
    const one = { question: "?", options: [{ label: "A" }, { label: "B" }] };
    expect(["1", " 2 ", "3", "1 2", "neither", ""].map((typed) => chosenOf(typed, one))).toEqual([
      ["A"],
      ["B"],
      ["3"],
      ["1 2"],
      ["neither"],
      [],
    ]);
    expect(chosenOf("2,1", { ...one, multiSelect: true })).toEqual(["B", "A"]);
  });
});
