import { describe, expect, it } from "vitest";
import { agentTools } from "../../../../../test/loop/agent-tool-list.ts";
import { headOf } from "../../../../core/src/session/head/session-head.ts";
import { quietTools } from "../../tools/permissions/index.ts";
import { toSystemPrompt } from "./system-prompt.ts";

/** Tokens by the plain rule: 2 bytes of JSON each. */
const plainTokens = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 2);

describe("the agent's own tools", () => {
  it("are the same, in the same order, each time", async () => {
    const names = (await agentTools()).map(({ name }) => name);
    expect(names).toEqual([
      "Read",
      "Write",
      "Edit",
      "MultiEdit",
      "NotebookEdit",
      "Grep",
      "Glob",
      "Bash",
      "TaskOutput",
      "TaskStop",
      "WebFetch",
      "WebSearch",
      "AskUserQuestion",
      "TodoWrite",
      "ExitPlanMode",
      "Skill",
      "Agent",
      "SendMessage",
      "Recall",
      "memory",
      "ToolSearch",
      "UseTool",
    ]);
    expect((await agentTools({})).map(({ name }) => name)).toEqual(
      names.filter((name) => name !== "WebSearch"),
    );
    expect(quietTools.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("take fewer than 12,000 tokens by the most careful count, and each is described shortly", async () => {
    const definitions = (await agentTools()).map(({ name, description, input_schema }) => ({
      name,
      description,
      input_schema,
    }));
    const tokens = plainTokens(definitions);
    expect(tokens).toBeLessThan(12_000);
    const long = definitions.filter(({ description = "" }) => description.length > 700);
    expect(long.map(({ name }) => name)).toEqual([]);
    expect(definitions.filter(({ description = "" }) => description.trim() === "")).toEqual([]);
  });

  it("are what the system prompt speaks of, and it speaks of no tool that is not there", async () => {
    const tools = await agentTools();
    const spokenIn = (prompt: string) =>
      tools.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b(?! of)`).test(prompt));
    expect(spokenIn(toSystemPrompt(tools))).toEqual(["TodoWrite", "Recall", "memory"]);
    for (const { name } of tools) {
      const others = tools.filter((tool) => tool.name !== name);
      expect(spokenIn(toSystemPrompt(others))).not.toContain(name);
    }
    expect(spokenIn(toSystemPrompt([]))).toEqual([]);
    expect(spokenIn(toSystemPrompt(tools.map((tool) => ({ ...tool, isDeferred: true }))))).toEqual([]);
  });

  it("say their lines of the system prompt in their own order, each once", async () => {
    const tools = await agentTools();
    const lines = toSystemPrompt(tools).split("\n");
    const said = [
      ...new Set(tools.flatMap(({ promptLines = [] }) => promptLines.map(({ text }) => `- ${text}`))),
    ];
    expect(said).toHaveLength(6);
    for (const section of ["work", "tools", "attachments"]) {
      const own = tools.flatMap(({ promptLines = [] }) =>
        promptLines.flatMap((line) => (line.section === section ? [`- ${line.text}`] : [])),
      );
      expect(lines.filter((line) => own.includes(line))).toEqual([...new Set(own)]);
    }
    expect(lines.filter((line) => !said.includes(line)).join("\n")).toBe(toSystemPrompt([]));
  });

  it("are sent and stored without them", async () => {
    const head = headOf({}, { tools: await agentTools() });
    expect(JSON.stringify(head)).toContain("TodoWrite");
    expect(JSON.stringify(head)).not.toContain("promptLines");
  });
});
