import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { PalimpsestError } from "../../packages/core/src/spec/index.ts";
import { showFirstRun } from "../../packages/palimpsest/src/surfaces/cli/chat/chat-command.ts";
import type { CommandContext } from "../../packages/palimpsest/src/surfaces/local/terminal.ts";
import { cliEnvironment, mainPath, runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testContext } from "./open-chat.ts";

/** What is said and written to a person without a key, who answers whether to see the demo. */
async function firstRun(answer: boolean) {
  const context = testContext("/home", "/project", new AbortController().signal);
  const said: string[] = [];
  const written: string[] = [];
  const terminal = {
    ...context.terminal,
    say: (line: string) => void said.push(line),
    write: async (part: string | Uint8Array) => void written.push(String(part)),
    confirm: async (question: string) => {
      said.push(question);
      return answer;
    },
  };
  const problem = new PalimpsestError("unauthenticated", "There is no key for Anthropic.");
  const shown: CommandContext[] = [];
  const person = { ...context, terminal };
  await showFirstRun(person, problem, async (to) => void shown.push(to));
  return { said: said.join("\n"), written: written.join(""), isShown: shown[0] === person };
}

describe("palimpsest chat without a key", () => {
  it("says how to set one, how to do without, and what works as it is", async () => {
    const { said, written } = await firstRun(false);
    for (const words of [
      "There is no key for Anthropic.",
      "ANTHROPIC_API_KEY",
      "OPENAI_BASE_URL=http://localhost:11434/v1",
      "palimpsest demo",
      "palimpsest emulator",
      "palimpsest sessions list",
      "palimpsest memory list",
      "Show the demo now?",
    ])
      expect(said).toContain(words);
    expect(Math.max(...said.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(written).toBe("");
  });

  it("shows the demo where that is wanted", async () => {
    expect((await firstRun(true)).isShown).toBe(true);
    expect((await firstRun(false)).isShown).toBe(false);
  });

  it("says in one line that it needs a terminal", async () => {
    const home = await temporaryFolder();
    const { code, stdout, stderr } = await runCli(["chat"], { home, cwd: home });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: chat needs a terminal; .*palimpsest run -p .*\n$/);
  });

  it.skipIf(!hasPseudoTerminals())(
    "in a terminal asks, hears the answer, and ends without a stack",
    async () => {
      const home = await temporaryFolder();
      const child = spawn("script", ["-qefc", `'${process.execPath}' '${mainPath}' chat`, "/dev/null"], {
        cwd: home,
        env: cliEnvironment({ home, environment: { TERM: "xterm" } }),
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      let screen = "";
      child.stdout.on("data", (chunk) => {
        screen += chunk;
        if (/demo now\?/.test(screen) && !child.stdin.writableEnded) child.stdin.end("n\n");
      });
      const [code] = await once(child, "close");
      expect(code).toBe(1);
      const shown = stripVTControlCharacters(screen);
      expect(shown).toContain("There is no key for Anthropic");
      expect(shown).not.toContain("The context grows to");
      expect(shown).not.toMatch(/ at .*:\d+:\d+/);
    },
  );
});

/** Whether there is the program that gives others a terminal, in the form that Linux has it. */
function hasPseudoTerminals(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}
