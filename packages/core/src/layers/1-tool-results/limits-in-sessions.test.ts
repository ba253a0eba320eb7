import { describe, expect, it } from "vitest";
import {
  addRound,
  beginToolSession,
  frozenChoices,
  numberedLines,
  resultsFolder,
  seenResults,
  sentResults,
  toBlock,
} from "../../../../../test/support/tool-rounds.ts";
import type { Tool } from "../../spec/index.ts";

const tool = (name: string, traits: Partial<Tool> = {}): Tool => ({ name, input_schema: {}, ...traits });
const unlimited = tool("Read", { maxResultChars: Number.POSITIVE_INFINITY });

describe("the limit of a tool", () => {
  it.each([
    [49_999, "whole"],
    [50_000, "whole"],
    [50_001, "replaced"],
  ])("leaves a result of %d characters %s", async (size, outcome) => {
    const { session } = await beginToolSession();
    await addRound(session, [{ id: "t1", content: "x".repeat(size) }]);
    await session.prepare();
    expect(await frozenChoices(session)).toEqual([[`t1 ${outcome}`]]);
    await session.close();
  });

  it("shows what is on disk: size, path, beginning, and how to read the rest", async () => {
    const content = numberedLines(6_000);
    const { results, events } = await seenResults([{ id: "t1", tool: "Grep", content }]);
    const first = content.slice(0, content.lastIndexOf("\n", 2_000));
    expect(results).toEqual({
      t1: [
        "<persisted-output>",
        `The result of Grep is too large to stand here: ${content.length} bytes, 6000 lines.`,
        `All of it is in ${resultsFolder}/t1.txt`,
        "To read the rest: Read that path in parts (offset and limit), or Recall with the id t1.",
        `The first ${first.length} bytes:`,
        first,
        "</persisted-output>",
      ].join("\n"),
    });
    expect(events.filter(({ type }) => type === "result-offload")).toMatchObject([
      {
        toolUseId: "t1",
        tool: "Grep",
        limit: "tool",
        bytes: content.length,
        lines: 6_000,
        path: `${resultsFolder}/t1.txt`,
      },
    ]);
  });

  it("shows of a shell's output the exit code and the last lines too", async () => {
    const content = `Exit code 2\n${numberedLines(6_000)}make: *** [all] Error 2\n`;
    const { session } = await beginToolSession();
    await addRound(session, [{ id: "t1", tool: "Bash", content, isError: true }]);
    const { request } = await session.prepare();
    const shown = sentResults(request).t1 as string;
    expect(shown).toContain("\nExit code: 2\n");
    expect(shown).toMatch(
      /\nThe last \d+ bytes:\n(?:line \d+\n)+make: \*\*\* \[all\] Error 2\n<\/persisted-output>$/,
    );
    expect(JSON.stringify(request.messages)).toContain('"is_error":true');
    await session.close();
  });

  it("is what an MCP server declares, up to 500,000 characters", async () => {
    const declares = (chars: number) => ({ _meta: { "anthropic/maxResultSizeChars": chars } });
    const tools = [tool("mcp__a", declares(90_000)), tool("mcp__b", declares(9_000_000))];
    const settings = { toolResults: { roundMaxChars: 2_000_000 } };
    const model = "claude-sonnet-4-5[1m]";
    const { session } = await beginToolSession({ tools, settings, model });
    await addRound(session, [
      { id: "a1", tool: "mcp__a", content: "x".repeat(90_000) },
      { id: "a2", tool: "mcp__a", content: "x".repeat(90_001) },
      { id: "b1", tool: "mcp__b", content: "x".repeat(500_000) },
      { id: "b2", tool: "mcp__b", content: "x".repeat(500_001) },
    ]);
    await session.prepare();
    expect(await frozenChoices(session)).toEqual([["a1 whole", "a2 replaced", "b1 whole", "b2 replaced"]]);
    await session.close();
  });

  it("is what a flag says by the tool's name", async () => {
    const settings = { flags: { "tool-result-limits": { Bash: 3_000 } } };
    const { results } = await seenResults([{ id: "t1", content: numberedLines(500) }], { settings });
    expect(results.t1).toMatch(/^<persisted-output>/);
  });

  it("does not hold for a tool that pages its own output, after a restart either", async () => {
    const opened = await beginToolSession({ tools: [unlimited] });
    await addRound(opened.session, [{ id: "t1", tool: "Read", content: "x".repeat(150_000) }]);
    await opened.session.prepare();
    const { session } = await opened.resume();
    await addRound(session, [{ id: "t2", tool: "Read", content: "y".repeat(150_000) }]);
    await session.prepare();
    expect(await frozenChoices(session)).toEqual([["t1 whole"], ["t2 whole"]]);
    await session.close();
  });
});

describe("the limit of a round", () => {
  it("sends the largest to disk until the round holds, with all choices in one decision", async () => {
    const { session, events } = await beginToolSession({ tools: [unlimited] });
    await addRound(session, [
      { id: "t1", tool: "Read", content: "a".repeat(90_000) },
      { id: "t2", content: "b".repeat(45_000) },
      { id: "t3", tool: "Read", content: "c".repeat(120_000) },
      { id: "t4", content: "d".repeat(60_000) },
    ]);
    await session.prepare();
    expect(await frozenChoices(session)).toEqual([["t1 whole", "t2 whole", "t3 replaced", "t4 replaced"]]);
    expect(events.flatMap((event) => (event.type === "result-offload" ? event.limit : []))).toEqual([
      "round",
      "tool",
    ]);
    await session.close();
  });

  it("holds over results that come one by one, and over a response written down block by block", async () => {
    const { session } = await beginToolSession();
    const ids = ["t1", "t2", "t3", "t4", "t5"];
    for (const id of ids) {
      const call = { type: "tool_use", id, name: "Bash", input: { command: id } };
      await session.add({ role: "assistant", id: "msg_split", content: [call] });
      const content = "x".repeat(id === "t3" ? 45_001 : 45_000);
      await session.add({ role: "user", content: [toBlock({ id, content })] });
    }
    await session.prepare();
    expect(await frozenChoices(session)).toEqual([
      ["t1 whole", "t2 whole", "t3 replaced", "t4 whole", "t5 whole"],
    ]);
    await session.close();
  });

  it("makes even a hundred results hold", async () => {
    const answers = Array.from({ length: 100 }, (_, index) => ({
      id: `t${index}`,
      content: "x".repeat(2_100),
    }));
    const { results } = await seenResults(answers);
    const total = Object.values(results).reduce((sum, content) => sum + (content as string).length, 0);
    expect(total).toBeLessThanOrEqual(200_000);
  });
});
