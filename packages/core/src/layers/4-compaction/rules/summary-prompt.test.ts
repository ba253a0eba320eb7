import { describe, expect, it } from "vitest";
import { joinInstructions, summaryPrompt, summaryPromptVersion, summarySections } from "./summary-prompt.ts";

describe("summaryPrompt", () => {
  it("asks for a private draft and then for nine sections, in their order", () => {
    const prompt = summaryPrompt();
    const places = [
      "<analysis>",
      "</analysis>",
      "<summary>",
      ...summarySections.map((title, at) => `${at + 1}. ${title}:`),
    ];
    const found = places.map((place) => prompt.indexOf(place));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(summarySections).toHaveLength(9);
    expect(summaryPromptVersion).toBe(2);
  });

  it("says that no tool may be called, and that what is done must be marked as done", () => {
    expect(summaryPrompt()).toMatch(/Do not call any tool/);
    expect(summaryPrompt()).toMatch(/whether it is done, open or cancelled/);
  });

  it("ends with custom instructions", () => {
    expect(summaryPrompt({ instructions: "  Keep the SQL. \n" }).endsWith("besides:\nKeep the SQL.")).toBe(
      true,
    );
  });

  it.each([undefined, "", " \n\t "])("takes %j as no instructions", (instructions) => {
    expect(summaryPrompt(instructions === undefined ? {} : { instructions })).toBe(summaryPrompt());
  });

  it.each([
    ["from", /^Summarise only the message that begins with "say \\"hi\\"" and what came after it/m],
    ["up-to", /^Summarise only what came before the message that begins with "say \\"hi\\""/m],
  ] as const)("asks for a part: %s a message", (range, expected) => {
    const prompt = summaryPrompt({ part: { range, beginning: 'say "hi"' }, instructions: "Short." });
    expect(prompt).toMatch(expected);
    expect(prompt.endsWith("Short.")).toBe(true);
  });
});

describe("joinInstructions", () => {
  it("puts the user's first, the hooks' after them, and a blank line between", () => {
    expect(joinInstructions(" mine ", "", undefined, "hook one", "hook two\n")).toBe(
      "mine\n\nhook one\n\nhook two",
    );
    expect(joinInstructions(undefined, "  ")).toBe(undefined);
  });
});
