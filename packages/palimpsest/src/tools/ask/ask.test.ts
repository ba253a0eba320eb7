import { describe, expect, it } from "vitest";
import { fail, ok, type Tool, type ToolContext } from "../../../../core/src/spec/index.ts";
import { createAskTool } from "./index.ts";

const questions = [
  { question: "Which one?", options: [{ label: "A" }, { label: "B" }] },
  { question: "And why?", options: [{ label: "C" }, { label: "D" }], multiSelect: true },
];

const call = (tool: Tool, context: Partial<ToolContext>) =>
  tool.run?.({ questions }, { signal: new AbortController().signal, ...context } as ToolContext);

describe("the AskUserQuestion tool", () => {
  it("gives each question with its answer", async () => {
    const asked: unknown[] = [];
    const outcome = await call(createAskTool(), {
      ask: async (given) => {
        asked.push(given);
        return ok([{ question: "And why?", answers: ["C", "my own words"] }]);
      },
    });
    expect(asked).toEqual([questions]);
    expect(outcome).toEqual({ content: "Which one?\n→ (no answer)\nAnd why?\n→ C; my own words" });
  });

  it("tells the model to decide where there is nobody", async () => {
    expect(await call(createAskTool(), {})).toEqual({
      content:
        "There is nobody to ask. Decide yourself what fits best, and say in your answer what you decided and why.",
      isError: true,
    });
  });

  it("says why there is no answer", async () => {
    expect(
      await call(createAskTool(), { ask: async () => fail("aborted", "The dialog was closed.") }),
    ).toEqual({
      content: "There is no answer: The dialog was closed. Go on without it, or stop where you cannot.",
      isError: true,
    });
  });

  it("opens one dialog at a time, after a failure too, and none after an abort", async () => {
    const tool = createAskTool();
    const steps: string[] = [];
    const ask = (name: string) => async () => {
      steps.push(`${name} opens`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} closes`);
      if (name === "one") throw new Error("broken");
      return ok([]);
    };
    const one = call(tool, { ask: ask("one") });
    const two = call(tool, { ask: ask("two") });
    await expect(one).rejects.toThrow("broken");
    await two;
    expect(steps).toEqual(["one opens", "one closes", "two opens", "two closes"]);
    expect(await call(tool, { ask: ask("three"), signal: AbortSignal.abort() })).toMatchObject({
      isError: true,
    });
    expect(steps).toHaveLength(4);
  });
});
