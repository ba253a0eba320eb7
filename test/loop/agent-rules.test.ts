import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { entriesOf, type Provider } from "../support/agent.ts";
import { blocksOf, brokenPrefixes, inTurn, kindsOf, noticesOf, run, useProject } from "./agent-project.ts";

const files = {
  ".git/HEAD": "",
  "AGENTS.md": "Project: tabs.\n",
  "CLAUDE.md": "Project: short names.\n",
  "deep/PALIMPSEST.md": "Deep: spaces.\n",
  "deep/a.txt": "a\n",
};

/** The rules among blocks or notices, by their last lines. */
const rulesIn = (texts: readonly string[]) =>
  texts.flatMap((text) => /(?:User|Project|Deep|Secret): [\w ]+\./.exec(text)?.[0] ?? []);

const readDeep = callTool("Read", { file_path: "deep/a.txt" });

describe.each<Provider>(["anthropic", "openai"])("rules files with %s", (provider) => {
  it("come before the prompt, deeper ones after the round that touches them, and none in the system prompt", async () => {
    const project = await useProject({ provider, files, script: inTurn(readDeep, readDeep, say("Read.")) });
    await writeFile(join(project.home, "AGENTS.md"), "User: be kind.\n");
    await run(await project.open(), "Read it.");
    const [first, second, third] = [...project.emulator.requests].map(blocksOf);
    const messages = (blocks: readonly string[] = []) =>
      blocks.filter((block) => /^(user|assistant) /.test(block));
    expect(rulesIn(messages(first))).toEqual(["User: be kind.", "Project: tabs.", "Project: short names."]);
    expect(messages(first).at(-1)).toContain("Read it.");
    expect(messages(first)[0]).toContain('type=\\"surroundings\\"');
    expect(rulesIn((first ?? []).filter((block) => block.startsWith("system")))).toEqual([]);
    const added = messages(second).slice(messages(first).length);
    expect(added.map((block) => /tool_use|tool_result|Deep/.exec(block)?.[0])).toEqual([
      "tool_use",
      "tool_result",
      "Deep",
    ]);
    expect(rulesIn(messages(third))).toHaveLength(4);
    expect(brokenPrefixes(project.emulator)).toEqual([]);
  });

  it("are given again when they have changed, and never twice, also after the session was closed", async () => {
    const project = await useProject({ provider, files });
    const say4 = Array.from({ length: 4 }, () => say("Yes."));
    project.emulator.setScript(inTurn(readDeep, ...say4, say("Yes.")));
    const rulesOf = async (session: Awaited<ReturnType<typeof project.open>>) =>
      rulesIn(noticesOf(await run(session)).map(({ text }) => text));
    const first = await project.open();
    expect(await rulesOf(first)).toEqual(["Project: tabs.", "Project: short names.", "Deep: spaces."]);
    await project.write("AGENTS.md", "Project: spaces now.\n");
    expect(await rulesOf(first)).toEqual(["Project: spaces now."]);
    await first.close();

    const second = await project.open({ resume: true });
    expect(await rulesOf(second)).toEqual([]);
    await second.close();
    await project.write("AGENTS.md", "Project: tabs.\n");
    await project.write("deep/PALIMPSEST.md", "Deep: anything.\n");
    const third = await project.open({ resume: true });
    expect(await rulesOf(third)).toEqual(["Project: tabs.", "Deep: anything."]);
    expect(await rulesOf(third)).toEqual([]);
    expect(brokenPrefixes(project.emulator)).toEqual([]);
  });
});

describe("rules files", () => {
  it("are given again when a rewind has taken them out of view", async () => {
    const project = await useProject({ files, script: [say("One."), say("Two.")] });
    const session = await project.open();
    await run(session);
    const entries = await entriesOf(session);
    const [surroundings] = entries.filter(({ kind }) => kind === "message");
    await session.rewind(surroundings?.id ?? "");
    expect(kindsOf(await run(session))).toEqual(["rules", "rules"]);
    const { whole: _whole, ...last } = project.emulator.requests.last as RecordedRequest;
    expect(last.status).toBe(200);
  });

  it("that nobody may read are not given", async () => {
    const project = await useProject({
      files: { ...files, "secret/AGENTS.md": "Secret: a word.\n", "secret/b.txt": "b\n" },
      projectSettings: { permissions: { deny: ["Read(secret/**)", "Read(CLAUDE.md)"] } },
      script: [callTool("Glob", { pattern: "*", path: "secret" }), readDeep, say("Read.")],
    });
    const events = await run(await project.open());
    expect(rulesIn(noticesOf(events).map(({ text }) => text))).toEqual(["Project: tabs.", "Deep: spaces."]);
    expect(project.warnings).toEqual([`${project.path("CLAUDE.md")} was left out: it may not be read.`]);
  });

  it("of folders that a refused call would have touched are not given", async () => {
    const write = callTool("Write", { file_path: "deep/new.txt", content: "new" });
    const project = await useProject({ files, script: [write, say("No.")] });
    const events = await run(await project.open({ mode: "ask" }));
    expect(rulesIn(noticesOf(events).map(({ text }) => text))).toEqual([
      "Project: tabs.",
      "Project: short names.",
    ]);
  });

  it("are left out where the agent is opened without them", async () => {
    const project = await useProject({ files, script: [readDeep, say("Read.")] });
    expect(kindsOf(await run(await project.open({ isRuleless: true })))).toEqual(["surroundings"]);
  });
});
