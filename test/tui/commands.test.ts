import { afterEach, describe, expect, it, vi } from "vitest";
import { chatCommands } from "../../packages/palimpsest/src/surfaces/tui/state/commands.ts";
import { fault, otherwise, say, when } from "../../packages/testing/src/index.ts";
import { asksForSummary, summarised } from "../compaction/compacting-agent.ts";
import { emulate } from "../support/emulator.ts";
import { ctrl, down, enter, escapeKey, openChat, ready } from "./open-chat.ts";

const wordy = (mark: string) => say(`${mark} ${"A sentence that takes its place. ".repeat(200)}`);

afterEach(() => void vi.unstubAllEnvs());

describe("a command of the terminal agent", () => {
  it("/help names every command", async () => {
    const { say: line, terminal } = await openChat({ rows: 50 });
    await line("/help");
    const shown = await terminal.all();
    for (const { name } of chatCommands) expect(shown).toContain(`/${name}`);
    expect(shown).toContain("Ctrl+O");
  });

  it("/context shows what fills the window", async () => {
    const { say: line } = await openChat({ rows: 50 });
    expect(await line("/context", /Free space/)).toMatch(/of 200,000 tokens[\s\S]*Built-in tools/);
  });

  it("/cost sums up requests, tokens and dollars, as the footer has them", async () => {
    const { say: line } = await openChat({ script: [say("One."), say("Two.")], rows: 40 });
    await line("first");
    await line("second");
    const shown = await line("/cost", /newest prompt/);
    expect(shown).toMatch(/requests +2\n/);
    const [, dollars] = /dollars +(\$[\d.]+)/.exec(shown) ?? [];
    expect(shown.split("\n").at(-1)).toMatch(new RegExp(`cache \\d+% · \\${dollars}`));
  });

  it("/tasks says what goes on", async () => {
    const { say: line } = await openChat();
    await line("/tasks", /No background work/);
  });

  it("/memory, /config and /hooks show what the program's own commands do", async () => {
    const { say: line, terminal } = await openChat({ rows: 50 });
    await line("/memory", /Nothing is remembered of this project yet\./);
    await line("/hooks", /None is set\./);
    await line("/config");
    expect(await terminal.all()).toContain("autoCompactEnabled");
  });

  it("/dream puts memories in order by the session's model, and says what came of it", async () => {
    const { emulator } = await emulate({ script: [otherwise(say("Nothing is to be done."))] });
    vi.stubEnv("ANTHROPIC_BASE_URL", emulator.url);
    vi.stubEnv("ANTHROPIC_API_KEY", "sk-test");
    const { say: line } = await openChat({ emulator, agent: { model: "claude-haiku-4-5" } });
    const shown = await line("/dream", /nothing was to be changed/);
    expect(shown).toMatch(/\nDream\n[\s\S]*Memory is in order: nothing was to be changed\./);
    expect([...emulator.requests].map(({ whole }) => whole?.model)).toEqual(["claude-haiku-4-5"]);
  });

  it("/compact shows its steps and what came of it; /undo takes it back", async () => {
    const script = [when(asksForSummary, summarised("All of it.")), when(() => true, wordy("Then."))];
    const { say: line } = await openChat({ script, rows: 40 });
    for (const word of ["one", "two", "three"]) await line(word);
    await line("/compact keep the names", /Compacted: [\d,]+ → [\d,]+ tokens/);
    await line("/undo", /Undone: [\d,]+ → [\d,]+ tokens/);
  });

  it("/undo takes back one compaction after the other, newest first, until there is none", async () => {
    const script = [when(asksForSummary, summarised("All of it.")), when(() => true, wordy("Then."))];
    const { say: line, terminal, chat } = await openChat({ script, rows: 60 });
    const sizes: (number | undefined)[] = [];
    for (const word of ["one", "two", "three", "four", "five", "six"]) {
      await line(word);
      if (word !== "three" && word !== "six") continue;
      sizes.unshift(chat.state.fullness?.tokens);
      await line("/compact", /Compacted: [\d,]+ → [\d,]+ tokens/);
    }
    await line("/undo");
    await terminal.until(/Undone: [\d,]+ → [\d,]+ tokens/);
    await line("/undo");
    await terminal.until(/(?:Undone: [\s\S]*){2}/);
    expect(chat.state.fullness?.tokens).toBeGreaterThan(sizes[0] ?? 0);
    await line("/undo", /There is no compaction to undo/);
  });

  it("/compact is stopped by Ctrl+C, and nothing has changed", async () => {
    const script = [when(asksForSummary, fault.stall()), when(() => true, wordy("Then."))];
    const { say: line, terminal, chat } = await openChat({ script, rows: 40 });
    for (const word of ["one", "two", "three"]) await line(word);
    const before = chat.state.fullness?.tokens;
    terminal.type(`/compact${enter}`);
    await terminal.until(/Compacting +\(Ctrl\+C stops it\)[\s\S]*tokens are there \(manual\)/);
    terminal.type(ctrl("c"));
    await terminal.until(/Compaction stopped; nothing was changed/);
    await terminal.until(/Ctrl\+C once more quits/);
    terminal.type("x");
    await terminal.until(/> x/);
    expect(chat.state.fullness?.tokens).toBe(before);
  });

  it("/snip says what it took out", async () => {
    const { say: line } = await openChat();
    await line("/snip", /Nothing was taken out/);
  });

  it("/clear begins anew; /resume lists sessions and opens one where it was", async () => {
    const { say: line, terminal, chat } = await openChat({ script: [say("An answer to find.")], rows: 40 });
    await line("something to find");
    const first = chat.state.session?.id;
    await line("/clear");
    await terminal.until(/A new session/);
    expect(chat.state.session?.id).not.toBe(first);
    terminal.type(`/resume${enter}`);
    const listed = await terminal.until(/Which session\?/);
    expect(listed).toContain("something to find");
    const at = listed.split("\n").filter((row) => /^[❯ ] \d/.test(row));
    const wanted = at.findIndex((row) => row.includes("something to find"));
    terminal.type(`${down.repeat(wanted)}${enter}`);
    await terminal.until(/An answer to find\.[\s\S]*An answer to find\.[\s\S]*Ask or tell/);
    expect(chat.state.session?.id).toBe(first);
  });

  it("/resume with an id that is none says so", async () => {
    const { say: line, terminal } = await openChat();
    await line("/resume ses_nothing");
    await terminal.until(/error: /);
  });

  it("/rewind goes back to before a prompt, and writes it again", async () => {
    const {
      say: line,
      terminal,
      emulator,
    } = await openChat({
      script: [say("One."), say("Two."), say("Three.")],
    });
    await line("first words");
    await line("second words");
    terminal.type(`/rewind${enter}`);
    await terminal.until(/Back to before which prompt/);
    terminal.type(enter);
    await terminal.until(/Rewound[\s\S]*> second words/);
    terminal.type(` again${enter}`);
    await terminal.until(/Three\.[\s\S]*Ask or tell/);
    const said = JSON.stringify(emulator.requests.last?.body);
    expect(said).toContain("first words");
    expect(said).toContain("second words again");
    expect(said).not.toContain("Two.");
  });

  it("/model lists the catalog's models and changes who answers, in the same session", async () => {
    const { terminal, chat, say: line } = await openChat({ rows: 40 });
    const before = chat.state.session;
    terminal.type(`/model${enter}`);
    const listed = await terminal.until(/Which model\?/);
    expect(listed).toMatch(/❯ 1 {2}claude-opus-4-5 {2}answers now · 200,000 tokens · \$5 in, \$25 out/);
    expect(listed).toMatch(/claude-haiku-4-5 {2}200,000 tokens · \$1 in, \$5 out/);
    expect(listed).not.toContain("gpt-");
    terminal.type(escapeKey);
    await terminal.until(ready);
    await line("/model claude-haiku-4-5");
    await terminal.until(/Model changed to claude-haiku-4-5/);
    expect(chat.state.session).toEqual({ ...before, model: "claude-haiku-4-5" });
  });

  it("/quit leaves, and the terminal is as it was", async () => {
    const { terminal, ended, chat } = await openChat();
    const id = chat.state.session?.id;
    terminal.type(`/quit${enter}`);
    expect(await ended).toBe(id);
    expect(terminal.isRaw).toBe(false);
    expect(terminal.written.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(
      terminal.written.lastIndexOf("\u001b[?2004h"),
    );
    expect(terminal.written.lastIndexOf("\u001b[?25h")).toBeGreaterThan(
      terminal.written.lastIndexOf("\u001b[?25l"),
    );
    expect(await terminal.screen()).not.toContain("Ask or tell");
  });

  it("that is none is told, and a path is a prompt", async () => {
    const { say: line, terminal, emulator } = await openChat({ script: [say("A path.")] });
    terminal.type(`/nonsense${enter}`);
    await terminal.until(/There is no \/nonsense/);
    terminal.type(ctrl("u"));
    await line("/etc/hosts is what?");
    await terminal.until(/A path\./);
    expect([...emulator.requests]).toHaveLength(1);
  });

  it("that changes the session waits while the model works; one that looks does not", async () => {
    const { terminal, emulator, chat } = await openChat({ script: [fault.stall()], rows: 40 });
    terminal.type(`go${enter}`);
    await terminal.until(/waiting for claude-opus-4-5/);
    for (const { name } of chatCommands.filter(({ onlyLooks }) => !onlyLooks)) {
      terminal.type(`/${name} ${enter}`);
      await terminal.until(new RegExp(`! /${name} has to wait until this has ended`));
      terminal.type(ctrl("u"));
    }
    terminal.type(`/cost${enter}`);
    await terminal.until(/tokens out/);
    expect(chat.state.work).toBeNull();
    expect([...emulator.requests].map(asksForSummary)).toEqual([false]);
    terminal.type(ctrl("c"));
    await terminal.until(/Interrupted/);
  });
});
