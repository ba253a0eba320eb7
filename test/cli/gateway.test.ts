import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { cliEnvironment, mainPath, runCli, runCliProcess } from "../support/cli.ts";
import { emulate, hello } from "../support/emulator.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("palimpsest gateway", () => {
  it("relays until it is interrupted, with a line for every request, and never says the key", async () => {
    const { emulator } = await emulate();
    const home = await temporaryFolder();
    const args = [mainPath, "gateway", "--json", "--for", "claude", "--upstream", emulator.url];
    const child = spawn(process.execPath, args, { cwd: home, env: cliEnvironment({ home }) });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value);
    const listening = await next();
    expect(listening).toMatchObject({
      type: "listening",
      settings: { environment: { ANTHROPIC_BASE_URL: listening.url } },
    });
    const key = "sk-ant-this-is-never-said-0123456789";
    const answer = await fetch(`${listening.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify(hello),
    });
    expect(answer.status).toBe(200);
    const line = await next();
    expect(line).toMatchObject({ type: "request-end", sent: "raw", match: "first", status: 200 });
    expect(JSON.stringify([listening, line])).not.toContain(key);
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
  });

  it("turns keep-warm on by one line, and says for how long it keeps keys", async () => {
    const home = await temporaryFolder();
    const args = [mainPath, "gateway", "--set", "keepWarm.enabled=true", "--upstream", "http://127.0.0.1:9"];
    const child = spawn(process.execPath, args, { cwd: home, env: cliEnvironment({ home }) });
    let shown = "";
    for await (const chunk of child.stdout) {
      shown += chunk;
      if (shown.includes("Ctrl+C")) break;
    }
    expect(shown).toContain("Keys are passed on, and kept in memory only, for keep-warm reads.");
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] ?? "";
    const status = await (await fetch(`${url}/palimpsest/status`)).json();
    expect(status).toMatchObject({ isKeepingWarm: true, keepWarm: { reads: 0, misses: 0, dollars: 0 } });
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
  });

  it("runs an agent with the settings it needs, and ends as it ends", async () => {
    const home = await temporaryFolder();
    const tokenFile = join(home, "token");
    await writeFile(tokenFile, "a-token-of-some-length\n");
    const print = "console.log(process.env.OPENCODE_CONFIG_CONTENT); process.exitCode = 7";
    const agent = ["--for", "opencode", "--token-file", tokenFile, "--", process.execPath, "-e", print];
    const { code, stdout } = await runCliProcess(["gateway", ...agent], { home });
    expect(code).toBe(7);
    const options = {
      baseURL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      headers: { "x-palimpsest-token": "a-token-of-some-length" },
    };
    expect(JSON.parse(stdout)).toEqual({ provider: { anthropic: { options } } });
  });

  it("gives pi a folder of its own with the file that it reads", async () => {
    const home = await temporaryFolder();
    const print = "console.log(fs.readFileSync(process.env.PI_CODING_AGENT_DIR + '/models.json', 'utf8'))";
    const agent = ["--for", "pi", "--", process.execPath, "-e", print];
    const { code, stdout } = await runCliProcess(["gateway", ...agent], { home });
    expect(code).toBe(0);
    const baseUrl = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(stdout)).toEqual({ providers: { anthropic: { baseUrl } } });
  });

  it("refuses a token that an agent would run or replace", async () => {
    const home = await temporaryFolder();
    const tokenFile = join(home, "token");
    for (const [agent, token] of [
      ["pi", "!a-command-to-be-run"],
      ["opencode", "{file:/etc/hostname}"],
    ] as const) {
      await writeFile(tokenFile, token);
      const { code, stderr } = await runCli(["gateway", "--for", agent, "--token-file", tokenFile], { home });
      expect(code).toBe(1);
      expect(stderr).toContain(`${agent} would not send this token as it is.`);
    }
  });

  it("answers wrong usage with the right form", async () => {
    const home = await temporaryFolder();
    const ends = await Promise.all(
      [
        ["--", "opencode"],
        ["--token-file", "/nonexistent"],
        ["--for", "nobody"],
        ["--port", "x"],
      ].map((args) => runCli(["gateway", ...args], { home })),
    );
    for (const { code, stderr } of ends) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: [^\n]*use: palimpsest gateway[^\n]*\n$/);
    }
    const wrong = await runCli(["gateway", "--upstream", "nonsense"], { home });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("fix:") });
    const { stdout } = await runCli(["gateway", "--help"]);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
