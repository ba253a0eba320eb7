import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Event, openSession } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, type EmulatorOptions, fault, say } from "palimpsest/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { runCommand, temporaryFolder } from "./subject.ts";

interface OwnSecrets {
  readonly key: string;
  readonly variables: Readonly<Record<string, string>>;
  /** What of the variables is secret. */
  readonly secrets: readonly string[];
  /** Each shows the environment of the process that runs it, in some form. */
  readonly commands: readonly string[];
  /** A provider's answer to a wrong key, and what a proxy before it adds. */
  readonly refusal: string;
}

const { key, variables, secrets, commands, refusal } = readJsonFixture<OwnSecrets>("50-own-secrets.json");
const all = [key, ...secrets];

async function begin(script: EmulatorOptions["script"]) {
  const emulator = await createEmulator({ script });
  onTestFinished(() => emulator.close());
  return { emulator, home: await temporaryFolder(), project: await temporaryFolder() };
}

/** Everything that was written below a folder. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
  return texts.join("\n");
}

/** The secrets that a text gives away: as they are, in base64 or in hex, wrapped or not. */
function givenAway(text: string): readonly string[] {
  const joined = text.replaceAll(/\\n|\s/g, "");
  const decoded = [...joined.matchAll(/[A-Za-z0-9+/]{16,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
  const dumped = [...joined.matchAll(/[0-9a-f]{16,}/g)].flatMap(([run]) =>
    [0, 1].map((from) => Buffer.from(run.slice(from), "hex").toString("latin1")),
  );
  const seen = [text, joined, ...decoded, ...dumped].join("\n");
  return all.filter((secret) => seen.includes(secret));
}

describe("the process's own keys", () => {
  it("50: are in no log, request or output, though commands print them in nine forms", async () => {
    const { emulator, home, project } = await begin(({ whole }) => {
      const said = JSON.stringify(whole?.messages ?? []).split('"tool_result"').length - 1;
      const command = commands[said];
      return command === undefined ? say("Done.") : callTool("Bash", { command });
    });
    const { code, stdout, stderr } = await runCommand(
      [
        ...["run", "-p", "Look around.", "--model", "claude-opus-4-5"],
        ...["--permission-mode", "bypass", "--output", "stream-json"],
      ],
      {
        home,
        cwd: project,
        environment: { ...variables, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: emulator.url },
      },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const last = JSON.stringify([...emulator.requests].at(-1)?.body?.messages);
    expect(last.split("[masked: ANTHROPIC_API_KEY]").length).toBeGreaterThan(commands.length);
    const requests = JSON.stringify([...emulator.requests].map(({ body }) => body));
    for (const text of [stdout, requests, await bytesBelow(home)]) expect(givenAway(text)).toEqual([]);
  });

  it("50: are in no event, log or request of a program's own loop, nor in what a hook prints", async () => {
    const { emulator, home, project } = await begin([say("Done.")]);
    for (const [name, value] of Object.entries({ ...variables, ANTHROPIC_API_KEY: key })) {
      const before = process.env[name];
      process.env[name] = value;
      onTestFinished(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
    const events: Event[] = [];
    const session = await openSession({
      home,
      cwd: project,
      model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: key }),
      hooks: { UserPromptSubmit: [() => ({ context: `The environment: ${JSON.stringify(process.env)}` })] },
      onEvent: (event) => events.push(event),
    });
    onTestFinished(() => session.close());
    await session.add({ role: "user", content: "Look." });
    await session.add({
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "Env", input: {} }],
    });
    const environment = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
    await session.add({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: environment.join("\n") }],
    });
    const told: unknown[] = [];
    for await (const event of session.run("And now?")) told.push(event);
    await session.close();
    const requests = JSON.stringify([...emulator.requests].map(({ body }) => body));
    expect(requests).toContain("GITHUB_TOKEN=[masked: GITHUB_TOKEN]");
    for (const text of [JSON.stringify(events), JSON.stringify(told), requests, await bytesBelow(home)])
      expect(givenAway(text)).toEqual([]);
  });

  it("50: are in no message, though a provider's refusal quotes them", async () => {
    const { emulator, home, project } = await begin([
      fault.streamError({
        error: {
          status: 401,
          type: "authentication_error",
          message: refusal.replace("KEY", key).replace("PASSWORD", String(secrets.at(-1))),
        },
      }),
    ]);
    const { code, stdout, stderr } = await runCommand(
      ["run", "-p", "Hi.", "--model", "claude-opus-4-5", "--output", "stream-json"],
      {
        home,
        cwd: project,
        environment: { ...variables, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: emulator.url },
      },
    );
    expect(code).toBe(1);
    expect(stdout).toContain("Incorrect API key provided");
    for (const text of [stdout, stderr, await bytesBelow(home)]) expect(givenAway(text)).toEqual([]);
  });
});
