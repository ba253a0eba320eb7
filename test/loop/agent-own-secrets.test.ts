import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { spellingsOf } from "../../packages/core/src/session/secrets/own/spellings.ts";
import type { Event, Tool } from "../../packages/core/src/spec/index.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { usePrograms } from "../mcp/support.ts";
import { collect, endOf, entriesOf, openAgent as openVirtual, type Provider } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { inTurn, lastResult, resultsOf, run, useProject } from "./agent-project.ts";

const token = "Tk-9fQ2mZ7xLb4Wn8Rv3Jc6";
const vault = "Va_5hY1kP0sGd8Ue2Tq7Ao4";
const wiki = "Wi=3jX6bN9cM2/Ld5Kf8Hs1+";
const typed = "Ty-4rE7wQ1aZ8sX5dC2fV9g";

async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== "settings.json");
  return (
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")))
  ).join();
}

describe.each<Provider>(["anthropic", "openai"])("own keys, with %s", (provider) => {
  it("are masked in results of commands, files, servers, tasks and agents, and in what hooks say", async () => {
    const programs = await usePrograms();
    const hook = JSON.stringify({ context: `it sees ${token}`, message: `it shows ${token}` });
    const project = await useProject({
      provider,
      files: { "a.txt": `password ${vault}\n`, "say.sh": `cat > /dev/null; printf '%s' '${hook}'` },
      settings: {
        environment: { DEPLOY_TOKEN: token },
        mcp: { x: programs.settings("serve", { environment: { WIKI_KEY: wiki } }) },
        hooks: { PostToolUse: [{ matcher: "Bash", hooks: [{ command: ["sh", "say.sh"] }] }] },
        permissions: { allow: ["Bash", "mcp__x__environment"] },
        sessionNotesEnabled: false,
      },
      script: inTurn(
        callTool("Bash", { command: "echo $DEPLOY_TOKEN; printf $DEPLOY_TOKEN | base64" }),
        callTool("Read", { file_path: "a.txt" }),
        callTool("Grep", { pattern: "password", output_mode: "content" }),
        callTool("mcp__x__environment", {}),
        callTool("Bash", { command: "echo $DEPLOY_TOKEN", run_in_background: true }),
        (request) => {
          const [id] = /task_\w+/.exec(lastResult(request)) ?? [];
          return callTool("TaskOutput", { task_id: String(id), block: true });
        },
        callTool("Bash", { command: "echo $DEPLOY_TOKEN >&2; exit 3" }),
        say("Done."),
      ),
    });
    const session = await project.open({ secrets: { VAULT: vault } });
    const events = await run(session, `My own word: ${typed}`);
    const results = resultsOf(events).map(({ text }) => text);
    expect(endOf(events).reason).toBe("done");
    expect(results[0]).toMatch(/^\[masked: DEPLOY_TOKEN\]\n\[masked: DEPLOY_TOKEN\]\S{0,3}$/);
    expect(results[1]).toContain("password [masked: VAULT]");
    expect(results[2]).toContain("password [masked: VAULT]");
    expect(results[3]).toContain('"WIKI_KEY":"[masked: WIKI_KEY]"');
    expect(results[5]).toContain("[masked: DEPLOY_TOKEN]");
    expect(results[6]).toBe("[masked: DEPLOY_TOKEN]\n[Exit code 3]");
    await session.close();
    const requests = JSON.stringify([...project.emulator.requests].map(({ body }) => body));
    expect(requests).toContain("it sees [masked: DEPLOY_TOKEN]");
    expect(requests).toContain(`My own word: ${typed}`);
    for (const text of [
      requests,
      JSON.stringify(events),
      JSON.stringify(project.events),
      await bytesBelow(project.home),
    ])
      for (const secret of [token, vault, wiki]) expect(text).not.toContain(secret);
    const told = project.events.flatMap((event) => (event.type === "secret-mask" ? [event] : []));
    expect(told).toContainEqual(expect.objectContaining({ where: "result", names: ["DEPLOY_TOKEN"] }));
    expect(told).toContainEqual(expect.objectContaining({ where: "attachment", names: ["DEPLOY_TOKEN"] }));
  });

  it("stay where the program or the user wants none masked", async () => {
    for (const [secrets, settings] of [
      [false, {}],
      [{ VAULT: vault }, { maskOwnSecrets: false }],
    ] as const) {
      const project = await useProject({
        provider,
        files: { "a.txt": vault },
        settings,
        script: [callTool("Read", { file_path: "a.txt" }), say("Done.")],
      });
      const events = await run(await project.open({ secrets }));
      expect(resultsOf(events)[0]?.text).toContain(vault);
    }
  });
});

