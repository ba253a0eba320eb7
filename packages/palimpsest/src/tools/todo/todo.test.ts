import { describe, expect, it } from "vitest";
import type { ToolContext } from "../../../../core/src/spec/index.ts";
import { readToolPurpose } from "../../../../core/src/view/ledgers/tool-call.ts";
import { checkToolInput } from "../check-input.ts";
import { todoTool } from "./index.ts";

const call = (...todos: readonly (readonly [string, string])[]) => ({
  todos: todos.map(([content, status]) => ({ content, status })),
});

const textOf = async (input: object) => (await todoTool.run?.(input, {} as ToolContext))?.content;

describe("the TodoWrite tool", () => {
  it("says what the list has", async () => {
    expect(
      await textOf(call(["a", "completed"], ["b", "in_progress"], ["c", "pending"], ["d", "pending"])),
    ).toBe("The list is written: 2 pending, 1 in_progress, 1 completed.");
    expect(await textOf(call())).toBe("The list is empty now.");
  });

  it("advises to do one thing at a time", async () => {
    expect(await textOf(call(["a", "in_progress"], ["b", "in_progress"]))).toBe(
      "The list is written: 2 in_progress. Better have one in_progress at a time.",
    );
  });

  it("has the input that the ledgers read", async () => {
    const input = call(["a", "cancelled"]);
    expect(await checkToolInput(todoTool, input)).toEqual({ ok: true, value: input });
    expect(readToolPurpose({ name: todoTool.name, input })).toEqual({
      purpose: "todos",
      change: { manner: "replace", todos: [{ content: "a", status: "cancelled" }] },
    });
    expect(await checkToolInput(todoTool, call(["", "done"]))).toMatchObject({ ok: false });
  });
});
