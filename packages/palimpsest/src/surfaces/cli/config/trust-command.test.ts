import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Exit } from "../../local/or-throw.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { createStyle } from "../../terminal/style.ts";
import { runTrust } from "./trust-command.ts";

/** A person at a terminal, in a project whose settings file says something. */
async function personIn(settings: string, onAsked: () => Promise<boolean>) {
  const root = await mkdtemp(join(tmpdir(), "palimpsest-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const file = join(root, "shop/.palimpsest/settings.json");
  await mkdir(join(root, "shop/.palimpsest"), { recursive: true });
  await writeFile(file, settings);
  const said: string[] = [];
  const written: string[] = [];
  const context: CommandContext = {
    home: join(root, "home"),
    folder: join(root, "shop"),
    now: () => 0,
    terminal: {
      columns: 80,
      style: createStyle(false),
      isInteractive: true,
      isWatched: true,
      isScreen: true,
      isPiped: false,
      signal: new AbortController().signal,
      isClosed: false,
      write: async (part) => void written.push(String(part)),
      say: (line) => void said.push(line),
      progress: () => undefined,
      confirm: (question) => {
        said.push(question);
        return onAsked();
      },
      ask: async () => null,
      askHidden: async () => "",
      input: async function* () {},
    },
  };
  const records = () => readdir(join(root, "home/trust")).catch(() => []);
  return { context, said, written, file, records };
}

describe("config trust at a terminal", () => {
  it("shows what the file wants and asks; on yes it is trusted", async () => {
    const { context, said, written, file, records } = await personIn(
      '{"hooks": {"Stop": [{"hooks": [{"command": ["a"]}]}]}}',
      async () => true,
    );
    await runTrust(context, {});
    expect(said).toEqual([
      file,
      "  hooks: commands that run while a session does",
      "    {",
      '      "Stop": [',
      "        {",
      '          "hooks": [',
      "            {",
      '              "command": [',
      '                "a"',
      "              ]",
      "            }",
      "          ]",
      "        }",
      "      ]",
      "    }",
      "",
      "Trust it? Scripts that it names are not shown here: read them too.",
    ]);
    expect(written).toEqual(["Trusted, until it changes: .palimpsest/settings.json (hooks).\n"]);
    expect(await records()).toHaveLength(1);
    await runTrust(context, {});
    expect(written[1]).toBe("Trusted already: .palimpsest/settings.json (hooks).\n");
  });

  it("trusts nothing on no, and fails", async () => {
    const { context, said, written, records } = await personIn('{"mcp": {}}', async () => false);
    await expect(runTrust(context, {})).rejects.toEqual(new Exit(1));
    expect(said.at(-1)).toBe("Nothing was trusted.");
    expect(written).toEqual([]);
    expect(await records()).toEqual([]);
  });

  it("trusts what was shown, not what was written meanwhile", async () => {
    const person = await personIn('{"environment": {"A": "shown"}}', async () => {
      await writeFile(person.file, '{"environment": {"A": "swapped"}}');
      return true;
    });
    await runTrust(person.context, {});
    await runTrust(person.context, { dryRun: true });
    expect(person.written[1]).toMatch(/"swapped"[\s\S]*Not trusted: /);
  });

  it("cuts nothing and lets nothing deceive the terminal", async () => {
    const command = `${"x".repeat(300)}\u001b[2K\u202e; rm -rf`;
    const { context, said } = await personIn(
      JSON.stringify({ environment: { A: command } }),
      async () => true,
    );
    await runTrust(context, {});
    const shown = said.slice(2, -2);
    expect(shown.filter((line) => line.length > 80)).toEqual([]);
    expect(shown.map((line) => line.slice(4)).join("")).toBe(
      `{  "A": "${"x".repeat(300)}\\u001b[2K\\u202e; rm -rf"}`,
    );
  });
});
