import { describe, expect, it } from "vitest";
import { fail, ok, type Result, type ToolContext } from "../../../../core/src/spec/index.ts";
import { checkToolInput } from "../check-input.ts";
import { createSnipTool, type SnipResult } from "./index.ts";

const inSession = (id: string) => ({ session: { id } }) as ToolContext;

function snipTool(answer: Result<SnipResult>) {
  const asked: (readonly string[] | undefined)[] = [];
  const tool = createSnipTool({
    snip: async (entries) => {
      asked.push(entries);
      return answer;
    },
  });
  const run = (input: unknown, session = "one") => tool.run?.(input, inSession(session));
  return { tool, asked, run };
}

describe("Snip", () => {
  it("asks for all that nothing needs, or for the rounds that are named", async () => {
    const { run, asked } = snipTool(ok({ freedTokens: 4_200, rounds: 3 }));
    expect(await run({})).toEqual({ content: "Removed 3 rounds, about 4200 tokens." });
    await run({ entries: [] });
    await run({ entries: ["toolu_1", "e2"] });
    expect(asked).toEqual([undefined, undefined, ["toolu_1", "e2"]]);
  });

  it("says in one line what stays, and why", async () => {
    const refused = [
      { id: "a", reason: "a later\nround refers to it" },
      { id: "b", reason: "it is one of the newest rounds" },
    ];
    expect(
      await snipTool(ok({ freedTokens: 9, rounds: 1, refused })).run({ entries: ["a", "b", "c"] }),
    ).toEqual({
      content:
        "Removed 1 round, about 9 tokens. Kept: a (a later round refers to it); b (it is one of the newest rounds).",
    });
    expect(await snipTool(ok({ freedTokens: 0, rounds: 0 })).run({})).toEqual({
      content: "Nothing was removed. Every round is new or referred to by a later one.",
    });
  });

  it("says what to do where it failed", async () => {
    const failed = fail("conflict", "Snipping is off.", { fix: "Turn the flag on." });
    expect(await snipTool(failed).run({})).toEqual({
      content: "Snipping is off. Turn the flag on.",
      isError: true,
    });
  });

  it("takes nothing from the conversation that a fork came from", async () => {
    const { run, asked } = snipTool(ok({ freedTokens: 1, rounds: 1 }));
    expect(await run({}, "one/fork_1")).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });

  it.each([{ entries: "all" }, { entries: [1] }, { entries: [""] }, { other: 1 }])(
    "refuses %j",
    async (input) => {
      const { tool } = snipTool(ok({ freedTokens: 0, rounds: 0 }));
      expect((await checkToolInput(tool, input)).ok).toBe(false);
    },
  );
});
