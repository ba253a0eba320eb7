import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, say, when } from "../../packages/testing/src/index.ts";
import { ctrl, down, enter, openChat, up } from "./open-chat.ts";

const family = "👩‍👩‍👧";

describe("the screen of the terminal agent", () => {
  it("takes a paste of 1 MB as one mark, sends all of it, and stays lower than the terminal", async () => {
    const text = "a line of what was copied, and then some\n".repeat(25_000);
    const script = [when(() => true, say("Got it."))];
    // A window that holds it: of what is larger a model is sent the beginning and the end.
    const capabilities = { "claude-opus-4-5": { contextWindow: 1_000_000 } };
    const agent = { settings: { catalog: { capabilities } } };
    const { terminal, emulator } = await openChat({ script, agent });
    for (let at = 0; at < text.length; at += 60_000)
      terminal.type(
        (at === 0 ? "\u001b[200~" : "") +
          text.slice(at, at + 60_000) +
          (at + 60_000 >= text.length ? "\u001b[201~" : ""),
      );
    expect(await terminal.until(/\[pasted 1/)).toMatch(/> \[pasted 1: 25,001 lines, 1\.0 MB\]/);
    terminal.type(" what is it?");
    await terminal.until(/what is it\?/);
    terminal.type(enter);
    await terminal.until(/Got it\.[\s\S]*Ask or tell/);
    const said = [...emulator.requests].map(({ body }) => JSON.stringify(body)).join("");
    expect(said.split("a line of what was copied").length).toBeGreaterThan(25_000);
  });

  it("counts columns as the terminal does: emoji, CJK, combining marks", async () => {
    const { terminal } = await openChat({ columns: 40 });
    const text = `${family}日本e\u0301`;
    terminal.type(text);
    await terminal.until(/日本/);
    expect((await terminal.cursor()).x).toBe(2 + 2 + 4 + 1);
    terminal.type("\u001b[D\u001b[D\u001b[D");
    await terminal.until(/日本/);
    terminal.type("x");
    await terminal.until(/x日本/);
    terminal.type("\u007f\u007f");
    await terminal.until((screen) => /> 日本e/.test(screen));
  });

  it("breaks long lines of wide characters within the terminal", async () => {
    const { terminal } = await openChat({ columns: 40, script: [say("日本語".repeat(40))] });
    terminal.type(`go${enter}`);
    const shown = await terminal.until(/日本語[\s\S]*Ask or tell/);
    expect(shown.split("\n").filter((line) => line.includes("日本")).length).toBeGreaterThan(5);
    expect((await terminal.all()).match(/日本語/g)?.length).toBeGreaterThan(30);
  });

  it("shows escape codes of tools and models, and obeys none", async () => {
    const hostile = "\u001b[2J\u001b[31mgone\u001b]0;title\u0007\r\u009b1A\u202e";
    const { terminal, project } = await openChat({
      script: [[say(`Look: ${hostile}`), callTool("Read", { file_path: "evil.txt" })], say("Well.")],
    });
    await writeFile(join(project, "evil.txt"), `one\n${hostile}\n`);
    terminal.type(`go${enter}`);
    const shown = await terminal.until(/Well\./);
    expect(shown).toContain("␛[2J␛[31mgone");
    expect(shown).toContain("Palimpsest");
    expect(terminal.written).not.toContain("\u001b[2J");
    expect(terminal.written).not.toContain("\u001b]0;");
    expect(terminal.written).not.toContain("\u202e");
  });

  it("has no colours without colour, and a meter in colour with it", async () => {
    const plain = await openChat({ script: [say("# Head\n\n**bold** `code`")] });
    await plain.say("go", /`code`/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(plain.terminal.written).not.toMatch(/\u001b\[[0-9;]*m/);
    const coloured = await openChat({ isColoured: true, script: [say("**bold** `code`")] });
    await coloured.say("go", /bold code/);
    expect(await coloured.terminal.colourOf("context")).toBe(2);
    expect(await coloured.terminal.colourOf("code")).toBe(6);
  });

  it("is drawn anew when the terminal changes its size", async () => {
    const { terminal } = await openChat();
    terminal.type("some words that are written here");
    await terminal.until(/written here/);
    terminal.resize(40, 12);
    await terminal.until((screen) => screen.split("\n").some((line) => /^─{40}$/.test(line)));
    terminal.resize(120, 40);
    const shown = await terminal.until((screen) => screen.split("\n").some((line) => /^─{120}$/.test(line)));
    expect(shown).toContain("> some words that are written here");
    expect(shown.match(/claude-opus-4-5/g)).toHaveLength(1);
  });

  it("fits 200 columns and 50 rows as well as 40 and 10", async () => {
    for (const [columns, rows] of [
      [200, 50],
      [40, 10],
    ] as const) {
      const { terminal } = await openChat({ columns, rows, script: [say("Fine.")] });
      terminal.type("/");
      const shown = await terminal.until(/❯ \/clear/);
      expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(shown.split("\n").at(-1)).toContain("claude-opus");
    }
  });

  it("offers commands and files, and takes the one that is chosen", async () => {
    const { terminal, project } = await openChat();
    await writeFile(join(project, "carton.ts"), "");
    await writeFile(join(project, "cart.ts"), "");
    terminal.type("/co");
    await terminal.until(/❯ \/compact/);
    terminal.type(`${down}\t`);
    await terminal.until(/> \/config$/m);
    terminal.type(ctrl("u"));
    terminal.type("look at @car");
    await terminal.until(/❯ @cart\.ts/);
    terminal.type(`${down}${up}\t`);
    await terminal.until(/> look at @cart\.ts\s/);
  });

  it("has several lines, and earlier prompts, also of sessions before", async () => {
    const first = await openChat({ script: [say("One."), say("Two.")] });
    first.terminal.type("one\\\rtwo\u001b\rthree");
    await first.terminal.until(/> one\n {2}two\n {2}three/);
    first.terminal.type(enter);
    await first.terminal.until(/One\.[\s\S]*Ask or tell/);
    first.terminal.type(ctrl("d"));
    await first.ended;
    const { home, project } = first;
    const { terminal } = await openChat({ home, project, script: [] });
    terminal.type("draft");
    terminal.type(up);
    await terminal.until(/> one\n {2}two\n {2}three/);
    terminal.type(down);
    await terminal.until(/> draft/);
  });

  it("is plain lines for a screen reader", async () => {
    const { terminal } = await openChat({
      isPlain: true,
      script: [callTool("Glob", { pattern: "*" }), say("There is **nothing**.")],
    });
    terminal.type(`look${enter}`);
    const shown = await terminal.until(/There is nothing\./);
    expect(shown).toContain("You: look");
    expect(await terminal.all()).not.toMatch(/[─│█░❯]/);
  });

  it("opens the transcript over everything, and leaves nothing of it behind", async () => {
    const {
      terminal,
      project,
      say: line,
    } = await openChat({
      script: [callTool("Read", { file_path: "long.txt" }), say("Read it."), say("Again.")],
    });
    const text = Array.from({ length: 100 }, (_, at) => `row ${at}`).join("\n");
    await writeFile(join(project, "long.txt"), text);
    const before = await line("read it", /Read it\.[\s\S]*Ask or tell/);
    terminal.type(ctrl("o"));
    await terminal.until(/Transcript: \d+ things/);
    terminal.type(`${up}${enter}`);
    await terminal.until(/18 {2}row 17/);
    terminal.type("\u001b[F");
    await terminal.until(/row 99/);
    terminal.type("q");
    await terminal.until(/Esc leaves/);
    terminal.type("q");
    const back = await terminal.until(/Ask or tell/);
    expect(back).toBe(before);
    expect((await terminal.cursor()).x).toBe("> ".length);
    expect(await terminal.all()).not.toContain("row 99");
    await line("once more", /Again\./);
    const after = (await terminal.all()).split("\n");
    expect(after.filter((row) => row === "Read it." || row === "> read it")).toHaveLength(2);
  });

  it("is drawn anew by Ctrl+L, the prompt with what is written in it", async () => {
    const { terminal, say: line } = await openChat({ script: [say("One."), say("Two.")] });
    await line("first words", /One\./);
    terminal.type("a draft");
    await terminal.until(/> a draft/);
    terminal.type(ctrl("l"));
    const shown = await terminal.until((screen) => !screen.includes("One.") && /> a draft/.test(screen));
    expect(shown.match(/claude-opus-4-5/g)).toHaveLength(1);
    expect((await terminal.cursor()).x).toBe("> a draft".length);
    terminal.type(`${ctrl("u")}second words${enter}`);
    const after = await terminal.until(/Two\.[\s\S]*Ask or tell/);
    expect(after).toContain("> second words");
    expect(after).not.toContain("first words");
  });

  it("interrupts by one Ctrl+C, quits by two, and says more meanwhile", async () => {
    const { terminal, ended, emulator } = await openChat({
      script: [callTool("Bash", { command: "touch a" }), say("Heard.")],
    });
    terminal.type(`go${enter}`);
    await terminal.until(/Yes, this once/);
    terminal.type(ctrl("c"));
    await terminal.until(/Interrupted/);
    await terminal.until(/once more quits/);
    terminal.type(ctrl("c"));
    expect(await ended).toMatch(/^ses_/);
    expect([...emulator.requests]).toHaveLength(1);
  });
});
