import { describe, expect, it } from "vitest";
import { agentTools } from "../../../../../test/loop/agent-tool-list.ts";
import { quietTools } from "../../tools/permissions/index.ts";
import { systemPrompt } from "./system-prompt.ts";

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

  it("are what the system prompt speaks of", async () => {
    const names = (await agentTools()).map(({ name }) => name);
    const spoken = [...systemPrompt.matchAll(/\bThe (\w+) tool\b|\b([A-Z][a-z]+[A-Z]\w+)\b/g)].flatMap(
      ([, one, other]) => one ?? other ?? [],
    );
    expect(spoken).not.toEqual([]);
    expect(spoken.filter((name) => !names.includes(name))).toEqual([]);
  });
});