describe("a key that a model was given", () => {
  it("is masked in results, errors and progress", async () => {
    const key = "Mk-8dS3gH6jK1lP4oI7uY2t";
    const { emulator } = await emulate({ script: [callTool("Leak", {}), say("Done.")] });
    const leak: Tool = {
      name: "Leak",
      description: "Leaks.",
      input_schema: { type: "object", properties: {} },
      async run(_input, { progress }) {
        progress(`so far: ${key.slice(0, 20)}`);
        throw new Error(`it failed with ${key}`);
      },
    };
    const { anthropic } = await import("../../packages/palimpsest/src/models/anthropic/index.ts");
    const model = anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: key });
    const session = await openVirtual({ model, tools: [leak], mode: "bypass" });
    const events = await collect(session.run("Go."));
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool-progress", text: "so far: [masked: apiKey]" }),
    );
    expect(resultsOf(events)[0]?.text).toBe("Leak failed: it failed with [masked: apiKey]");
  });

  it("is masked in what methods throw, with its causes, and the error stays what it is", async () => {
    vi.stubEnv("ODD_SECRET", vault);
    const session = await openVirtual({});
    vi.unstubAllEnvs();
    const failure = await session.recall(`nothing-${vault}`).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ name: "PalimpsestError", code: "not-found" });
    expect(JSON.stringify([String(failure), failure, (failure as Error).stack])).not.toContain(vault);
  });
});

describe("own keys in random results", () => {
  it("are in no log, event or request, whatever their spelling and however they came", async () => {
    const value = fc
      .string({ unit: "grapheme-ascii", minLength: 12, maxLength: 60 })
      .filter(
        (one) =>
          new Set(one).size > 6 && /\d/.test(one) && /[a-z]/.test(one) && !/[/\\=:;,&"'`\s[{<(]/.test(one),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 3 }),
        fc.array(fc.array(fc.oneof(fc.string(), fc.nat()), { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (values, results, inBlocks) => {
          const secrets = Object.fromEntries(values.map((one, at) => [`OWN_${at}`, one]));
          const spellings = values.flatMap((one) => spellingsOf(one));
          const events: Event[] = [];
          const session = await openVirtual({ secrets, onEvent: (event) => events.push(event) });
          for (const [at, parts] of results.entries()) {
            const text = parts
              .map((part) => (typeof part === "number" ? spellings[part % spellings.length] : part))
              .join("");
            const id = `toolu_${at}`;
            await session.add({ role: "user", content: "Go on." });
            await session.add({
              role: "assistant",
              content: [{ type: "tool_use", id, name: "X", input: {} }],
            });
            const content = inBlocks ? [{ type: "text" as const, text: `x${text}` }] : text;
            await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
            await session.attach({ subtype: "hook", text: `y${text}` });
          }
          const { request } = await session.prepare();
          const strings: string[] = [];
          JSON.parse(JSON.stringify([request, events, await entriesOf(session)]), (_key, one) => {
            if (typeof one === "string") strings.push(one);
            return one;
          });
          for (const spelling of spellings)
            expect(strings.filter((one) => one.includes(spelling))).toEqual([]);
          await session.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
